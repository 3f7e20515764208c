import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recompressed } from '@cachescope/model/sweep/recompressed.ts';
import { type Browser, launch, type Page } from 'puppeteer-core';
import { setTimeout as sleep } from 'node:timers/promises';
import { findChromium } from '../../../harness/browser/find.ts';
import { chromiumFlags } from '../../../harness/browser/flags.ts';
import { type Asked, type FixOrigin, sha256 } from './origin.ts';

/** The page's result of one read. */
export interface Read {
  /** `whole`, `bytes 1000-1999`, `nothing`, `failed: TypeError`; a body with other bytes is `WRONG BYTES`. */
  body: string;
  status: number | null;
  /** Source by Resource Timing: network, cache, or revalidated. */
  source: string;
  /** The header X-Time: how many requests the origin had received when it wrote these fields. */
  time: string | null;
}

interface RawRead {
  status: number | null;
  sha: string | null;
  bytes: number;
  failure: string | null;
  source: string;
  time: string | null;
}

/** Parameters of a read: the options of fetch(), and the number of bytes after which the page aborts. */
export interface How {
  init?: Record<string, unknown>;
  abortAfterBytes?: number;
  /** Default: the whole body. */
  body?: string;
}

const readInPage = `async (url, init, abortAfterBytes) => {
  const control = new AbortController();
  performance.clearResourceTimings();
  const told = () => {
    const entry = performance.getEntriesByName(new URL(url, location).href).at(-1);
    if (!entry) return 'unknown';
    if (entry.deliveryType !== 'cache') return 'network';
    return entry.transferSize === 0 ? 'cache' : 'revalidated';
  };
  try {
    const response = await fetch(url, { ...init, signal: control.signal });
    const time = response.headers.get('x-time');
    if (abortAfterBytes !== undefined) {
      const reader = response.body.getReader();
      for (let bytes = 0; bytes < abortAfterBytes; ) {
        const { done, value } = await reader.read();
        if (done) break;
        bytes += value.length;
      }
      control.abort();
      return { status: response.status, sha: null, bytes: 0, failure: 'aborted', source: 'unknown', time };
    }
    const body = await response.arrayBuffer();
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', body));
    const sha = Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
    await new Promise((resolve) => setTimeout(resolve));
    return { status: response.status, sha, bytes: body.byteLength, failure: null, source: told(), time };
  } catch (error) {
    return { status: null, sha: null, bytes: 0, failure: error.name, source: 'unknown', time: null };
  }
}`;

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
    await room.start(fix);
    await room.holdDictionary();
    return room;
  }

  /** Starts the browser, with the fix or without it. */
  async start(fix: boolean): Promise<void> {
    const asRoot = process.getuid?.() === 0;
    const features = fix ? [`--enable-features=${recompressed.enabledFeatures.join(',')}`] : [];
    const choice = {
      cacheDirectory: join(this.directory, 'cache'),
      extra: [...features, ...this.#extra],
    };
    this.#browser = await launch({
      executablePath: (await findChromium(undefined))?.path ?? 'chromium',
      userDataDir: join(this.directory, 'profile'),
      pipe: true,
      args: chromiumFlags(choice, asRoot),
      protocolTimeout: 0,
    });
    this.#page = await this.newPage();
  }

  async newPage(
    site = this.origin.url,
    browser: Pick<Browser, 'newPage'> = this.browser,
  ): Promise<Page> {
    const page = await browser.newPage();
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
  async holdDictionary(): Promise<void> {
    await this.read('/dictionary', { body: 'any' });
    for (let attempt = 0; ; attempt++) {
      const url = `/r/probe?cc=no-store&body=small&attempt=${Date.now()}-${attempt}`;
      await this.read(url, { body: 'small' });
      if (this.askedFor(url).some(({ hasDictionary }) => hasDictionary)) return;
      await sleep(100);
    }
  }

  async read(
    url: string,
    { init = {}, abortAfterBytes, body = 'text' }: How = {},
    page = this.page,
  ): Promise<Read> {
    const words = [url, init, abortAfterBytes].map((word) => JSON.stringify(word)).join();
    const raw = (await page.evaluate(`(${readInPage})(${words})`)) as RawRead;
    return {
      body: this.#bodyOf(raw, body),
      status: raw.status,
      source: raw.source,
      time: raw.time,
    };
  }

  #bodyOf({ sha, bytes, failure }: RawRead, name: string): string {
    if (failure !== null) return failure === 'aborted' ? 'aborted' : `failed: ${failure}`;
    if (name === 'any') return 'any';
    const whole = this.origin.bodies[name];
    if (!whole) throw new Error(`no body ${name}`);
    if (sha === sha256(whole)) return 'whole';
    if (bytes === 0) return 'nothing';
    const slices: [first: number, last: number][] = [
      [1000, 1999],
      [5000, whole.length - 1],
      [whole.length - 500, whole.length - 1],
    ];
    const slice = slices.find(([first, last]) => sha === sha256(whole.subarray(first, last + 1)));
    return slice ? `bytes ${slice.join('-')}` : `WRONG BYTES (${bytes})`;
  }

  askedFor(url: string): Asked[] {
    return this.origin.asked.filter((each) => each.url === url);
  }

  /** Closes the browser gracefully, so that its data is on disk. */
  async stop(): Promise<void> {
    await this.#browser?.close();
  }

  /** Kills the browser with SIGKILL, at whatever point it is. */
  async kill(): Promise<void> {
    const child = this.browser.process();
    const ended = new Promise((resolve) => child?.once('exit', resolve));
    child?.kill('SIGKILL');
    await ended;
  }

  async close(): Promise<void> {
    await this.stop().catch(() => {});
    await rm(this.directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}
