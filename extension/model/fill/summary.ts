import { greatest } from '../extremes.ts';
import { answersTo } from './answers.ts';
import { compareSystems } from './comparison.ts';
import { idealByteWaitMs, measuresOf } from './measures.ts';
import { type FillSuite, type FillSystem, suiteTitle } from './plan.ts';
import type { FillQuestion } from './question.ts';
import type { FillLine, FillRun } from './run.ts';
import type { FillRow, FillSuiteSummary } from './suite-summary.ts';
import type { FillTrial } from './trial.ts';
import { fillWarnings } from './warnings.ts';
import { digits, seconds, unknownText } from '../quantity.ts';

/** Result of a run of concurrent fills. */
export interface FillSummary {
  suites: FillSuiteSummary[];
  /** The questions about the browser's cache, with their answers. */
  answers: { name: FillQuestion['name']; sentences: string[] }[];
  /** The result in sentences, the most important first. */
  finding: string[];
  /** Limits of the result, in sentences. */
  warnings: string[];
}

/** Summarizes a run. Trials that were cut short are excluded. */
export function summarizeFill(run: FillRun, lines: readonly FillLine[]): FillSummary {
  const trials = lines.filter((line) => line.kind === 'trial');
  const questions = lines.filter((line) => line.kind === 'question');
  const whole = trials.filter(({ cutShort }) => !cutShort);
  const suites = run.plan.suites
    .map((suite) => summarizeSuite(run, suite, whole))
    .filter(({ rows }) => rows.length > 0);
  const answers = questions.map((question) => ({
    name: question.name,
    sentences: answersTo(question, questions),
  }));
  return {
    suites,
    answers,
    finding: findingOf(suites),
    warnings: fillWarnings(trials, suites),
  };
}

function summarizeSuite(
  { plan }: FillRun,
  suite: FillSuite,
  trials: readonly FillTrial[],
): FillSuiteSummary {
  const own = trials.filter((trial) => trial.suite === suite.name);
  const rows = plan.systems.flatMap((system) => {
    const taken = own.filter((trial) => trial.system === system);
    return taken.length === 0 ? [] : [rowOf(suite, system, taken)];
  });
  return {
    suite,
    title: suiteTitle(suite),
    idealByteWaitMs: idealByteWaitMs(suite.fileMs, plan.chunkHz),
    rows,
    comparisons: compareSystems(own, suite, plan.seed),
  };
}

function rowOf(suite: FillSuite, system: FillSystem, trials: readonly FillTrial[]): FillRow {
  const shares = trials.flatMap(({ busy }) =>
    [busy.client, busy.cache, busy.origin].filter((share) => share !== null),
  );
  return {
    system,
    suite: suite.name,
    trials: trials.length,
    contexts: trials[0]?.contexts ?? null,
    measures: measuresOf(trials),
    busiest: shares.length === 0 ? null : greatest(shares),
  };
}

/** Up to this many requests per file count as one: a shared fill. */
const onceMost = 1.05;

const list = new Intl.ListFormat('en', { type: 'conjunction' });

/** A share as a percentage; unknown for null. */
export function percentText(share: number | null): string {
  return share === null ? unknownText : `${(100 * share).toFixed(2)} %`;
}

/** Slowest origin first: there the cache matters most. */
function findingOf(suites: readonly FillSuiteSummary[]): string[] {
  const slowestFirst = suites.toSorted((a, b) => b.suite.fileMs - a.suite.fileMs);
  const sentences = slowestFirst.flatMap((summary) => [bestOf(summary), askedOf(summary)]);
  return sentences.length === 0 ? ['Nothing was measured.'] : sentences;
}

/** The cache whose readers waited least for their bytes. Direct access to the origin is excluded: there is no cache. */
function bestOf({ title, rows, idealByteWaitMs: idealMs }: FillSuiteSummary): string {
  const known = rows.filter(
    ({ system, measures }) => system !== 'origin' && measures.byteWaitMs !== null,
  );
  const sorted = known.toSorted(
    (a, b) => (a.measures.byteWaitMs ?? 0) - (b.measures.byteWaitMs ?? 0),
  );
  const [best, ...others] = sorted;
  if (!best) return `${title}: no cache was measured.`;
  const worst = others.at(-1);
  const ideal = idealMs > 0 ? ` (the origin sends them after ${seconds(idealMs)})` : '';
  const most = worst
    ? `, the longest behind ${worst.system}, ${seconds(worst.measures.byteWaitMs)}`
    : '';
  return `${title}: the byte wait was shortest behind ${best.system}, ${seconds(best.measures.byteWaitMs)} on average${ideal}, with the first byte after ${seconds(best.measures.firstByteMs.mean)}${most}.`;
}

/**
 * Requests to the origin for one file: 1 when a cache serves all readers from one response. A row with flagged requests is
 * excluded: a request that failed before it reached the origin would look shared.
 */
function askedOf({ title, rows }: FillSuiteSummary): string {
  const caches = rows
    .filter(({ system, measures }) => system !== 'origin' && measures.hitRate !== null)
    .map(({ system, measures }) => ({ system, times: measures.originRequests / measures.files }));
  const once = caches.filter(({ times }) => times <= onceMost).map(({ system }) => system);
  const more = caches
    .filter(({ times }) => times > onceMost)
    .map(({ system, times }) => `${digits(times)} (${system})`);
  const parts = [...(once.length > 0 ? [`1 (${list.format(once)})`] : []), ...more];
  return `${title}: requests to the origin for each file: ${parts.join(', ') || 'unknown'}.`;
}
