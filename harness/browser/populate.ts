import { type Coding, dictionaryCodings } from '@cachescope/model/coding.ts';
import type { ReadResult } from '@cachescope/model/load/messages.ts';
import type { StoredEntry } from '@cachescope/model/sweep/run.ts';
import type { Origin } from '@cachescope/origin/server.ts';
import {
  dictionaryPath,
  pagePath,
  probePath,
  resourcePath,
  warmUpPath,
} from '@cachescope/origin/workloads/urls.ts';
import type { Workload } from '@cachescope/origin/workloads/workload.ts';
import { sleep } from 'zx';
import { CachescopeError } from '../error.ts';
import { withTimeLimit } from '../time-limit.ts';
import { histogramCounts } from './cache-histograms.ts';
import { cacheEntries } from './disk-cache.ts';
import { launchBrowser, type LaunchedBrowser, type LaunchOptions } from './launch.ts';
import { readUntilStored, type StoredRead } from './stored-read.ts';

/** Chromium reads its dictionary metadata asynchronously; a request before that does not advertise a dictionary. */
const probeLimitMs = 60_000;
const probePauseMs = 200;
/** Time limit for a page to respond, ms; after it the page counts as hung. */
const readLimitMs = 60_000;

/** A workload, and the arms to store in the cache. */
export interface CachedWorkload {
  workload: Workload;
  arms: readonly Coding[];
}

/** The entry that an arm left in the cache, and its workload. */
export type PopulatedEntry = StoredEntry & { workload: string };

type UnsizedEntry = Omit<PopulatedEntry, 'storedBytes'>;

interface Target {
  browser: LaunchedBrowser;
  tabId: number;
  origin: Origin;
  workload: Workload;
}

async function readOnce(target: Target, path: string): Promise<ReadResult> {
  const url = target.origin.url + path;
  const reading = target.browser.instrument.read(target.tabId, { url, settleMs: 0 });
  const answer = Promise.race([reading, target.browser.crashed]);
  const result = await withTimeLimit(`Reading ${url}`, readLimitMs, answer);
  if (result.status === 200 && result.failure === undefined) return result;
  throw new CachescopeError(
    'CS_FILL_STATUS',
    result.failure === undefined
      ? `${url} returned status ${result.status}, not 200`
      : `${url} could not be read: ${result.failure}`,
  );
}

async function loadDictionary(target: Target): Promise<void> {
  await readOnce(target, dictionaryPath(target.workload.name));
  const end = Date.now() + probeLimitMs;
  for (let attempt = 0; Date.now() < end; attempt++) {
    const mark = target.origin.log.mark();
    await readOnce(target, probePath(target.workload.name, attempt));
    const advertised = target.origin.log.since(mark).map((entry) => entry.availableDictionary);
    if (advertised.includes(target.workload.dictionarySha256)) return;
    await sleep(probePauseMs);
  }
  throw new CachescopeError(
    'CS_FILL_DICTIONARY',
    `Chromium did not advertise the dictionary of ${target.workload.name} within ${probeLimitMs / 1000} s`,
    {
      hint: 'See chrome://net-internals/#sharedDictionary; dictionaries need Chromium 130 or newer.',
    },
  );
}

/**
 * Reads an arm's response until Chromium answers from its cache. It may refuse to store a response: for example, one
 * whose encoded form is longer than its body looks truncated to it.
 */
async function storeArm(target: Target, arm: Coding): Promise<StoredRead<UnsizedEntry>> {
  const stored = await readUntilStored(() => readFromOrigin(target, arm));
  if (stored) return stored;
  const path = resourcePath(target.workload.name, arm);
  throw new CachescopeError('CS_FILL_NOT_STORED', `Chromium did not keep ${path} in its cache`, {
    hint: 'Choose another resource: it must be larger than its encoded form, and at most an eighth of the cache.',
  });
}

/** Reads an arm's response once; null: no request reached the origin. */
async function readFromOrigin(target: Target, arm: Coding): Promise<UnsizedEntry | null> {
  const path = resourcePath(target.workload.name, arm);
  const mark = target.origin.log.mark();
  const result = await readOnce(target, path);
  if (result.bodySha256 !== target.workload.resourceSha256) {
    throw new CachescopeError(
      'CS_FILL_BODY',
      `${path} arrived with different bytes (SHA-256 ${result.bodySha256})`,
    );
  }
  const served = target.origin.log.since(mark).find((entry) => entry.path === path);
  if (!served) return null;
  if (served.contentCoding !== arm) {
    throw new CachescopeError(
      'CS_FILL_CODING',
      `${path} was served with the content coding ${served.contentCoding ?? 'unknown'}; the arm needs ${arm}`,
    );
  }
  if (served.bodyBytes === null) {
    throw new CachescopeError('CS_FILL_CODING', `${path} was not sent to its end`);
  }
  const { name } = target.workload;
  const { bodyBytes: wireBytes } = served;
  return { arm, workload: name, url: path, wireBytes, decodedBytes: result.bodyBytes };
}

/**
 * Populates a fresh cache: the dictionaries, every arm's response, and one unrelated entry that later launches use to
 * warm up. The browser is closed at the end, so that everything is on disk.
 *
 * @param histograms Names of histograms to read at the end.
 * @returns the entry of each arm in the cache.
 * @throws CachescopeError CS_FILL_* when Chromium or the origin did not behave as the arm requires.
 */
export async function populateCache(
  options: LaunchOptions,
  origin: Origin,
  workloads: readonly CachedWorkload[],
  histograms: readonly string[] = [],
): Promise<{
  stored: PopulatedEntry[];
  version: string;
  flags: string[];
  timerStepMs: number | null;
  /** A sentence for each response that Chromium requested again although it had it. */
  warnings: string[];
  /** The number of values in each of `histograms`; null: they could not be read. */
  counts: Record<string, number> | null;
}> {
  const browser = await launchBrowser(options);
  const entries: UnsizedEntry[] = [];
  const warnings: string[] = [];
  let timerStepMs: number | null = null;
  let counts: Record<string, number> | null = {};
  try {
    const opening = browser.instrument.open(origin.url + pagePath);
    const page = await Promise.race([opening, browser.crashed]);
    timerStepMs = page.timerStepMs;
    for (const [index, { workload, arms }] of workloads.entries()) {
      const target = { browser, tabId: page.tabId, origin, workload };
      if (index === 0) await readOnce(target, warmUpPath);
      if (arms.some((arm) => dictionaryCodings.includes(arm))) await loadDictionary(target);
      for (const arm of arms) {
        const { served, storingReads } = await storeArm(target, arm);
        entries.push(served);
        if (storingReads > 1) warnings.push(requestedAgain(served.url, storingReads));
      }
    }
    if (histograms.length > 0)
      counts = await histogramCounts(browser.browser, histograms).catch(() => null);
  } finally {
    await browser.close();
  }
  const files = await cacheEntries(options.cacheDirectory);
  const stored = entries.map((entry) => ({
    ...entry,
    storedBytes: files.get(origin.url + entry.url)?.storedBytes ?? null,
  }));
  return { stored, version: browser.version, flags: browser.flags, timerStepMs, warnings, counts };
}

function requestedAgain(url: string, storingReads: number): string {
  return `Chromium requested ${url} ${storingReads} times before it answered from its cache.`;
}
