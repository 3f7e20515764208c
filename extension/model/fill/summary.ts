import { greatest } from '../extremes.ts';
import { counted, digits, seconds } from '../quantity.ts';
import { answersTo } from './answers.ts';
import type { FillQuestion } from './question.ts';
import { compareSystems, trialReadings } from './comparison.ts';
import { type FillQuantity, idealByteWaitMs, measuresOf } from './measures.ts';
import { type FillSuite, type FillSystem, suiteTitle } from './plan.ts';
import type { FillLine, FillRun } from './run.ts';
import { type Tally, tallyOf } from '../run/tally.ts';
import type { Interval } from '../statistics/interval.ts';
import { medianInterval } from '../statistics/median-interval.ts';
import { type Trust, trustedFinding, trustOf } from '../run/trust.ts';
import { type FillTrial, isWhole } from './trial.ts';

/** One system under one suite: a row of the table. */
export type FillRow = ReturnType<typeof rowOf>;

/** Result of one suite. */
export type FillSuiteSummary = ReturnType<typeof summarizeSuite>;

/** Result of a run of concurrent fills. */
export type FillSummary = ReturnType<typeof summarizeFill>;

/** Summarizes a run. Trials that were cut short are excluded. */
export function summarizeFill(run: FillRun, lines: readonly FillLine[]) {
  const trials = lines.filter((line) => line.kind === 'trial');
  const questions = lines.filter((line) => line.kind === 'question');
  const whole = trials.filter(isWhole);
  const trust = trustOf(run, fillTally(trials, whole));
  const suites = run.plan.suites
    .map((suite) => summarizeSuite(run, suite, whole, trust))
    .filter(({ rows }) => rows.length > 0);
  return {
    trust,
    suites,
    /** The questions about the browser's cache, with their answers. */
    answers: questions.map((question) => ({
      name: question.name,
      sentences: trustedAnswers(trust, answersTo(question, questions), question),
    })),
    /** The result in sentences, the most important first. */
    finding: trustedFinding(trust, findingOf(suites)),
    /** Limits of the result, in sentences. */
    warnings: warningsOf(trials, suites),
  };
}

/** How long readers waited says nothing on a busy machine; what reached the origin is counted. */
function trustedAnswers(
  { inconclusive }: Trust,
  sentences: readonly string[],
  { origin }: FillQuestion,
): string[] {
  if (inconclusive === null) return [...sentences];
  return [
    `Inconclusive: ${inconclusive}. ${counted(origin.length, 'request')} reached the origin.`,
  ];
}

/** Systems with failed requests are excluded one by one (`compareSystems`): a trial is flagged when it was cut short. */
function fillTally(trials: readonly FillTrial[], whole: readonly FillTrial[]): Tally {
  const { cells } = tallyOf(whole, (trial) => ({
    cell: `${trial.suite} ${trial.system}`,
    launch: trial.round,
    value: measuresOf([trial]).byteWaitMs,
    isFlagged: false,
  }));
  const [taken, flagged] = [trials.length, trials.length - whole.length];
  return { taken, flagged, cells, repeated: 'round' };
}

function summarizeSuite(
  { plan }: FillRun,
  suite: FillSuite,
  trials: readonly FillTrial[],
  { inconclusive }: Trust,
) {
  const own = trials.filter((trial) => trial.suite === suite.name);
  const rows = plan.systems.flatMap((system) => {
    const taken = own.filter((trial) => trial.system === system);
    return taken.length === 0 ? [] : [rowOf(suite, system, taken)];
  });
  return {
    suite,
    title: suiteTitle(suite),
    /** Average byte wait if every byte arrived when the origin sends it, ms. */
    idealByteWaitMs: idealByteWaitMs(suite.fileMs, plan.chunkHz),
    /** In the order of the plan; systems without a trial are left out. */
    rows,
    comparisons: compareSystems(own, suite, inconclusive ?? limitOf({ suite, rows })),
  };
}

function rowOf(suite: FillSuite, system: FillSystem, trials: readonly FillTrial[]) {
  const shares = trials.flatMap(({ busy }) =>
    [busy.client, busy.cache, busy.origin].filter((share) => share !== null),
  );
  return {
    system,
    suite: suite.name,
    trials: trials.length,
    /** Places in the browser that the readers shared; null outside a browser. */
    contexts: trials[0]?.contexts ?? null,
    measures: measuresOf(trials),
    /** 95 % intervals of the two compared quantities, over the trials, ms; null: fewer than three trials. */
    intervals: {
      byteWaitMs: intervalOf(trials, 'byteWaitMs'),
      firstByteMs: intervalOf(trials, 'firstByteMs'),
    },
    /** Utilisation of the busiest event loop of its trials, 0 to 1; null: unknown. */
    busiest: shares.length === 0 ? null : greatest(shares),
  };
}

