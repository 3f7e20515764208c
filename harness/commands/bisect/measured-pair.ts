import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gated, type GatedComparison } from '@cachescope/model/compare/gated.ts';
import { summarizeComparison } from '@cachescope/model/compare/summary.ts';
import { levelAtStop } from '@cachescope/model/statistics/stop-rule.ts';
import { CachescopeError } from '../../error.ts';
import { onSignals } from '../../lab/interrupt.ts';
import { readComparisons } from '../compare/comparison.ts';
import type { BisectOptions, Step } from './options.ts';
import type { Difference } from './narrowing.ts';

const cli = fileURLToPath(new URL('../../cli.ts', import.meta.url));

/**
 * Significance level of one of a step's two attempts. The stop rule's looks spend half of alpha (levelAtStop in
 * stop-rule.ts), and the other half is shared by the attempts.
 */
const alphaOfAttempt = levelAtStop('max time', []) / 2;

/** Result of measuring two steps. */
export interface MeasuredPair {
  difference: Difference;
  /** Directory of the run. */
  run: string;
  judged: GatedComparison;
  /** Why the run permits no verdict; null: it does. */
  inconclusive: string | null;
}

/**
 * Measures two steps, interleaved in one sweep, until the comparison is decided or the time limit is reached. `effort`
 * multiplies the time limit.
 *
 * @param path New directory for the run and its list of variants.
 * @throws CachescopeError CS_BISECT_RUN with the exit code of a sweep that failed.
 */
export async function measurePair(
  [against, of]: readonly [Step, Step],
  path: string,
  options: BisectOptions,
  effort: number,
): Promise<MeasuredPair> {
  mkdirSync(path, { recursive: true });
  const variants = join(path, 'variants.json');
  writeFileSync(variants, JSON.stringify([against, of], null, 2));
  const run = join(path, 'run');
  await sweep(
    [
      '--variants',
      variants,
      '--out',
      run,
      '--wait',
      '--precision',
      percentOption(options.precision),
      '--margin',
      percentOption(options.margin),
      '--max-time',
      `${(options.maxTimeMs * effort) / 1000}s`,
      ...options.sweep,
    ],
    run,
  );
  const { judged, inconclusive } = await judge(run, against, of, options);
  return { difference: differenceOf(judged), run, judged, inconclusive };
}

/** A share as an option's value, which has at most three decimals: 0.07 * 100 has more. */
export function percentOption(share: number): string {
  return `${Number((share * 100).toFixed(3))}%`;
}

/**
 * Runs the sweep in a separate process, which cleans up after itself in any case. Its table is not shown: the run
 * contains it.
 */
async function sweep(args: readonly string[], run: string): Promise<void> {
  // A sweep whose bisection is killed is interrupted: it would hold the machine to its end.
  const words = [
    '--pdeathsig',
    'INT',
    process.execPath,
    ...process.execArgv,
    cli,
    'sweep',
    ...args,
  ];
  const child = spawn('setpriv', words, {
    stdio: ['inherit', 'ignore', 'inherit'],
  });
  const code = await endOf(child);
  if (code === 0) return;
  const exitCode = ([2, 3, 4, 5, 130] as const).find((each) => each === code) ?? 1;
  throw new CachescopeError('CS_BISECT_RUN', `the sweep of ${run} ended with exit code ${code}`, {
    exitCode,
  });
}

/**
 * The exit code of a sweep's process; 130 when this program was interrupted and the sweep was complete. Signals are
 * passed on, because not every sender reaches the sweep too. It counts a Ctrl-C that arrives twice at once as one.
 */
export async function endOf(sweep: ChildProcess): Promise<number> {
  let isInterrupted = false;
  const dispose = onSignals(() => {
    isInterrupted = true;
    sweep.kill('SIGINT');
  });
  const [code] = (await once(sweep, 'exit').finally(dispose)) as [number | null];
  if (isInterrupted) return code || 130;
  return code ?? 1;
}

async function judge(
  run: string,
  against: Step,
  of: Step,
  { gate, margin }: BisectOptions,
): Promise<Pick<MeasuredPair, 'judged' | 'inconclusive'>> {
  const options = {
    against: { path: run, selection: { variant: against.name } },
    of: { path: run, selection: { variant: of.name } },
    margin,
    across: [],
    names: undefined,
  };
  const [document] = await readComparisons(options, [gate.metric], process.argv.slice(2));
  if (!document) throw new Error(`${run} was not compared`);
  // The run shows the results of the control. A decision on the control too would take most of the time.
  const slow = document.pairs.filter(({ factors }) => factors['delay'] !== 'control');
  const judged = { ...document, pairs: slow.length > 0 ? slow : document.pairs };
  // A run that stopped at a look has less left.
  const alpha = Math.min(alphaOfAttempt, document.run.plan.alpha ?? alphaOfAttempt);
  const summary = summarizeComparison(judged, alpha);
  return { judged: gated(gate, judged, summary), inconclusive: summary.trust.inconclusive };
}

/** One cell that differs is enough; two steps are alike only if all cells are. */
function differenceOf({ outcomes }: GatedComparison): Difference {
  if (outcomes.failed > 0) return 'differs';
  return outcomes.unknown > 0 ? 'open' : 'alike';
}
