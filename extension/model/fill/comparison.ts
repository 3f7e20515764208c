import type { FillSuite, FillSystem } from './plan.ts';
import { type FillQuantity, trialValue } from './measures.ts';
import type { FillTrial } from './trial.ts';
import type { Reading } from '../statistics/readings.ts';
import { differenceOf } from '../page/differences.ts';
import { fewestLaunches } from '../statistics/launch-level.ts';
import { judgedFamily } from '../statistics/verdict.ts';
import { type Measure, verdictSentence } from '../statistics/verdict-sentence.ts';

/** Pairs of systems that are compared: each differs in one thing. */
const pairs: readonly (readonly [FillSystem, FillSystem])[] = [
  ['nginx-lock', 'nginx-pass'],
  ['nginx-patched-lock', 'nginx-lock'],
  ['nginx-tempfiles', 'nginx-lock'],
  ['edge-pass', 'nginx-pass'],
  ['edge-lock', 'nginx-lock'],
  ['edge-stream', 'nginx-lock'],
  ['edge-stream', 'nginx-tempfiles'],
  ['edge-stream', 'edge-lock'],
  ['browser-frames', 'browser-page'],
  ['browser-tabs', 'browser-page'],
  ['browser-workers', 'browser-page'],
  ['browser-memory', 'browser-page'],
  ['browser+edge', 'browser-page'],
  ['browser-page', 'edge-stream'],
];

/** The compared quantities. */
const fillQuantities = ['byteWaitMs', 'firstByteMs'] as const;

const trial = { unit: 'ms', samples: 'trials', launch: 'trial' };
const firstByte = 'with its first byte';
const measures: Record<FillQuantity, Measure & { name: string }> = {
  byteWaitMs: { ...trial, name: 'byte wait', greater: 'slower', lesser: 'faster' },
  firstByteMs: {
    ...trial,
    name: 'first byte',
    greater: `later ${firstByte}`,
    lesser: `earlier ${firstByte}`,
  },
};

/** Two systems under one suite. */
export type FillComparison = ReturnType<typeof compareSystems>[number];

/** One reading for each trial, as the table shows it; the trial takes the place of a launch. */
export function trialReadings(trials: readonly FillTrial[], quantity: FillQuantity): Reading[] {
  return trials.flatMap((trial) => {
    const value = trialValue(trial, quantity);
    return value === null ? [] : [{ value, launch: trial.sequence }];
  });
}

/**
 * Compares the systems of one suite; the comparisons of one quantity are one family. A system with flagged requests is
 * left out: the few that succeeded may not have waited for the load that failed.
 */
export function compareSystems(
  trials: readonly FillTrial[],
  suite: FillSuite,
  inconclusive: string | null,
) {
  const bySystem = Map.groupBy(
    trials.filter((trial) => trial.suite === suite.name),
    ({ system }) => system,
  );
  const isSound = (system: FillSystem): boolean =>
    bySystem.get(system)?.every(({ requests }) => requests.every(({ flag }) => !flag)) ?? false;
  const present = pairs.filter((pair) => pair.every(isSound));
  return fillQuantities.flatMap((quantity) => {
    const groups = present.map(([of, against]) => ({
      names: { of, against },
      of: trialReadings(bySystem.get(of) ?? [], quantity),
      against: trialReadings(bySystem.get(against) ?? [], quantity),
    }));
    return judgedFamily(groups, { better: 'lower', inconclusive }).map(
      ({ names, comparison, verdict }) => {
        const sentence = verdictSentence(comparison, verdict, names, measures[quantity]);
        const { outcome, reason } = verdict;
        const judged = differenceOf({ comparison, verdict });
        return { suite: suite.name, quantity, ...names, outcome, reason, sentence, judged };
      },
    );
  });
}

/** Results of the comparisons of one suite, in sentences; those without a difference share one. */
export function comparisonSentences(comparisons: readonly FillComparison[]): string[] {
  const open = comparisons.filter(({ outcome }) => outcome === 'UNKNOWN');
  const isShort = open.some(({ reason }) => reason === 'too few launches');
  const more = isShort
    ? `That needs at least ${fewestLaunches} trials of each system (--rounds ${fewestLaunches}).`
    : 'More --rounds or a longer --time would decide them.';
  if (open.length > 2 && open.length === comparisons.length)
    return [`None of ${open.length} comparisons is decided. ${more}`];
  const byPair = Map.groupBy(open, ({ of, against }) => `${of} against ${against}`);
  const names = [...byPair].map(
    ([pair, group]) =>
      `${pair} (${group.map(({ quantity }) => measures[quantity].name).join(', ')})`,
  );
  const decided = comparisons.filter(({ outcome }) => outcome !== 'UNKNOWN');
  return [
    ...decided.map(({ sentence }) => sentence),
    ...(names.length === 0 ? [] : [`Not decided: ${names.join('; ')}. ${more}`]),
  ];
}
