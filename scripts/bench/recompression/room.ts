import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recompressed } from '@cachescope/model/sweep/recompressed.ts';
import type { Browser, Page } from 'puppeteer-core';
import { setTimeout as sleep } from 'node:timers/promises';
import { closeBrowser, killBrowser } from '../../../harness/browser/browser-exit.ts';
import { cacheEntries } from '../../../harness/browser/disk-cache.ts';
import { findChromium } from '../../../harness/browser/find.ts';
import { startIn } from '../../../harness/browser/start.ts';
import { type Asked, type BodyName, boundsOf, type FixOrigin, sha256 } from './origin.ts';

/** A browser that has a dictionary advertises it within this many requests. */
const mostProbes = 100;

/** The page's word for a body with other bytes than its status promises, by SHA-256. */
export const wrongBytes = 'WRONG BYTES';

/** The page's result of one read. */
export interface Read {
  /** `whole`, `bytes=1000-1999`, `nothing`, `aborted`, `failed: TypeError`, or wrong bytes. */
  body: string;
  status: number | null;
  /** Source by Resource Timing: network, cache, or revalidated. */
  source: string;
  /** The header X-Time: how many requests the origin had received when it wrote these fields. */
  time: string | null;
}

interface RawRead extends Omit<Read, 'body'> {
  sha: string | null;
  failure: string | null;
}

/** Parameters of a read: the options of fetch(), and the number of bytes after which the page aborts. */
export interface How {
  init?: Record<string, unknown>;
  abortAfterBytes?: number;
  /** The expected body, `text` by default; `any` is not checked. */
  body?: BodyName | 'any';
  /** True: the read is a match in Cache Storage in place of a fetch. */
  isInCacheStorage?: boolean;
}

/** The source of a page's latest request for a URL. */
const sourceInPage = `(url) => {
  const entry = performance.getEntriesByName(new URL(url, location).href).at(-1);
  if (!entry) return 'unknown';
  if (entry.deliveryType !== 'cache') return 'network';
  return entry.transferSize === 0 ? 'cache' : 'revalidated';
}`;

const readInPage = `async (url, init, isInCacheStorage, abortAfterBytes) => {
  const control = new AbortController();
  performance.clearResourceTimings();
  try {
    const response = isInCacheStorage
      ? await caches.match(url)
      : await fetch(url, { ...init, signal: control.signal });
    const time = response.headers.get('x-time');
    if (abortAfterBytes !== undefined) {
      const reader = response.body.getReader();
      for (let bytes = 0; bytes < abortAfterBytes; ) {
        const { done, value } = await reader.read();
        if (done) break;
        bytes += value.length;
      }
      control.abort();
      return { status: response.status, sha: null, failure: 'aborted', source: 'unknown', time };
    }
    const body = await response.arrayBuffer();
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', body));
    const sha = Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
    await new Promise((resolve) => setTimeout(resolve));
    return { status: response.status, sha, failure: null, source: (${sourceInPage})(url), time };
  } catch (error) {
    return { status: null, sha: null, failure: error.name, source: 'unknown', time: null };
  }
}`;

const scriptInPage = `(url, integrity) => new Promise((resolve) => {
  performance.clearResourceTimings();
  const script = Object.assign(document.createElement('script'), { src: url, integrity });
  const settle = (isLoaded) => setTimeout(() => resolve({ isLoaded, source: (${sourceInPage})(url) }));
  script.onload = () => settle(true);
  script.onerror = () => settle(false);
  document.head.append(script);
})`;

/** A browser with its own profile and cache, which can be closed, killed and restarted. */
export class Room {
  readonly origin: FixOrigin;
  readonly directory: string;
  readonly #extra: readonly string[];
  #browser: Browser | undefined;
  #page: Page | undefined;

  private constructor(origin: FixOrigin, directory: string, extra: readonly string[]) {
    this.origin = origin;
    this.directory = directory;
    this.#extra = extra;
  }

  /** A room whose browser has stored the dictionary. */
  static async open(origin: FixOrigin, fix: boolean, extra: readonly string[] = []): Promise<Room> {
    const room = new Room(origin, await mkdtemp(join(tmpdir(), 'cachescope-fix-')), extra);
    try {
      await room.start(fix);
      await room.holdDictionary();
      return room;
    } catch (error) {
      await room.close();
      throw error;
    }
  }

