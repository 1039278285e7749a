// Converts every fixture with the command line and has the Khronos validator read the results:
// 0 errors and 0 warnings are asked for.
//
//   node validate.mjs --mabkit BUILD/bin/mabkit --fixtures FOLDER --out FOLDER

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { exit, stderr, stdout } from 'node:process';
import { parseArgs } from 'node:util';

const ROOT_MOTION_TARGETS = ['node', 'joint', 'ignore'];
const EXTENSIONS = ['glb', 'gltf'];
const FOLDERS = ['spec', 'mab', 'motion'];

function fail(message) {
  stderr.write(`${message}\n`);
  exit(1);
}

async function loadValidator() {
  try {
    return (await import('gltf-validator')).default;
  } catch {
    fail('gltf-validator is absent: run `npm ci` in tests/gltf');
  }
}

function filesIn(folder, extension) {
  return readdirSync(folder)
    .filter((name) => name.endsWith(extension))
    .sort()
    .map((name) => join(folder, name));
}

/** No rig, and one of each kind: random clips match few of its joints, the motion clips all. */
function rigs(fixtures) {
  const motion = join(fixtures, 'motion');
  return [null, ...filesIn(motion, '.skeleton'), ...filesIn(motion, '.xbg')];
}

/** Writes every fixture one way; returns the files that were written. */
function convert(mabkit, inputs, { out, rig, target, extension }) {
  mkdirSync(out, { recursive: true });
  const options = ['--root-motion', target, '--to', extension, '-o', out];
  if (rig) options.push('--skeleton', rig);
  const run = spawnSync(mabkit, ['convert', ...inputs, ...options], { encoding: 'utf8' });
  if (run.status !== 0) fail(`mabkit convert ${options.join(' ')}: exit ${run.status}\n${run.stderr}`);
  const written = filesIn(out, `.${extension}`);
  if (written.length !== inputs.length) {
    fail(`${out}: ${written.length} files from ${inputs.length} fixtures`);
  }
  return written;
}

async function validate(validator, bytes, name) {
  const report = await validator.validateBytes(bytes, { uri: name, maxIssues: 0 });
  return report.issues;
}

/** A check that can't fail is none: the validator must object to a broken file. */
async function checkThatItObjects(validator, file) {
  const text = readFileSync(file, 'utf8');
  const broken = text.replace('"path":"rotation"', '"path":"scale"');
  if (broken === text) fail(`${file}: no rotation channel to break`);
  const issues = await validate(validator, Buffer.from(broken), file);
  if (issues.numErrors === 0) fail('the validator accepts quaternions as scales');
}

function describe(message) {
  return `  ${['error', 'warning', 'info', 'hint'][message.severity]} ${message.code}: ` +
    `${message.message} ${message.pointer ?? ''}`;
}

async function main() {
  const { values } = parseArgs({
    options: {
      mabkit: { type: 'string' },
      fixtures: { type: 'string' },
      out: { type: 'string' },
    },
  });
  const { mabkit, fixtures, out } = values;
  if (!mabkit || !fixtures || !out) fail('needs --mabkit, --fixtures and --out');
  if (!existsSync(mabkit)) fail(`${mabkit}: not built`);
  const validator = await loadValidator();
  const inputs = FOLDERS.flatMap((folder) => filesIn(join(fixtures, folder), '.mab'));
  rmSync(out, { recursive: true, force: true });

  const totals = { files: 0, errors: 0, warnings: 0, others: 0 };
  for (const rig of rigs(fixtures)) {
    for (const target of ROOT_MOTION_TARGETS) {
      for (const extension of EXTENSIONS) {
        const name = [rig ? basename(rig) : 'no-rig', target, extension].join('-');
        const way = { out: join(out, name), rig, target, extension };
        const written = convert(mabkit, inputs, way);
        for (const file of written) {
          const issues = await validate(validator, readFileSync(file), file);
          totals.files += 1;
          totals.errors += issues.numErrors;
          totals.warnings += issues.numWarnings;
          totals.others += issues.numInfos + issues.numHints;
          if (issues.messages.length > 0) {
            stdout.write(`${file}\n${issues.messages.map(describe).join('\n')}\n`);
          }
        }
        if (extension === 'gltf') await checkThatItObjects(validator, written[0]);
      }
    }
  }
  stdout.write(`${totals.files} files: ${totals.errors} errors, ${totals.warnings} warnings, ` +
    `${totals.others} infos and hints\n`);
  exit(totals.errors + totals.warnings === 0 ? 0 : 1);
}

await main();
