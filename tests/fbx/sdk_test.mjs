// Converts our FBX to glTF with FBX2glTF, which reads it with Autodesk's SDK, as Unity and Unreal do,
// and compares where the joints are with our own forward kinematics.
//
//   node sdk_test.mjs --write-fbx PROGRAM --pose-dump PROGRAM --fixtures FOLDER --out FOLDER

import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { exit, stderr, stdout } from 'node:process';
import { parseArgs } from 'node:util';

const TOLERANCE = 0.001; // metres
const POSED = [
  ['cmu_01_01_fc2.mab', 'cmu_01_01.skeleton'],
  ['cmu_01_01_fc5.mab', 'cmu_01_01_fc5.xbg'],
  ['cmu_01_01_wd1.mab', 'cmu_01_01_fc5.xbg'],
  ['cmu_01_01_wdl.mab', 'cmu_01_01_fc5.xbg'],
];
// Banks without a rig, with participants.
const BANKS = ['mab/fc2_1.mab', 'mab/fc5_4.mab', 'mab/wdl_2.mab'];

function fail(message) {
  stderr.write(`${message}\n`);
  exit(1);
}

function run(command, args) {
  const done = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 1 << 28 });
  if (done.error) fail(`${command}: ${done.error.message}`);
  if (done.status !== 0) fail(`${command} ${args.join(' ')}: exit ${done.status}\n${done.stderr}`);
  return done.stdout;
}

/** The converter, with the permission to run that its package lacks. */
function converter(out) {
  let entry;
  try {
    entry = createRequire(import.meta.url).resolve('fbx2gltf');
  } catch {
    fail('fbx2gltf is absent: run `npm ci` in tests/fbx');
  }
  const program = join(out, 'FBX2glTF');
  copyFileSync(join(dirname(entry), 'bin', 'Linux', 'FBX2glTF'), program);
  chmodSync(program, 0o755);
  return program;
}

/** A GLB: its document, and a function that gives the floats of an accessor. */
function readGlb(file) {
  const bytes = readFileSync(file);
  const jsonSize = bytes.readUInt32LE(12);
  const document = JSON.parse(bytes.subarray(20, 20 + jsonSize).toString('utf8'));
  const buffer = bytes.subarray(20 + jsonSize + 8);
  const widths = { SCALAR: 1, VEC3: 3, VEC4: 4, MAT4: 16 };
  const floats = (index) => {
    const accessor = document.accessors[index];
    const view = document.bufferViews[accessor.bufferView];
    const start = (view.byteOffset ?? 0) + (accessor.byteOffset ?? 0);
    const width = widths[accessor.type];
    return Array.from({ length: accessor.count }, (_, i) =>
      Array.from({ length: width }, (_, j) => buffer.readFloatLE(start + 4 * (width * i + j))));
  };
  return { document, floats };
}

function mix(a, b, fraction) {
  return a.map((v, i) => v + fraction * (b[i] - v));
}

/** Normalised lerp: baked frames are so near that slerp is the same. */
function mixRotations(a, b, fraction) {
  const dot = a.reduce((sum, v, i) => sum + v * b[i], 0);
  const out = mix(a, b.map((v) => (dot < 0 ? -v : v)), fraction);
  const length = Math.hypot(...out);
  return out.map((v) => v / length);
}

function sample(times, values, path, time) {
  let i = 0;
  while (i + 1 < times.length && times[i + 1] <= time) i += 1;
  if (i + 1 === times.length || time <= times[i]) return values[i];
  const fraction = (time - times[i]) / (times[i + 1] - times[i]);
  return (path === 'rotation' ? mixRotations : mix)(values[i], values[i + 1], fraction);
}

/** The quaternion product a b. */
function multiply([ax, ay, az, aw], [bx, by, bz, bw]) {
  return [
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
    aw * bw - ax * bx - ay * by - az * bz,
  ];
}

function rotate(q, v) {
  const [x, y, z] = multiply(multiply(q, [...v, 0]), [-q[0], -q[1], -q[2], q[3]]);
  return [x, y, z];
}

