import { firstLoadFlags } from '@cachescope/model/explain/first-load.ts';
import { attribute } from '@cachescope/model/attribution/cache-source.ts';
import type { ReadResult } from '@cachescope/model/load/messages.ts';
import {
  histogramDisagreements,
  type LaunchHistograms,
} from '@cachescope/model/run/cache-histograms.ts';
import type { Residency } from '@cachescope/model/run/page-cache-state.ts';
import type { Attribution, Cell, Sample } from '@cachescope/model/run/sample.ts';
import { disagreements } from '@cachescope/model/run/witnesses.ts';
import {
  firstLoadPath,
  pagePath,
  resourcePath,
  warmUpPath,
} from '@cachescope/origin/workloads/urls.ts';
import type { Browser } from 'puppeteer-core';
import { readCacheHistograms } from '../../browser/cache-histograms.ts';
import { coldRead, pageCachePreparation, preparePageCache } from '../../browser/cold-read.ts';
import { type LaunchedBrowser, launchBrowser } from '../../browser/launch.ts';
import { networkServicePid } from '../../browser/network-service.ts';
import { watchRead } from '../../browser/watched-read.ts';
import type { PopulatedPlace, Lab } from '../../lab/lab.ts';
import { withTimeLimit } from '../../time-limit.ts';

/**
 * Quiet time in the page before a timed read starts, ms: enough to process the message that requests the read. After a
 * longer quiet time, threads and processor go idle, which made cached reads of 1 KB slower (1.1 ms after 2 ms, 2.2 ms
 * after 20 ms).
 */
const settleMs = 2;
/**
 * A page without an answer after this time counts as hung, ms. The limit grows with the delay, because reads wait for
 * it.
 */
const readLimitMs = 60_000;
/** A page that has not opened after this time counts as lost, ms. */
const openLimitMs = 60_000;
/** Body size of the entry that warms up the cache, bytes. */
const warmUpBytes = 5;
/** Assumed maximum of serial device reads in one cached read: several times the maximum seen (14). */
const mostSerialReads = 60;

/** A sample from a visit; the run numbers it. */
export type TakenSample = Omit<Sample, 'sequence' | 'launch' | 'attempt' | 'pass'>;

/** An open browser and its page. */
interface Opened {
  lab: Lab;
  place: PopulatedPlace;
  browser: LaunchedBrowser;
  tabId: number;
  networkService: number | null;
  prepare: () => Promise<Residency | null>;
}

/** One browser launch on one place, ready for cold reads: an isolated page is open and the cache back end has started. */
export class Visit {
  readonly #at: Opened;
  /** The number of reads that the cache should have answered, and the paths of their entries. */
  #reads = 0;
  /** Those of them that the network answered. */
  #fallbacks = 0;
  readonly #urls = new Set<string>();

  private constructor(at: Opened) {
    this.#at = at;
  }

  /** @param delayMs the disk's read delay: the time limits grow with it. */
  static async begin(lab: Lab, place: PopulatedPlace, delayMs: number): Promise<Visit> {
    const browser = await launchBrowser(place.launch);
    try {
      const limitMs = openLimitMs + mostSerialReads * delayMs;
      const opening = browser.instrument.open(lab.origin.url + pagePath, limitMs);
      const { tabId } = await Promise.race([opening, browser.crashed]);
      const prepare = pageCachePreparation(place, lab.state, lab.privilege);
      const pid = browser.browser.process()?.pid;
      const networkService = pid === undefined ? null : networkServicePid(pid);
      const visit = new Visit({ lab, place, browser, tabId, networkService, prepare });
      // The cache back end initialises at its first use, which must not be a timed read.
      const mark = lab.origin.log.mark();
      await visit.#read(lab.origin.url + warmUpPath, 0, delayMs);
      const isHit = lab.origin.log.since(mark).every(({ path }) => path !== warmUpPath);
      if (isHit) visit.#reads = 1;
      return visit;
    } catch (error) {
      await browser.close();
      throw error;
    }
  }

