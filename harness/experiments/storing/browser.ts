import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Coding } from '@cachescope/model/coding.ts';
import type { LeftEvidence } from '@cachescope/model/features/evidence.ts';
import type { TimedRuns } from '@cachescope/model/micro/task.ts';
import type { Variant } from '@cachescope/model/run/variant.ts';
import type { Origin } from '@cachescope/origin/server.ts';
import type { Workload } from '@cachescope/origin/workloads/workload.ts';
import { dictionaryPath, probePath } from '@cachescope/origin/workloads/urls.ts';
import { sleep } from 'zx';
import { cacheEntries, type CacheEntry, sqlDatabases } from '../../browser/disk-cache.ts';
import {
  networkServicePid,
  processorMsBetween,
  type ThreadTimes,
  threadTimes,
} from '../../browser/network-service.ts';
import { browserChoice } from '../../browser/settings.ts';
import { CachescopeError } from '../../error.ts';
import { writtenBytes } from '../../sampling/written-bytes.ts';
import type { Watched } from '../../lab/run-session.ts';
import type { Cell } from './cell.ts';
import { MicroBrowser, type MicroPage } from '../micro/browser.ts';
import type { MicroTasks } from '../micro/tasks.ts';

/** What every launch of a run needs. */
export interface StoringLab {
  origin: Origin;
  tasks: MicroTasks;
  /** The responses of the plan. */
  cells: readonly Cell[];
  executablePath: string;
  headful: boolean;
  /** Directory of the profiles and caches. */
  work: string;
  /** Histograms that the evidence of the variants' presets needs. */
  histograms: readonly string[];
  /** Evidence of effect by variant, of its first browser with all entries. */
  evidence: Map<string, LeftEvidence>;
  /** As the session's. */
  watched: <Result>(work: () => Promise<Result>) => Promise<Watched<Result>>;
}

/** The loads of a task: the time of each, and the requests that reached the origin. */
export interface Loads {
  timesMs: number[];
  /** Mean processor time of the network service for one load; null: unknown. */
  processorMs: number | null;
  /** Mean bytes that the network service wrote for one load; null: unknown. */
  writtenBytes: number | null;
  /** Content coding of each request's response. */
  codings: (Coding | null)[];
}

const entryPath = '/micro/entry/1000?key={key}';
const dictionaryLimitMs = 60_000;
const readLimitMs = 600_000;
/** Two equal readings this far apart: the network service has finished its work on the entries. */
const quietMs = 60;
const mostQuietReadings = 50;
/** An idle network service uses at most this much processor time between two readings, ms. */
const mostQuietUseMs = 0.5;

/** A browser with a fresh profile and cache, without the extension, and two pages with nothing attached. */
export class StoringBrowser implements AsyncDisposable {
  readonly browser: MicroBrowser;
  /** Process id; null: unknown. */
  readonly networkService: number | null;
  /** The page that loads responses. */
  readonly page: MicroPage;
  /**
   * The page that sends other requests. Its site is another one: the six connections to a host, which the loads fill,
   * belong to a site.
   */
  readonly other: MicroPage;
  readonly #lab: StoringLab;
  readonly #directory: string;
  #freeKey = 0;

  private constructor(
    lab: StoringLab,
    directory: string,
    browser: MicroBrowser,
    [page, other]: [MicroPage, MicroPage],
  ) {
    this.#lab = lab;
    this.#directory = directory;
    this.browser = browser;
    this.page = page;
    this.other = other;
    this.networkService = browser.pid === null ? null : networkServicePid(browser.pid);
  }

  /** Launches a variant with a cache of this limit. A browser of the same name that was closed left its profile and cache. */
  static async launch(
    lab: StoringLab,
    name: string,
    variant: Variant,
    cacheBytes: number,
  ): Promise<StoringBrowser> {
    const directory = join(lab.work, name);
    const [profileDirectory, cacheDirectory] = [join(directory, 'p'), join(directory, 'cache')];
    await mkdir(profileDirectory, { recursive: true });
    await mkdir(cacheDirectory, { recursive: true });
    const { executablePath = lab.executablePath, extra } = browserChoice({
      ...variant,
      cacheBytes,
    });
    const { headful } = lab;
    const choice = { executablePath, profileDirectory, cacheDirectory, headful, extra };
    const browser = await MicroBrowser.launch(choice);
    try {
      const { url } = lab.origin;
      const page = await browser.open(url, lab.tasks, 'disk');
      const other = await browser.open(url.replace('127.0.0.1', 'localhost'), lab.tasks, 'disk');
      return new StoringBrowser(lab, directory, browser, [page, other]);
    } catch (error) {
      await browser.close();
      throw error;
    }
  }

  /** Reserves keys that no load of this browser has used; returns the first. */
  freshKeys(count: number): number {
    this.#freeKey += count;
    return this.#freeKey - count;
  }

  /** Loads a dictionary, and waits until Chromium advertises it, which it does asynchronously. */
  async holdDictionary({ name, dictionarySha256 }: Workload): Promise<void> {
    const { log } = this.#lab.origin;
    await this.#read(dictionaryPath(name), 1);
    for (let attempt = 0; attempt * quietMs < dictionaryLimitMs; attempt++) {
      const mark = log.mark();
      await this.#read(probePath(name, attempt), 1);
      if (log.since(mark).some((each) => each.availableDictionary === dictionarySha256)) return;
      await sleep(quietMs);
    }
    throw new CachescopeError(
      'CS_FILL_DICTIONARY',
      `Chromium did not advertise the dictionary of ${name} within ${dictionaryLimitMs / 1000} s`,
      { hint: 'Dictionaries need Chromium 130 or newer.' },
    );
  }

