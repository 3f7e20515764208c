import { setTimeout as sleep } from 'node:timers/promises';
import type { Load } from '@cachescope/model/load/load.ts';
import type { PageOrigin } from '@cachescope/origin/pageload-server.ts';
import type { PageSite } from '@cachescope/origin/workloads/pageload-site.ts';
import { olderPath, pageProbePath } from '@cachescope/origin/workloads/pageload-urls.ts';
import { pagePath, warmUpPath } from '@cachescope/origin/workloads/urls.ts';
import { type LaunchedBrowser, launchBrowser, type LaunchOptions } from '../../browser/launch.ts';
import { CachescopeError } from '../../error.ts';
import { withTimeLimit } from '../../time-limit.ts';

/**
 * A page without an answer after this time counts as hung, ms. The limit grows with the number of resources and the
 * delay.
 */
const pageLimitMs = 60_000;
/** Serial device reads of one resource before the load counts as hung. */
const mostSerialReads = 20;
/**
 * The page reports its measurements after its load event, when it is idle. Polling interval and time limit for them,
 * ms.
 */
const checkEveryMs = 100;
const storeLimitMs = 15_000;
/** Chromium reads its dictionary metadata asynchronously; a request before that does not advertise a dictionary. */
const probeTries = 25;
const probePauseMs = 200;

/** The origin and the page of a visit. */
export interface Visited {
  origin: PageOrigin;
  site: PageSite;
}

/** The page of a launch from which its entries are read, and what a step in it may take. */
interface ReadingPage {
  tabId: number;
  /** Resolution of the page's clock, ms. */
  timerStepMs: number;
  limitMs: number;
}

/**
 * One browser launch with its cache back end started: the first use initialises the back end, which must not be timed.
 */
export class PageVisit {
  readonly launched: LaunchedBrowser;
  readonly #visited: Visited;
  readonly #page: ReadingPage;

  private constructor(visited: Visited, launched: LaunchedBrowser, page: ReadingPage) {
    this.#visited = visited;
    this.launched = launched;
    this.#page = page;
  }

  /** Resolution of the page's clock, ms. */
  get timerStepMs(): number {
    return this.#page.timerStepMs;
  }

  /** @param delayMs read delay of the device: the time limits grow with it. */
  static async begin(
    visited: Visited,
    options: LaunchOptions,
    delayMs: number,
  ): Promise<PageVisit> {
    const launched = await launchBrowser(options);
    try {
      const resources = visited.site.resources.length;
      const limitMs = pageLimitMs + resources * mostSerialReads * delayMs;
      const url = visited.origin.url + pagePath;
      const opening = launched.instrument.open(url, limitMs);
      const { tabId, timerStepMs } = await Promise.race([opening, launched.crashed]);
      const visit = new PageVisit(visited, launched, { tabId, timerStepMs, limitMs });
      await visit.#read(warmUpPath);
      return visit;
    } catch (error) {
      await launched.close();
      throw error;
    }
  }

  /**
   * Loads the page in its own tab with no debugger attached; settles when the whole page has arrived, or at the time
   * limit. null: the extension reported nothing.
   */
  async load(): Promise<Load | null> {
    const { instrument } = this.launched;
    const { origin, site } = this.#visited;
    const url = origin.url + (site.paths[0] ?? '');
    // The profile keeps the loads of earlier states.
    const earlier = new Set((await instrument.loads()).map(({ id }) => id));
    const { tabId } = await this.#within(
      `Loading ${url}`,
      instrument.open(url, this.#page.limitMs),
    );
    await instrument.watch(tabId, 'page');
    const load = await this.#seen(url, earlier);
    await instrument.close(tabId);
    return load;
  }

  /** The new load of the page, once all its resources are reported; at the time limit, as far as it is reported. */
  async #seen(url: string, earlier: ReadonlySet<string>): Promise<Load | null> {
    const { instrument } = this.launched;
    const { origin, site } = this.#visited;
    const expected = new Set(site.paths.map((path) => origin.url + path));
    const newHead = async () =>
      (await instrument.loads()).find((each) => each.url === url && !earlier.has(each.id));
    let load: Load | null = null;
    const end = performance.now() + storeLimitMs;
    for (; performance.now() < end; await sleep(checkEveryMs)) {
      const head = await newHead();
      if (!head || head.resourceCount < expected.size) continue;
      load = await instrument.load(head.id);
      const whole = load.resources.filter(({ durationMs }) => durationMs !== null);
      const come = new Set(whole.map((resource) => resource.url));
      if (load.loadMs !== null && [...expected].every((each) => come.has(each))) return load;
    }
    const last = await newHead();
    return load ?? (last ? instrument.load(last.id) : null);
  }

  /**
   * Fetches the older version of every script and stylesheet, and waits until Chromium advertises it for the newer one.
   *
   * @throws CachescopeError CS_PAGELOAD_DICTIONARY when Chromium does not advertise one of them.
   */
  async loadDictionaries(): Promise<void> {
    const { origin, site } = this.#visited;
    const all = [...site.resources.entries()].filter(([, { asDictionary }]) => asDictionary);
    for (const [place, resource] of all) await this.#read(olderPath(place, resource));
    let waiting = all;
    for (let attempt = 0; attempt < probeTries; attempt++) {
      const mark = origin.log.mark();
      for (const [place] of waiting) await this.#read(pageProbePath(place, attempt));
      const advertised = new Set(origin.log.since(mark).map((each) => each.availableDictionary));
      waiting = waiting.filter(
        ([, { representations }]) => !advertised.has(representations.dictionary?.sha256 ?? ''),
      );
      if (waiting.length === 0) return;
      await sleep(probePauseMs);
    }
    throw new CachescopeError(
      'CS_PAGELOAD_DICTIONARY',
      `Chromium did not advertise ${waiting.length} of ${all.length} dictionaries in ${probeTries} requests each`,
      {
        hint: 'Dictionaries need Chromium 130 or newer, and the number of dictionaries for a site is limited; --arms plain omits them.',
      },
    );
  }

  /** Closes the browser gracefully, so that its cache is written. */
  end(): Promise<void> {
    return this.launched.close();
  }

  async #read(path: string): Promise<void> {
    const url = this.#visited.origin.url + path;
    const reading = this.launched.instrument.read(this.#page.tabId, { url, settleMs: 0 });
    const { failure, status } = await this.#within(`Reading ${url}`, reading);
    if (failure === undefined && status === 200) return;
    throw new CachescopeError(
      'CS_BROWSER_READ',
      `${url} could not be read: ${failure ?? `status ${status}`}`,
    );
  }

  #within<Value>(step: string, work: Promise<Value>): Promise<Value> {
    return withTimeLimit(step, this.#page.limitMs, Promise.race([work, this.launched.crashed]));
  }
}
