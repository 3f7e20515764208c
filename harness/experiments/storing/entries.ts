import type { Variant } from '@cachescope/model/run/variant.ts';
import { StoringBrowser, type StoringLab } from './browser.ts';
import { type Reading, readingOf } from './cell.ts';
import { ampleBytes } from './launch-size.ts';

/** Body of each entry, bytes. */
export const entryBytes = 1000;
/** Searches for keys that are absent, and the keys that a start looks for. */
const [searches, startSearches] = [200, 1];

/**
 * A cache with many small entries: the time to find out that an entry is absent, to start the browser up to a hit, and to
 * empty the cache.
 */
export async function takeEntries(
  lab: StoringLab,
  { name, variant, entries }: { name: string; variant: Variant; entries: number },
): Promise<Reading[]> {
  const seat = { variant: variant.name };
  const cell = { body: 'random', bytes: entryBytes, coding: 'identity' } as const;
  await using first = await StoringBrowser.launch(lab, name, variant, ampleBytes);
  await first.storeEntries(entries);
  const absent = await first.search(entries, searches);
  await first.close();
  const startedMs = performance.now();
  await using again = await StoringBrowser.launch(lab, name, variant, ampleBytes);
  const present = await again.search(0, startSearches);
  const startMs = performance.now() - startedMs;
  const clearMs = await again.clear();
  const left = await again.search(0, startSearches);
  return [
    readingOf(seat, cell, 'miss-time', absent.found === 0 ? absent.timesMs : []),
    readingOf(seat, cell, 'start-time', present.found === startSearches ? [startMs] : []),
    readingOf(seat, cell, 'clear-time', left.found === 0 ? clearMs : []),
  ];
}
