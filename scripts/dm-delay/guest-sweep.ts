// Runs inside the test machine, as root, with dm-delay in its kernel: takes one short sweep with Chromium's cache on it.
// Writes what it observed; what that must be, the tests outside say.
import { join } from 'node:path';
import { runProgram } from './command.ts';
import { writeObservations } from './observations.ts';
import { traces } from './traces.ts';

const [outDirectory = '.'] = process.argv.slice(2);

/**
 * One sample a cell: launches are slow on this processor. A delay that is long against what a read takes here besides: the
 * browser's own code comes from the host after each drop of the page cache, which may be busy.
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
// The other machine looks at itself; twice would take a minute more.
const places = ['--storage', 'dm-delay', '--env', 'skip', '--out', join(outDirectory, 'sweep')];

const sweep = await runProgram('scripts/dm-delay/sweep.ts', [...words, ...places]);
writeObservations(outDirectory, { sweep, atTheEnd: traces() });
console.log('guest: observed');
