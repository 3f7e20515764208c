import type { FillRow, FillSuiteSummary } from './suite-summary.ts';
import type { FillTrial } from './trial.ts';

/** From this utilisation on, the event loop itself limits the result. */
const busyShare = 0.9;

const list = new Intl.ListFormat('en', { type: 'conjunction' });

/** Limits of the values of a run, in sentences. */
export function fillWarnings(
  trials: readonly FillTrial[],
  suites: readonly FillSuiteSummary[],
): string[] {
  const rows = suites.flatMap((summary) => summary.rows);
  return [
    ...cutShort(trials),
    ...rows.flatMap(flaggedSentence),
    ...limited(rows),
    ...suites.flatMap(late),
    ...trials.filter((trial) => !trial.cutShort).flatMap(disagreement),
  ];
}

function cutShort(trials: readonly FillTrial[]): string[] {
  const names = trials
    .filter((trial) => trial.cutShort)
    .map(({ system, suite }) => `${system} (${suite})`);
  return names.length === 0
    ? []
    : [`An interrupt or a failure ended ${list.format(names)} early: it is excluded.`];
}

function flaggedSentence({ system, suite, measures }: FillRow): string[] {
  const kinds = Object.entries(measures.flagged).map(([flag, count]) => `${flag} ${count}`);
  return kinds.length === 0
    ? []
    : [
        `${system}, ${suite}: requests flagged and excluded: ${list.format(kinds)}, so its hit rate is unknown.`,
      ];
}

function limited(rows: readonly FillRow[]): string[] {
  const names = rows
    .filter(({ busiest }) => (busiest ?? 0) >= busyShare)
    .map(
      ({ system, suite, busiest }) => `${system} ${suite} (${Math.round(100 * (busiest ?? 0))} %)`,
    );
  return names.length === 0
    ? []
    : [
        `Readers, cache or origin were busy nearly all of the time, so these values show the limits of this machine: ${list.format(names)}. Use fewer --workers or a smaller --size.`,
      ];
}

/** A reader that waits for a whole file waits at most as long as the origin takes; beyond 1.5 times that, the machine is slow. */
function late({ suite, title, rows }: FillSuiteSummary): string[] {
  const longestMs = 1.5 * suite.fileMs;
  const names = rows
    .filter(({ measures }) => suite.fileMs > 0 && (measures.byteWaitMs ?? 0) > longestMs)
    .map(({ system }) => system);
  return names.length === 0
    ? []
    : [
        `${title}: bytes arrived later than waiting for a whole file explains, so this machine could not keep up: ${list.format(names)}. Use fewer --workers or a smaller --size.`,
      ];
}

/** A request that the cache says it forwarded, in nginx's words or RFC 9211's. */
function wasForwarded(status: string): boolean {
  if (status.startsWith('fwd=')) return !status.includes('collapsed');
  return ['MISS', 'EXPIRED', 'BYPASS', 'REVALIDATED'].includes(status);
}

/** Compares the cache's own statement with the origin's log. A cache without a statement cannot disagree. */
function disagreement({ system, suite, requests, origin }: FillTrial): string[] {
  const told = requests.flatMap(({ cacheStatus }) => cacheStatus ?? []);
  if (told.length === 0 || told.length < requests.length) return [];
  const forwarded = told.filter(wasForwarded).length;
  return forwarded === origin.requests
    ? []
    : [
        `${system}, ${suite}: the cache says that it forwarded ${forwarded} requests, and ${origin.requests} reached the origin.`,
      ];
}
