// Gives the product many mutated inputs of one format, and prints the results as a line of JSON. It is a separate
// process, so that its peak memory covers only these inputs. Arguments: FORMAT COUNT SEED.
import { CachescopeError } from '../../harness/error.ts';
import { OriginError } from '@cachescope/origin/error.ts';
import { inputFormats } from './input-formats.ts';
import { mutations, unchanged } from './input-mutation.ts';

/** Results for the inputs of one format. */
export interface MadeInputs {
  inputs: number;
  /** Number of errors with an error code, by exit code: the product refused an input. */
  refused: Record<string, number>;
  /** Total time, s. */
  seconds: number;
  /** Stack traces of all other errors, each once, with the seed of one input that caused it. */
  stacks: string[];
  /** Processor time of the slowest input, ms. */
  slowestMs: number;
  slowestSeed: number;
  /** Peak memory of the process, MiB. */
  memoryMiB: number;
}

const mostStacks = 20;
/** The largest number of inputs from which every output is derived. */
const mostDerived = 150;
const [name = '', count = '0', firstSeed = '1'] = process.argv.slice(2);
const format = inputFormats[name];
if (!format) throw new Error(`no format ${name}`);
const result: MadeInputs = {
  inputs: 0,
  refused: {},
  seconds: 0,
  stacks: [],
  slowestMs: 0,
  slowestSeed: 0,
  memoryMiB: 0,
};
/** Spread evenly over all inputs. */
const derivedEvery = Math.ceil(Number(count) / mostDerived);
const seen = new Set<string>();
// If the product refused the unchanged seed input, every mutation would test the same error.
await format.take(unchanged, true);
for (let seed = Number(firstSeed); result.inputs < Number(count); seed++, result.inputs++) {
  const before = process.cpuUsage();
  try {
    await format.take(mutations(seed), result.inputs % derivedEvery === 0);
  } catch (error) {
    if (error instanceof CachescopeError || error instanceof OriginError)
      result.refused[error.exitCode] = (result.refused[error.exitCode] ?? 0) + 1;
    else keep(error, seed);
  }
  const { user, system } = process.cpuUsage(before);
  const ms = (user + system) / 1000;
  if (ms > result.slowestMs) Object.assign(result, { slowestMs: ms, slowestSeed: seed });
}
result.memoryMiB = Math.round(process.resourceUsage().maxRSS / 1024);
result.seconds = Math.round(performance.now() / 1000);
process.stdout.write(`${JSON.stringify(result)}\n`);

function keep(error: unknown, seed: number): void {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const place = stack
    .split('\n')
    .slice(0, 3)
    .join('|')
    .replaceAll(/\d+(\.\d+)?/g, '0');
  if (seen.has(place) || seen.size >= mostStacks) return;
  seen.add(place);
  result.stacks.push(`seed ${seed}: ${stack.split('\n').slice(0, 6).join('\n')}`);
}
