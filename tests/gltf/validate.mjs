// Converts every fixture with the command line and has the Khronos validator read the results:
// 0 errors and 0 warnings are asked for.
//
// Damaged fixtures and hostile banks as well: what converts at all must be valid.
//
//   node validate.mjs --mabkit FILE --write-hostile FILE --fixtures FOLDER --out FOLDER

import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
  return [null, filesIn(motion, '.skeleton')[0], filesIn(motion, '.xbg')[0]];
}

function run(command, args, lawfulStatuses) {
  const done = spawnSync(command, args, { encoding: 'utf8' });
  if (done.error) fail(`${command}: ${done.error.message}`);
  if (!lawfulStatuses.includes(done.status)) {
    fail(`${command} ${args.join(' ')}: exit ${done.status ?? done.signal}\n${done.stderr}`);
  }
}

/** Writes every fixture one way; returns the files that were written. */
function convert(mabkit, inputs, { out, rig, target, extension }) {
  mkdirSync(out, { recursive: true });
  const options = ['--root-motion', target, '--to', extension, '-o', out];
  if (rig) options.push('--skeleton', rig);
  run(mabkit, ['convert', ...inputs, ...options], [0]);
  const written = filesIn(out, `.${extension}`);
  if (written.length !== inputs.length) {
    fail(`${out}: ${written.length} files from ${inputs.length} fixtures`);
  }
  return written;
}

/** Numbers from 0 up to `limit`, the same in every run (mulberry32). */
function randomNumbers(seed) {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
}

/** Copies of the fixtures with a word overwritten; returns the files that still convert. */
function convertDamaged(mabkit, inputs, out) {
  const source = join(out, 'damaged');
  mkdirSync(source, { recursive: true });
  const random = randomNumbers(1);
  const words = [0, 0xffffffff, 0x7fc00000, 0x7f800000, 0x3f800000, 0x80000000];
  for (const input of inputs) {
    for (const [i, word] of words.entries()) {
      const bytes = readFileSync(input);
      bytes.writeUInt32LE(word, random(Math.floor(bytes.length / 4)) * 4);
      writeFileSync(join(source, `${basename(input, '.mab')}_${i}.mab`), bytes);
    }
  }
  const target = join(out, 'damaged-glb');
  run(mabkit, ['convert', source, '--recursive', '--quiet', '--to', 'glb', '-o', target], [0, 1]);
  const written = filesIn(target, '.glb');
  if (written.length < inputs.length) fail(`only ${written.length} damaged files convert`);
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

/** Counts and prints what the validator has to say. */
class Verdict {
  files = 0;
  errors = 0;
  warnings = 0;
  others = 0;

  async add(validator, file) {
    const issues = await validate(validator, readFileSync(file), file);
    this.files += 1;
    this.errors += issues.numErrors;
    this.warnings += issues.numWarnings;
    this.others += issues.numInfos + issues.numHints;
    if (issues.messages.length > 0) {
      stdout.write(`${file}\n${issues.messages.map(describe).join('\n')}\n`);
    }
  }
}

async function main() {
  const options = Object.fromEntries(
    ['mabkit', 'write-hostile', 'fixtures', 'out'].map((name) => [name, { type: 'string' }]),
  );
  const { values } = parseArgs({ options });
  const { mabkit, fixtures, out } = values;
  for (const name of Object.keys(options)) {
    if (!values[name]) fail(`needs --${name}`);
  }
  const validator = await loadValidator();
  const inputs = FOLDERS.flatMap((folder) => filesIn(join(fixtures, folder), '.mab'));
  rmSync(out, { recursive: true, force: true });

  const verdict = new Verdict();
  for (const rig of rigs(fixtures)) {
    for (const target of ROOT_MOTION_TARGETS) {
      for (const extension of EXTENSIONS) {
        const name = [rig ? basename(rig) : 'no-rig', target, extension].join('-');
        const written = convert(mabkit, inputs, { out: join(out, name), rig, target, extension });
        for (const file of written) await verdict.add(validator, file);
        if (extension === 'gltf') await checkThatItObjects(validator, written[0]);
      }
    }
  }
  for (const file of convertDamaged(mabkit, inputs, out)) await verdict.add(validator, file);
  const hostile = join(out, 'hostile');
  run(values['write-hostile'], [hostile], [0]);
  for (const file of filesIn(hostile, '.glb')) await verdict.add(validator, file);

  stdout.write(`${verdict.files} files: ${verdict.errors} errors, ${verdict.warnings} warnings, ` +
    `${verdict.others} infos and hints\n`);
  exit(verdict.errors + verdict.warnings === 0 ? 0 : 1);
}

await main();
