import type { Page } from 'puppeteer-core';
import type { FetchInit, Read } from './situation.ts';

/** What a page says of one read. */
export interface RawRead {
  /** null: there was no response, or the page cannot tell. */
  status: number | null;
  /** SHA-256 of the body in hexadecimal; null: the page has no body. */
  sha: string | null;
  /** The name of the error; `aborted`; `opaque`; `loaded`: a script whose hash the browser checked; null: there is a body. */
  end: string | null;
  /** Source by Resource Timing: network, cache, revalidated or unknown. */
  source: string;
  /** Header fields that the situation shows, each `name=value`. */
  shown: string[];
}

/** The parameters of a read, as they are passed to the page. */
export interface RawRequest {
  url: string;
  by: NonNullable<Read['by']>;
  init: FetchInit & { integrity?: string };
  abortAfterBytes: number | null;
  shows: readonly string[];
}

const sourceInPage = `(url) => {
  const entry = performance.getEntriesByName(new URL(url, location).href).at(-1);
  if (!entry) return 'unknown';
  if (entry.deliveryType !== 'cache') return 'network';
  return entry.transferSize === 0 ? 'cache' : 'revalidated';
}`;

const readInPage = `async ({ url, by, init, abortAfterBytes, shows }) => {
  const sourceOf = ${sourceInPage};
  const ended = (end, more) => ({ status: null, sha: null, end, source: 'unknown', shown: [], ...more });
  performance.clearResourceTimings();
  if (by === 'add') {
    const cache = await caches.open('situation');
    return cache.add(url).then(() => ended('stored'), (error) => ended(error.name));
  }
  if (by === 'script') {
    const script = Object.assign(document.createElement('script'), { src: url, ...init });
    const isLoaded = await new Promise((resolve) => {
      script.onload = () => setTimeout(resolve, 0, true);
      script.onerror = () => setTimeout(resolve, 0, false);
      document.head.append(script);
    });
    return ended(isLoaded ? 'loaded' : 'Error', { source: sourceOf(url) });
  }
  const control = new AbortController();
  try {
    const response = by === 'match' ? await caches.match(url) : await fetch(url, { ...init, signal: control.signal });
    if (!response) return ended('nothing stored');
    const { status, type } = response;
    const shown = shows.map((name) => name.toLowerCase() + '=' + response.headers.get(name));
    if (abortAfterBytes !== null) {
      const reader = response.body.getReader();
      for (let bytes = 0; bytes < abortAfterBytes; ) {
        const { done, value } = await reader.read();
        if (done) break;
        bytes += value.length;
      }
      control.abort();
      return ended('aborted', { status, shown });
    }
    if (type.startsWith('opaque')) return ended(type, { status, shown });
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', await response.arrayBuffer()));
    const sha = Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
    await new Promise((resolve) => setTimeout(resolve));
    return { status, sha, end: null, source: sourceOf(url), shown };
  } catch (error) {
    return ended(error.name);
  }
}`;

/** Reads once in a page. */
export async function readIn(page: Page, request: RawRequest): Promise<RawRead> {
  return (await page.evaluate(`(${readInPage})(${JSON.stringify(request)})`)) as RawRead;
}