  /** Loads the responses with these keys, one after another; `warmUp` more before them are not timed. */
  async load(path: string, from: number, count: number, warmUp = 0): Promise<Loads> {
    const { log } = this.#lab.origin;
    if (warmUp > 0) await this.#read(path, warmUp, from + count);
    const mark = log.mark();
    const before = await this.#quietTimes();
    const written = this.#written();
    const timed = await this.#read(path, count, from);
    const after = await this.#quietTimes();
    const usedMs = processorMsBetween(before, after);
    const writtenNow = this.#written();
    return {
      timesMs: timesOf(timed),
      processorMs: usedMs === null ? null : usedMs / count,
      writtenBytes: written === null || writtenNow === null ? null : (writtenNow - written) / count,
      codings: requestsOf(log.since(mark)),
    };
  }

  #written(): number | null {
    return this.networkService === null ? null : writtenBytes(this.networkService);
  }

  /** Reads a response once, untimed. @returns the content coding of each request's response; empty: a hit. */
  async read(path: string): Promise<(Coding | null)[]> {
    const { log } = this.#lab.origin;
    const mark = log.mark();
    await this.#read(path, 1);
    return requestsOf(log.since(mark));
  }

  /**
   * Loads responses at the same time. `stride` 0: all have one key, so that they are readers of one response.
   *
   * @returns the content coding of each request's response.
   */
  async loadAtOnce(path: string, count: number, stride: 0 | 1): Promise<(Coding | null)[]> {
    const { log } = this.#lab.origin;
    const mark = log.mark();
    const keys = { from: this.freshKeys(count), count, stride };
    await this.page.perform({ kind: 'populate', cache: 'disk', url: path, keys, parallel: count });
    return requestsOf(log.since(mark));
  }

  #read(url: string, count: number, from = 0, page = this.page): Promise<TimedRuns | null> {
    return this.#time('read', url, { from, count }, page);
  }

  #time(
    action: 'read' | 'search' | 'clear',
    url: string,
    { from, count }: { from: number; count: number },
    page = this.page,
  ): Promise<TimedRuns | null> {
    return page.perform(
      {
        kind: 'time',
        cache: 'disk',
        action,
        url,
        keys: { from, count, stride: 1 },
        timeMs: readLimitMs,
        mostRuns: count,
        warmUpRuns: 0,
        mayBatch: false,
      },
      readLimitMs,
    );
  }

  /** Stores small responses with the keys from 0 on. */
  async storeEntries(count: number): Promise<void> {
    const keys = { from: 0, count, stride: 1 };
    await this.page.perform(
      { kind: 'populate', cache: 'disk', url: entryPath, keys, parallel: 6 },
      readLimitMs,
    );
  }

  /** Looks for some keys in the cache alone: the time of each, and how many were there. */
  async search(from: number, count: number): Promise<{ timesMs: number[]; found: number }> {
    const timed = await this.#time('search', entryPath, { from, count });
    return { timesMs: timesOf(timed), found: timed?.found ?? 0 };
  }

  /** Empties the cache; the time of that, ms. */
  async clear(): Promise<number[]> {
    return timesOf(await this.#time('clear', entryPath, { from: 0, count: 1 }));
  }

  /** Times of a few small requests of the other page that are never stored, ms. */
  async otherTimes(count: number): Promise<number[]> {
    return timesOf(await this.#read('/micro/entry/1000?key={key}&store=no', count, 0, this.other));
  }

  /** Processor time of the network service once it is idle; null: unknown, or it never was. */
  async #quietTimes(): Promise<ThreadTimes | null> {
    const pid = this.networkService;
    if (pid === null) return null;
    let last = threadTimes(pid);
    for (let reading = 0; reading < mostQuietReadings; reading++) {
      await sleep(quietMs);
      const now = threadTimes(pid);
      const usedMs = processorMsBetween(last, now);
      if (usedMs !== null && usedMs < mostQuietUseMs) return now;
      last = now;
    }
    return null;
  }

  /** Closes the browser; what shows that feature presets are in effect. */
  async closeForEvidence(): Promise<LeftEvidence> {
    const { histograms: names } = this.#lab;
    const histograms = names.length === 0 ? {} : await this.browser.counts(names).catch(() => null);
    await this.browser.close();
    return { databases: await sqlDatabases(join(this.#directory, 'cache')), histograms };
  }

  /** Closes the browser; the entries that it stored, by path and query. */
  async close(): Promise<Map<string, CacheEntry>> {
    await this.browser.close();
    const entries = await cacheEntries(join(this.#directory, 'cache'));
    const { url } = this.#lab.origin;
    return new Map([...entries].map(([key, entry]) => [key.replace(url, ''), entry]));
  }

  /** Closes the browser where it still runs, and removes its files. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.browser.close();
    await rm(this.#directory, { recursive: true, force: true, maxRetries: 5 });
  }
}

/**
 * Number of stored responses in the entries of a closed browser. null: the cache, which holds at least the dictionary,
 * could not be read.
 */
export function responsesIn(entries: ReadonlyMap<string, CacheEntry>): number | null {
  if (entries.size === 0) return null;
  return [...entries.keys()].filter((path) => path.includes('load=')).length;
}

function timesOf(timed: TimedRuns | null): number[] {
  if (!timed) throw new Error('a page returned no times');
  const { batchUs, counts } = timed;
  return batchUs.flatMap((us, index) =>
    Array.from({ length: counts[index] ?? 0 }, () => us / 1000),
  );
}

function requestsOf(log: readonly { path: string; contentCoding: Coding | null }[]) {
  return log.filter(({ path }) => path.includes('load=')).map((each) => each.contentCoding);
}
