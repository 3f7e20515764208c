// Runs inside the test machine, as root, with dm-delay in its kernel: takes one short sweep with Chromium's cache on it.
// Writes what it observed; what that must be, the tests outside say.
import { join } from 'node:path';
import { runProgram } from './command.ts';
import { writeObservations } from './observations.ts';
import { traces } from './traces.ts';

const [outDirectory = '.'] = process.argv.slice(2);

/** One sample a cell: launches are slow on this processor, and samples alike. */
const words = ['0', '20', '20', '--samples', '1', '--seed', '7', '--workload', 'synthetic:64kb'];
const places = ['--storage', 'dm-delay', '--out', join(outDirectory, 'sweep')];

const sweep = await runProgram('harness/cli.ts', ['sweep', ...words, ...places]);
writeObservations(outDirectory, { sweep, atTheEnd: traces() });
console.log('guest: observed');