function intervalOf(trials: readonly FillTrial[], quantity: FillQuantity): Interval | null {
  return medianInterval(trialReadings(trials, quantity)).interval;
}

/** Up to this many requests per file count as one: a shared fill. */
const onceMost = 1.05;

const list = new Intl.ListFormat('en', { type: 'conjunction' });

/** Slowest origin first: there the cache matters most. */
function findingOf(suites: readonly FillSuiteSummary[]): string[] {
  const slowestFirst = suites.toSorted((a, b) => b.suite.fileMs - a.suite.fileMs);
  const sentences = slowestFirst.flatMap((summary) => [bestOf(summary), originRequests(summary)]);
  return sentences.length === 0 ? ['Nothing was measured.'] : sentences;
}

/**
 * The cache whose readers waited least for their bytes. Direct access to the origin is excluded: there is no cache. So is
 * a row with flagged requests: the few that succeeded may not have waited for the load that failed.
 */
function bestOf(summary: FillSuiteSummary): string {
  const { title, rows, idealByteWaitMs: idealMs } = summary;
  const limit = limitOf(summary);
  if (limit !== null) return `${title}: inconclusive, because ${limit}.`;
  const { flagged, known } = cachesByWait(rows);
  const [best, ...others] = known;
  if (!best)
    return `${title}: ${flagged.length > 0 ? 'every cache has flagged requests' : 'no cache was measured'}.`;
  const worst = others.at(-1);
  const ideal = idealMs > 0 ? ` (the origin sends them after ${seconds(idealMs)})` : '';
  const most = worst ? `, the longest behind ${worst.system}, ${seconds(worst.byteWaitMs)}` : '';
  const without = sentenceAbout(
    flagged.map(({ system }) => system),
    (names) => `; flagged requests exclude ${names}`,
  );
  return `${title}: the byte wait was shortest behind ${best.system}, ${seconds(best.byteWaitMs)} on average${ideal}, with the first byte after ${seconds(best.firstByteMs.mean)}${most}${without.join('')}${roundsText(rows)}.`;
}

/** The caches by rising byte wait, and those that flagged requests exclude. */
function cachesByWait(rows: readonly FillRow[]) {
  const caches = rows.filter(({ system }) => system !== 'origin');
  const flagged = caches.filter(({ measures }) => Object.keys(measures.flagged).length > 0);
  const known = caches.flatMap((row) => {
    const { byteWaitMs, firstByteMs } = row.measures;
    return byteWaitMs === null || flagged.includes(row)
      ? []
      : [{ system: row.system, byteWaitMs, firstByteMs }];
  });
  return { flagged, known: known.toSorted((a, b) => a.byteWaitMs - b.byteWaitMs) };
}

/** The caches with the shortest and the longest byte wait under the slowest origin; undefined: there are no two. */
export function fillHeadline({ suites }: Pick<FillSummary, 'suites'>): string | undefined {
  const [slowest] = suites.toSorted((a, b) => b.suite.fileMs - a.suite.fileMs);
  if (!slowest || limitOf(slowest) !== null) return undefined;
  const { known } = cachesByWait(slowest.rows);
  const [best, worst] = [known[0], known.at(-1)];
  if (!best || !worst || best === worst) return undefined;
  return `Readers wait least for a byte behind ${best.system}, ${seconds(best.byteWaitMs)} on average, and most behind ${worst.system}, ${seconds(worst.byteWaitMs)}`;
}

/** Rounds from which differences between systems can be told from those between trials. */
const enoughRounds = 3;

function roundsText(rows: readonly FillRow[]): string {
  const fewest = Math.min(...rows.map(({ trials }) => trials));
  if (fewest >= enoughRounds) return '';
  return `; ${counted(fewest, 'round')} cannot show that systems differ: use --rounds ${enoughRounds}`;
}

/**
 * Requests to the origin for one file: 1 when a cache serves all readers from one response. A row with flagged requests is
 * excluded: a request that failed before it reached the origin would look shared.
 */
