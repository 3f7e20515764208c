import type { MicroCache } from '@cachescope/model/micro/cache.ts';
import type { MicroTask } from '@cachescope/model/micro/task.ts';

// The functions of this file run in a page or its service worker: they are sent as text, and so may refer only to each
// other and to web APIs.

interface PageElement {
  src: string;
  async: boolean;
  addEventListener(type: 'load' | 'error', act: () => void): void;
  remove(): void;
}
interface NamedCache {
  match(url: string): Promise<Response | undefined>;
  put(url: string, response: Response): Promise<void>;
}
declare const document: {
  createElement(name: string): PageElement;
  head: { append(element: PageElement): void };
};
declare const caches: {
  open(name: string): Promise<NamedCache>;
  delete(name: string): Promise<boolean>;
};

/** All work of a read except the read itself. */
async function callOnly(cache: MicroCache, url: string): Promise<boolean> {
  if (cache === 'blink') document.createElement('script').src = url;
  else await Promise.resolve(new Request(url));
  await Promise.resolve();
  return true;
}

/** Empties a cache, for this site only. */
export async function clearCache(cache: MicroCache): Promise<boolean> {
  if (cache === 'cache-storage' || cache === 'service-worker') {
    await caches.delete('micro');
    return true;
  }
  const response = await fetch('/micro/clear', { cache: 'no-store' });
  await response.arrayBuffer();
  return true;
}

/**
 * Reads one resource through a cache, to the last byte of its body; a miss is stored if the page itself manages the
 * cache.
 */
export async function readThrough(cache: MicroCache, url: string): Promise<boolean> {
  if (cache === 'blink') return readScript(url);
  if (cache === 'cache-storage') return readStored(url);
  const response = await fetch(url, cache === 'none' ? { cache: 'no-store' } : {});
  if (!response.ok) throw new Error(`${url} returned status ${response.status}`);
  await response.arrayBuffer();
  return true;
}

/**
 * Adds a script element and waits until it has loaded and run. The element is removed, so that only the cache keeps the
 * script.
 */
function readScript(url: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.async = true;
    script.addEventListener('load', () => {
      script.remove();
      resolve(true);
    });
    script.addEventListener('error', () => reject(new Error(`${url} did not load`)));
    script.src = url;
    document.head.append(script);
  });
}

/**
 * Looks in Cache Storage first; on a miss fetches from the network, bypassing the HTTP cache, and stores the response
 * unless it has no-store.
 */
export async function storedResponse(url: string): Promise<Response> {
  const cache = await caches.open('micro');
  const stored = await cache.match(url);
  if (stored) return stored;
  const response = await fetch(url, { cache: 'no-store' });
  if (!response.ok) throw new Error(`${url} returned status ${response.status}`);
  if (!response.headers.get('cache-control')?.includes('no-store'))
    await cache.put(url, response.clone());
  return response;
}

async function readStored(url: string): Promise<boolean> {
  const response = await storedResponse(url);
  await response.arrayBuffer();
  return true;
}

/** Looks for one resource only in the HTTP cache: with only-if-cached fetch() fails on a miss. */
async function search(url: string): Promise<boolean> {
  const found = await fetch(url, { cache: 'only-if-cached', mode: 'same-origin' }).catch(
    () => null,
  );
  return found?.ok ?? false;
}

/** One run of a task. */
export async function runAction(
  task: Extract<MicroTask, { kind: 'time' }>,
  url: string,
): Promise<boolean> {
  if (task.action === 'nothing') return callOnly(task.cache, url);
  if (task.action === 'clear') return clearCache(task.cache);
  if (task.action === 'search') return search(url);
  if (task.action === 'clear and read') await clearCache(task.cache);
  return readThrough(task.cache, url);
}

/** Texts of the functions above, for a page. */
export const readFunctions = [
  callOnly,
  clearCache,
  readThrough,
  readScript,
  storedResponse,
  readStored,
  search,
  runAction,
];