  /** Starts the browser, with the fix or without it. */
  async start(fix: boolean): Promise<void> {
    const features = fix ? [`--enable-features=${recompressed.enabledFeatures.join(',')}`] : [];
    const path = (await findChromium(undefined))?.path ?? 'chromium';
    this.#browser = await startIn(this.directory, path, [...features, ...this.#extra], {
      protocolTimeout: 0,
    });
    this.#page = await this.newPage();
  }

  async newPage(
    site = this.origin.url,
    browser: Pick<Browser, 'newPage'> = this.browser,
  ): Promise<Page> {
    const page = await browser.newPage();
    page.setDefaultTimeout(0);
    await page.goto(`${site}/page`);
    return page;
  }

  get browser(): Browser {
    if (!this.#browser) throw new Error('no browser is in the room');
    return this.#browser;
  }

  get page(): Page {
    if (!this.#page) throw new Error('no page is in the room');
    return this.#page;
  }

  /**
   * Chromium reads its dictionaries' metadata asynchronously: repeats a request until Chromium advertises a dictionary.
   */
  async holdDictionary(page = this.page): Promise<void> {
    await this.read('/dictionary', { body: 'any', init: { cache: 'reload' } }, page);
    for (let attempt = 0; attempt < mostProbes; attempt++) {
      const url = `/r/probe?cc=no-store&body=small&attempt=${Date.now()}-${attempt}`;
      await this.read(url, { body: 'small' }, page);
      if (this.askedFor(url).some(({ hasDictionary }) => hasDictionary)) return;
      await sleep(100);
    }
    throw new Error(`the browser advertised no dictionary in ${mostProbes} requests`);
  }

  /** Closes the browser gracefully and starts it again, with the fix or without it. */
  async restart(fix: boolean): Promise<void> {
    await this.stop();
    await this.start(fix);
    await this.holdDictionary();
  }

  /** Reads of one URL, one after another. */
  async readEach(url: string, ...hows: readonly How[]): Promise<Read[]> {
    const reads: Read[] = [];
    for (const how of hows) reads.push(await this.read(url, how));
    return reads;
  }

  /** Loads a URL of the body `small` as a script, whose hash Chromium checks (Subresource Integrity). */
  async loadScript(url: string, page: Page): Promise<Read> {
    const hash = createHash('sha256').update(this.origin.bodies.small).digest('base64');
    const words = [url, `sha256-${hash}`].map((word) => JSON.stringify(word)).join();
    const { isLoaded, source } = (await page.evaluate(`(${scriptInPage})(${words})`)) as {
      isLoaded: boolean;
      source: string;
    };
    const body = isLoaded ? 'whole' : `${wrongBytes}, or not loaded`;
    return { body, status: null, source, time: null };
  }

  /** Fetches a URL into Cache Storage. */
  async addToCacheStorage(url: string): Promise<string> {
    const add = `caches.open('c').then((c) => c.add(${JSON.stringify(url)})).then(() => 'stored')`;
    return (await this.page.evaluate(add)) as string;
  }

  async read(url: string, how: How = {}, page = this.page): Promise<Read> {
    const { init = {}, abortAfterBytes, isInCacheStorage = false } = how;
    const words = [url, init, isInCacheStorage, abortAfterBytes]
      .map((word) => JSON.stringify(word))
      .join();
    const raw = (await page.evaluate(`(${readInPage})(${words})`)) as RawRead;
    const { status, source, time } = raw;
    return { body: this.#bodyOf(raw, how), status, source, time };
  }

  #bodyOf({ sha, failure, status }: RawRead, { init = {}, body = 'text' }: How): string {
    if (failure !== null) return failure === 'aborted' ? 'aborted' : `failed: ${failure}`;
    if (body === 'any') return 'any';
    const whole = this.origin.bodies[body];
    const is = (bytes: Buffer): boolean => sha === sha256(bytes);
    if (init['method'] === 'HEAD') return is(Buffer.alloc(0)) ? 'nothing' : wrongBytes;
    if (status !== 206) return is(whole) ? 'whole' : wrongBytes;
    const range = new Headers(init['headers'] as Record<string, string>).get('Range') ?? '';
    const bounds = boundsOf(range, whole.length);
    return bounds && is(whole.subarray(...bounds)) ? range : wrongBytes;
  }

  askedFor(url: string): Asked[] {
    return this.origin.asked.filter((each) => each.url === url);
  }

  /** Closes the browser gracefully, so that its data is on disk. */
  async stop(): Promise<void> {
    if (this.#browser) await closeBrowser(this.#browser);
  }

  /** Kills the browser with SIGKILL, at whatever point it is. */
  kill(): Promise<void> {
    return killBrowser(this.browser);
  }

  async close(): Promise<void> {
    await this.stop().catch(() => {});
    await rm(this.directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

/** Stored size of a response in the closed cache of a room, bytes; null: unknown. */
export async function storedBytes(room: Room, url: string): Promise<number | null> {
  const entries = await cacheEntries(join(room.directory, 'cache'));
  return entries.get(room.origin.url + url)?.storedBytes ?? null;
}