/** Positions of all named nodes at a time of an animation, Z up; scale is uniform in our files. */
function worldPositions({ document, floats }, animation, time) {
  const locals = document.nodes.map((node) => ({
    translation: node.translation ?? [0, 0, 0],
    rotation: node.rotation ?? [0, 0, 0, 1],
    scale: node.scale ?? [1, 1, 1],
  }));
  for (const channel of document.animations[animation].channels) {
    const sampler = document.animations[animation].samplers[channel.sampler];
    const times = floats(sampler.input).map(([t]) => t);
    const { node, path } = channel.target;
    locals[node][path] = sample(times, floats(sampler.output), path, time);
  }
  const positions = {};
  const visit = (index, above) => {
    const { translation, rotation, scale } = locals[index];
    const offset = rotate(above.rotation, translation.map((v) => v * above.scale));
    const here = {
      position: above.position.map((v, i) => v + offset[i]),
      rotation: multiply(above.rotation, rotation),
      scale: above.scale * scale[0],
    };
    const [x, y, z] = here.position;
    positions[document.nodes[index].name] = [x, -z, y];
    for (const child of document.nodes[index].children ?? []) visit(child, here);
  };
  const origin = { position: [0, 0, 0], rotation: [0, 0, 0, 1], scale: 1 };
  for (const root of document.scenes[document.scene ?? 0].nodes) visit(root, origin);
  return positions;
}

function parentNames(document) {
  const parents = {};
  for (const node of document.nodes) {
    for (const child of node.children ?? []) parents[document.nodes[child].name] = node.name;
  }
  return parents;
}

function convert(program, fbx) {
  const target = fbx.replace(/\.fbx$/, '');
  run(program, ['-i', fbx, '-o', target, '-b', '--anim-framerate', 'bake60']);
  return readGlb(`${target}.glb`);
}

function comparePoses(name, glb, dump) {
  const parents = parentNames(glb.document);
  for (const [joint, parent] of Object.entries(dump.parents)) {
    if (parent !== null && parents[joint] !== parent) {
      fail(`${name}: ${joint} hangs from ${parents[joint]}, expected ${parent}`);
    }
  }
  const joints = Object.keys(dump.parents).length;
  const skinned = glb.document.skins[0].joints.length;
  if (joints !== 31 || skinned < joints) fail(`${name}: ${skinned} of ${joints} joints are skinned`);
  let worst = 0;
  for (const { time, joints: expected } of dump.poses) {
    const positions = worldPositions(glb, 0, time);
    for (const [joint, place] of Object.entries(expected)) {
      const distance = Math.hypot(...place.map((v, i) => v - positions[joint][i]));
      worst = Math.max(worst, distance);
      if (!(distance <= TOLERANCE)) {
        fail(`${name}: ${joint} at ${time} s is ${(distance * 1000).toFixed(3)} mm from ${place}`);
      }
    }
  }
  stdout.write(`${name}: ${joints} joints, worst ${(worst * 1000).toFixed(4)} mm\n`);
}

/** How many clips of the bank beside a fixture have a curve. */
function animatedClips(expected) {
  const { clips } = JSON.parse(readFileSync(expected, 'utf8'));
  return clips.filter(({ tracks, root_motion: motion }) =>
    tracks.length > 0 || motion?.translation || motion?.rotation).length;
}

function main() {
  const names = ['write-fbx', 'pose-dump', 'fixtures', 'out'];
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
  const { values } = parseArgs({ options });
  for (const name of names) if (!values[name]) fail(`needs --${name}`);
  const { fixtures, out } = values;
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const program = converter(out);

  for (const [clip, rig] of POSED) {
    const source = join(fixtures, 'motion', clip);
    const skeleton = join(fixtures, 'motion', rig);
    const fbx = join(out, clip.replace('.mab', '.fbx'));
    run(values['write-fbx'], [source, skeleton, fbx]);
    const dump = JSON.parse(run(values['pose-dump'], [source, skeleton]));
    comparePoses(clip, convert(program, fbx), dump);
  }
  for (const bank of BANKS) {
    const source = join(fixtures, bank);
    const fbx = join(out, basename(bank).replace('.mab', '.fbx'));
    run(values['write-fbx'], [source, '-', fbx]);
    const found = convert(program, fbx).document.animations?.length ?? 0;
    const expected = animatedClips(source.replace('.mab', '.json'));
    if (found !== expected) fail(`${bank}: ${found} animations, expected ${expected}`);
    stdout.write(`${bank}: ${found} animations\n`);
  }
}

main();
