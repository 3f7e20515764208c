import type { FillSuite, FillSystem } from './plan.ts';
import { type FillTrial, usableRequests } from './trial.ts';
import { createRandom } from '../statistics/random.ts';
import { compare } from '../statistics/comparison.ts';
import type { Reading } from '../statistics/readings.ts';
import { judge } from '../statistics/verdict.ts';
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
export const fillQuantities = ['byteWaitMs', 'firstByteMs'] as const;
export type FillQuantity = (typeof fillQuantities)[number];

const files = { unit: 'ms', samples: 'files' };
const firstByte = 'with its first byte';
const measures: Record<FillQuantity, Measure & { name: string }> = {
  byteWaitMs: { ...files, name: 'byte wait', greater: 'slower', lesser: 'faster' },
  firstByteMs: {
    ...files,
    name: 'first byte',
    greater: `later ${firstByte}`,
    lesser: `earlier ${firstByte}`,
  },
};

/** Two systems under one suite. */
export type FillComparison = ReturnType<typeof compareSystems>[number];

/**
 * One reading per file: the mean over its readers, who share one fill and so are not independent. The trial takes the place
 * of a launch.
 */
export function fileReadings(trials: readonly FillTrial[], quantity: FillQuantity): Reading[] {
  return trials.flatMap((trial) => {
    const files = Map.groupBy(usableRequests(trial), ({ file }) => file);
    return [...files.values()].flatMap((requests) => {
      const values = requests.map((request) => request[quantity]).filter((value) => value !== null);
      if (values.length === 0) return [];
      const value = values.reduce((sum, each) => sum + each, 0) / values.length;
      return [{ value, launch: trial.sequence }];
    });
  });
}

/**
 * Compares the systems of one suite; the comparisons of one quantity are one family. A system with flagged requests is
 * left out: the few that succeeded may not have waited for the load that failed.
 */
export function compareSystems(
  trials: readonly FillTrial[],
  suite: FillSuite,
  seed: number,
  inconclusive: string | null,
) {
  const bySystem = Map.groupBy(
    trials.filter((trial) => trial.suite === suite.name),
    ({ system }) => system,
  );
  const isSound = (system: FillSystem): boolean =>
    bySystem.get(system)?.every(({ requests }) => requests.every(({ flag }) => !flag)) ?? false;
  const present = pairs.filter((pair) => pair.every(isSound));
  // With one trial each, nothing is known about variation between trials: the statement then covers these trials only.
  const isRepeated = [...bySystem.values()].every(({ length }) => length > 1);
  return fillQuantities.flatMap((quantity) => {
    const random = createRandom(seed);
    const scope = isRepeated ? 'any launch' : 'these launches';
    const comparisons = present.map(([of, against]) =>
      compare(
        fileReadings(bySystem.get(of) ?? [], quantity),
        fileReadings(bySystem.get(against) ?? [], quantity),
        { random, scope },
        { of, against },
      ),
    );
    const verdicts = judge(comparisons, { better: 'lower', inconclusive });
    return present.flatMap(([of, against], index) => {
      const [comparison, verdict] = [comparisons[index], verdicts[index]];
      if (!comparison || !verdict) return [];
      const told = verdictSentence(comparison, verdict, { of, against }, measures[quantity]);
      /** In words, with confidence interval and p value. A trial takes the place of a launch. */
      const sentence = told
        .replaceAll(/(browser )?launches/g, 'trials')
        .replaceAll(/(browser )?launch/g, 'trial');
      return [{ suite: suite.name, quantity, of, against, outcome: verdict.outcome, sentence }];
    });
  });
}

/** Results of the comparisons of one suite, in sentences; those without a difference share one. */
export function comparisonSentences(comparisons: readonly FillComparison[]): string[] {
  const open = comparisons.filter(({ outcome }) => outcome === 'UNKNOWN');
  const more = 'More --rounds or a longer --time would decide them.';
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