  /** One timed read with no debugger attached to the page. */
  async timedRead(cell: Cell): Promise<TakenSample> {
    return this.#take('timed', cell, (url) =>
      this.#read(url, settleMs, cell.delayMs).then((result) => ({ result })),
    );
  }

  /**
   * One confirmation read with the debugger attached, to confirm the source; its time is excluded from the statistics.
   */
  async confirmationRead(cell: Cell): Promise<TakenSample> {
    return this.#take('companion', cell, async (url) => {
      const pageUrl = this.#at.lab.origin.url + pagePath;
      const { result, network } = await watchRead(this.browser, pageUrl, url, () =>
        this.#read(url, settleMs, cell.delayMs),
      );
      const page = { timing: result.timing };
      return { result, attribution: attribute({ page, ...(network && { debugger: network }) }) };
    });
  }

  /**
   * One timed load from the network, of a URL that was never requested before, with the page cache dropped. A
   * dictionary that the response needs must be read from its storage, once per launch. Chromium should know its
   * dictionaries by now; if not, the response comes without a dictionary and is flagged.
   */
  async firstLoad(cell: Cell, number: number): Promise<TakenSample> {
    const { lab, place } = this.#at;
    const { origin, privilege } = lab;
    const workload = lab.workloadOf(cell);
    const path = firstLoadPath(workload.name, cell.arm, number);
    const takenAt = new Date().toISOString();
    const mark = origin.log.mark();
    const { result, originRequests, device, evictionMs } = await coldRead(
      { origin, disk: place.disk, prepare: () => preparePageCache(place, 'cold', privilege) },
      path,
      () => this.#read(origin.url + path, settleMs, cell.delayMs),
    );
    const answer = origin.log.since(mark).find((entry) => entry.path === path);
    const { attribution, readMs, timing, bodyBytes, bodySha256 } = result;
    const evidence = { attribution, originRequests, device, bodySha256, evictionMs };
    const seen = { originRequests, bodySha256, coding: answer?.contentCoding ?? null };
    const flags = firstLoadFlags(seen, cell.arm, workload.resourceSha256);
    return { cell, takenAt, kind: 'first load', readMs, timing, bodyBytes, ...evidence, flags };
  }

  /** The browser, for witnesses that watch all of it; they must not touch its pages. */
  get browser(): Browser {
    return this.#at.browser.browser;
  }

  /**
   * One read between two marks of User Timing, for a trace; the caller evicts the page cache. Its time is excluded from
   * the statistics.
   */
  async markedRead(cell: Cell, path: string): Promise<ReadResult> {
    return this.#read(this.#at.lab.origin.url + path, settleMs, cell.delayMs, true);
  }

  /**
   * The browser's histograms of this launch, and where they disagree with its reads; to be called after the last timed
   * read. Where reads of the disk fail on purpose, the network may answer a read.
   */
  async histograms({ badReads = false } = {}): Promise<Omit<LaunchHistograms, 'launch'>> {
    const told = await readCacheHistograms(this.browser);
    const reads = this.#reads;
    const stored = this.#at.place.stored.filter(({ url }) => this.#urls.has(url));
    const storedBytes = [warmUpBytes, ...stored.map((entry) => entry.storedBytes)];
    const known = { reads, storedBytes, fallbacks: badReads ? this.#fallbacks : 0 };
    return { ...told, reads, disagreements: histogramDisagreements(told, known) };
  }

  /** Closes the browser. */
  async end(): Promise<void> {
    await this.#at.browser.close();
  }

  #read(url: string, settle: number, delayMs: number, marks = false): Promise<ReadResult> {
    const request = { url, settleMs: settle, ...(marks && { marks }) };
    const { browser, tabId } = this.#at;
    const read = browser.instrument.read(tabId, request);
    const limitMs = readLimitMs + mostSerialReads * delayMs;
    return withTimeLimit(`Reading ${url}`, limitMs, Promise.race([read, browser.crashed]));
  }

  async #take(
    kind: Sample['kind'],
    cell: Cell,
    read: (url: string) => Promise<{ result: ReadResult; attribution?: Attribution }>,
  ): Promise<TakenSample> {
    const { lab, place, networkService, prepare } = this.#at;
    const { origin, state } = lab;
    const { disk } = place;
    const workload = lab.workloadOf(cell);
    const path = resourcePath(workload.name, cell.arm);
    this.#reads++;
    this.#urls.add(path);
    let watched: Attribution | undefined;
    const takenAt = new Date().toISOString();
    const { result, originRequests, device, evictionMs, networkServiceMs, residency } =
      await coldRead({ origin, disk, prepare, networkService }, path, async () => {
        const taken = await read(origin.url + path);
        watched = taken.attribution;
        return taken.result;
      });
    if (originRequests > 0) this.#fallbacks++;
    const attribution = watched ?? result.attribution;
    const { readMs, timing, bodyBytes, bodySha256 } = result;
    const seen = { attribution, originRequests, device, networkServiceMs, bodySha256 };
    const evidence = { ...seen, ...(residency && { residency }) };
    const flags = disagreements(evidence, {
      state,
      sha256: workload.resourceSha256,
      storedBytes: place.stored.find(({ url }) => url === path)?.storedBytes ?? null,
    });
    return { cell, takenAt, kind, readMs, timing, bodyBytes, ...evidence, evictionMs, flags };
  }
}