function originRequests({ title, rows }: FillSuiteSummary): string {
  const caches = rows
    .filter(({ system, measures }) => system !== 'origin' && measures.hitRate !== null)
    .map(({ system, measures }) => ({ system, times: measures.originRequests / measures.files }));
  const once = caches.filter(({ times }) => times <= onceMost).map(({ system }) => system);
  const more = caches
    .filter(({ times }) => times > onceMost)
    .map(({ system, times }) => `${digits(times)} (${system})`);
  const parts = [...sentenceAbout(once, (systems) => `1 (${systems})`), ...more];
  return `${title}: requests to the origin for each file: ${parts.join(', ') || 'unknown'}.`;
}

/** From this utilisation on, the event loop itself limits the result. */
const busyShare = 0.9;

const lessLoad = 'Use fewer --workers or a smaller --size.';

/** Limits of the values of a run, in sentences. */
function warningsOf(trials: readonly FillTrial[], suites: readonly FillSuiteSummary[]): string[] {
  const rows = suites.flatMap((summary) => summary.rows);
  const cutShort = trials.filter((trial) => trial.cutShort);
  const busy = rows.flatMap(({ system, suite, busiest }) =>
    busiest !== null && busiest >= busyShare
      ? [`${system} ${suite} (${Math.round(100 * busiest)} %)`]
      : [],
  );
  return [
    ...sentenceAbout(
      cutShort.map(({ system, suite }) => `${system} (${suite})`),
      (names) => `An interrupt or a failure ended ${names} early: it is excluded.`,
    ),
    ...rows.flatMap(({ system, suite, measures }) =>
      sentenceAbout(
        Object.entries(measures.flagged).map(([flag, count]) => `${flag} ${count}`),
        (kinds) =>
          `${system}, ${suite}: requests flagged and excluded: ${kinds}, so its hit rate is unknown and it is not compared.`,
      ),
    ),
    ...sentenceAbout(
      busy,
      (names) =>
        `Readers, cache or origin were busy nearly all of the time, so these values show the limits of this machine: ${names}. ${lessLoad}`,
    ),
    ...suites.flatMap(late),
    ...trials.filter(isWhole).flatMap(disagreement),
  ];
}

/** A sentence about the names in a list; none without a name. */
function sentenceAbout(names: readonly string[], sentence: (list: string) => string): string[] {
  return names.length === 0 ? [] : [sentence(list.format(names))];
}

/** A reader that waits for a whole file waits at most as long as the origin takes; beyond 1.5 times that, the machine is slow. */
function late(summary: FillSuiteSummary): string[] {
  return sentenceAbout(
    slowRows(summary).map(({ system }) => system),
    (names) =>
      `${summary.title}: bytes arrived later than waiting for a whole file explains, so this machine could not keep up: ${names}. ${lessLoad}`,
  );
}

interface Measured {
  suite: FillSuite;
  rows: readonly FillRow[];
}

/** Why the values of a suite are those of this machine, and not of the systems; null: they are of the systems. */
function limitOf(measured: Measured): string | null {
  const isBusy = measured.rows.some(({ busiest }) => busiest !== null && busiest >= busyShare);
  return isBusy || slowRows(measured).length > 0 ? 'this machine could not keep up' : null;
}

function slowRows({ suite, rows }: Measured): FillRow[] {
  const longestMs = 1.5 * suite.fileMs;
  return rows.filter(({ measures }) => suite.fileMs > 0 && (measures.byteWaitMs ?? 0) > longestMs);
}

/** A request that the cache says it forwarded, in nginx's words or RFC 9211's. */
function wasForwarded(status: string): boolean {
  if (status.startsWith('fwd=')) return !status.includes('collapsed');
  return ['MISS', 'EXPIRED', 'BYPASS', 'REVALIDATED'].includes(status);
}

/** Compares the cache's own statement with the origin's log. A cache without a statement cannot disagree. */
function disagreement({ system, suite, requests, origin }: FillTrial): string[] {
  const told = requests.flatMap(({ cacheStatus }) => cacheStatus ?? []);
  const forwarded = told.filter(wasForwarded).length;
  const isSilent = told.length === 0 || told.length < requests.length;
  if (isSilent || forwarded === origin.requests) return [];
  return [
    `${system}, ${suite}: the cache says that it forwarded ${forwarded} requests, and ${origin.requests} reached the origin.`,
  ];
}
