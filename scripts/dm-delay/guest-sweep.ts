// Runs inside the test machine, as root, with dm-delay in its kernel: runs one short sweep with Chromium's cache on
// dm-delay. Writes its observations; the tests outside compare them with the expected values.
import { join } from 'node:path';
import { runProgram } from './guest-environment.ts';
import { writeObservations } from './observations.ts';
import { traces } from './traces.ts';

const [outDirectory = '.'] = process.argv.slice(2);

/**
 * One sample per cell, because launches are slow on this processor. The delay is long compared with the other costs of
 * a read here: after each drop of the page cache the browser's own code is read again from the host, which may be busy.
 */
const words = [
  '--delays',
  '100',
  '--samples',
  '1',
  '--seed',
  '7',
  '--workload',
  'synthetic:64KiB',
  '--no-recompress',
];
// The other machine runs the environment checks; repeating them would take a minute more.
const places = ['--storage', 'dm-delay', '--env', 'skip', '--out', join(outDirectory, 'sweep')];

const sweep = await runProgram('scripts/dm-delay/sweep.ts', [...words, ...places]);
writeObservations(outDirectory, { sweep, atTheEnd: traces() });
console.log('guest: observed');
