import type { CacheHistograms } from '@cachescope/model/run/cache-histograms.ts';
import type { Browser } from 'puppeteer-core';
import { withTimeLimit } from '../time-limit.ts';
import { browserSession, withTarget } from './targets.ts';

/** ENTRY_USED of HttpCache.Pattern (chromium net/http/http_cache_transaction.h). */
const entryUsed = 3;
const limitMs = 60_000;

/**
 * Runs in chrome://histograms: makes the browser merge the histograms of all its processes. Settles when they are
 * merged.
 */
const merge = `import('chrome://resources/js/cr.js').then(({ sendWithPromise }) =>
  sendWithPromise('requestHistograms', 'HttpCache.Pattern', true)).then(() => true)`;

interface Histogram {
  name: string;
  sum: number;
  count: number;
  buckets: { low: number; high: number; count: number }[];
}

/**
 * The number of values in histograms since the browser started, by name; 0: none. Nothing may be timed meanwhile.
 */
export async function histogramCounts(
  browser: Browser,
  names: readonly string[],
): Promise<Record<string, number>> {
  return withHistograms(browser, async (histogramsOf) => {
    const counts: Record<string, number> = {};
    for (const name of names)
      counts[name] = (await histogramsOf(name)).find((each) => each.name === name)?.count ?? 0;
    return counts;
  });
}

/**
 * The histograms of the HTTP cache since the browser started. The network service counts them in its own memory, and
 * Browser.getHistograms returns only those of the browser process until they are merged; opening chrome://histograms
 * merges them (observed in Chromium 156). It starts a renderer, so nothing may be timed meanwhile.
 */
export async function readCacheHistograms(browser: Browser): Promise<CacheHistograms> {
  return withHistograms(browser, async (histogramsOf) =>
    cacheHistogramsOf(await histogramsOf('HttpCache.')),
  );
}

/** Merges the histograms, and gives access to those whose name contains a text. */
async function withHistograms<Result>(
  browser: Browser,
  read: (histogramsOf: (query: string) => Promise<readonly Histogram[]>) => Promise<Result>,
): Promise<Result> {
  const root = await browserSession(browser);
  const url = 'chrome://histograms';
  const { targetId } = await root.send('Target.createTarget', { url, background: true });
  try {
    await withTimeLimit(
      'Reading chrome://histograms',
      limitMs,
      withTarget(root, targetId, async (session) => {
        for (let isMerged = false; !isMerged;) {
          const { result } = await session.send('Runtime.evaluate', {
            // The page is not available at once.
            expression: `location.href.startsWith(${JSON.stringify(url)}) && document.readyState === 'complete' && ${merge}`,
            awaitPromise: true,
            returnByValue: true,
          });
          isMerged = result.value === true;
        }
      }),
    );
    return await read(async (query) => {
      const { histograms } = await root.send('Browser.getHistograms', { query });
      return histograms;
    });
  } finally {
    await root.send('Target.closeTarget', { targetId });
    await root.detach();
  }
}

function cacheHistogramsOf(histograms: readonly Histogram[]): CacheHistograms {
  const named = (name: string) => histograms.find((each) => each.name === name);
  const pattern = named('HttpCache.Pattern');
  const hits = pattern?.buckets.find(({ low }) => low === entryUsed)?.count ?? 0;
  const times = (name: string) => {
    const { count = 0, sum: sumMs = 0 } = named(name) ?? {};
    return { count, sumMs };
  };
  return {
    hits,
    others: (pattern?.count ?? 0) - hits,
    contentBytes: named('HttpCache.Experimental.Read.EntryContentSize')?.buckets ?? [],
    open: times('HttpCache.OpenDiskEntry'),
    used: times('HttpCache.AccessToDone2.Used'),
  };
}
