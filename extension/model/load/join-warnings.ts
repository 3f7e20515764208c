import type { Load, Resource } from './load.ts';
import type { ObservedDocument, Watch } from './observation.ts';

/** Warnings for the reader of the load, in sentences. `endMs`: end of its last use, wall clock. */
export function joinWarnings(
  document: ObservedDocument,
  watches: readonly Watch[],
  endMs: number,
  resources: readonly Pick<Resource, 'unpaired'>[],
): Load['warnings'] {
  return [
    ...documentWarnings(document),
    ...gapWarnings(document.startedAtMs, endMs, watches),
    ...pairWarnings(resources),
  ];
}

function pairWarnings(resources: readonly Pick<Resource, 'unpaired'>[]): string[] {
  const count = resources.filter(({ unpaired }) => unpaired !== undefined).length;
  if (count === 0) return [];
  return [
    `${count} rows could not be matched with what another witness saw of the same URL: a request may be listed twice, once for each witness.`,
  ];
}

/**
 * Periods of a load in which a witness did not watch that watched later: its silence there is no evidence. A witness
 * that began after the load never watched it. One that was ended on purpose before the load and chosen again after it
 * looks like one that the browser interrupted.
 */
function gapWarnings(startMs: number, endMs: number, watches: readonly Watch[]): string[] {
  return (['webRequest', 'debugger'] as const).flatMap((depth) => {
    const own = watches
      .filter((watch) => watch.depth === depth)
      .toSorted((one, other) => one.fromMs - other.fromMs);
    const gaps = own.flatMap(({ fromMs }, place) => {
      const before = own[place - 1];
      if (before ? before.toMs === null : fromMs > endMs) return [];
      const from = Math.max(before?.toMs ?? startMs, startMs);
      const to = Math.min(fromMs, endMs);
      return from < to ? [{ from: Math.round(from - startMs), to: Math.round(to - startMs) }] : [];
    });
    const [first, last] = [gaps[0], gaps.at(-1)];
    if (!first || !last) return [];
    const when =
      gaps.length === 1
        ? `from ${first.from} to ${first.to} ms of this load`
        : `${gaps.length} times between ${first.from} and ${last.to} ms of this load`;
    return [`${depth} did not watch ${when}: its evidence for that time is missing.`];
  });
}

function documentWarnings(document: ObservedDocument): string[] {
  const { droppedEntries, refusedObservations = 0, timeOriginMs, startedAtMs } = document;
  const warnings: string[] = [];
  if (timeOriginMs !== undefined && timeOriginMs < startedAtMs) {
    const aheadMs = Math.round(startedAtMs - timeOriginMs);
    warnings.push(
      `The document was prerendered: its time origin is ${aheadMs} ms before it was shown. Times count from activationStart, when it was shown; earlier requests have a start below 0.`,
    );
  }
  if (droppedEntries > 0) {
    warnings.push(
      `${droppedEntries} Resource Timing entries were not kept: the page made more than the browser or Cachescope holds.`,
    );
  }
  if (refusedObservations > 0) {
    warnings.push(
      `${refusedObservations} observations were not kept: the store of loads was full. Delete loads, or reload the page.`,
    );
  }
  return warnings;
}
