import { readHar } from './har-import.ts';
import type { Load } from './load.ts';

/** One entry as DevTools writes it; `change` is laid over it. */
export function entry(change: object = {}, response: object = {}): object {
  return {
    _initiator: { type: 'parser', url: 'http://127.0.0.1/' },
    _priority: 'High',
    _resourceType: 'script',
    cache: {},
    connection: '80',
    pageref: 'page_1',
    request: {
      method: 'GET',
      url: 'http://127.0.0.1/a.js#part',
      httpVersion: 'HTTP/1.1',
      headers: [{ name: 'Accept-Encoding', value: 'gzip, br' }],
      queryString: [],
      cookies: [],
      headersSize: 500,
      bodySize: 0,
    },
    response: {
      status: 200,
      statusText: 'OK',
      httpVersion: 'HTTP/1.1',
      headers: [
        { name: 'Content-Encoding', value: 'BR' },
        { name: 'Cache-Control', value: 'max-age=60' },
      ],
      cookies: [],
      content: { size: 5031, mimeType: 'text/javascript; charset=utf-8', compression: 4327 },
      redirectURL: '',
      headersSize: 213,
      bodySize: 704,
      _transferSize: 917,
      _error: null,
      _fetchedViaServiceWorker: false,
      ...response,
    },
    serverIPAddress: '127.0.0.1',
    startedDateTime: '2026-11-20T23:00:00.250Z',
    time: 12.5,
    timings: { blocked: 2, dns: -1, ssl: -1, connect: 1, send: 0.5, wait: 4, receive: 5 },
    ...change,
  };
}

/** A page as DevTools writes it. */
export const page = {
  id: 'page_1',
  startedDateTime: '2026-11-20T23:00:00.000Z',
  title: 'http://127.0.0.1/',
  pageTimings: { onContentLoad: 480, onLoad: -1 },
};

/** An archive of these entries, as DevTools signs it; `log` is laid over it. */
export const har = (entries: unknown, log: object = {}): object => ({
  log: {
    version: '1.2',
    creator: { name: 'WebInspector', version: '537.36' },
    pages: [page],
    entries,
    ...log,
  },
});

/** The loads of an archive that has no problem. */
export function loads(json: unknown): Load[] {
  const read = readHar({ name: 'x.har', json });
  if ('problems' in read) throw new Error(read.problems.join('\n'));
  return read.value;
}

/** The resource of the one entry, changed so. */
export function only(change: object = {}, response: object = {}): Load['resources'][number] {
  const [resource] = loads(har([entry(change, response)]))[0]?.resources ?? [];
  if (!resource) throw new Error('no resource');
  return resource;
}

/** What is wrong with an archive; empty when nothing is. */
export function problems(json: unknown): string[] {
  const read = readHar({ name: 'x.har', json });
  return 'problems' in read ? read.problems : [];
}
