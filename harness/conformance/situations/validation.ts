import { type CacheMode, ofOneFile, type Read, reads, topic } from '../situation.ts';

const ask: Read = { must: 'ask' };
const confirmed = { cacheControl: 'no-cache' } as const;
const cached = (cache: CacheMode, more: Read = {}): Read => ({ ...more, init: { cache } });
const conditional = (headers: Readonly<Record<string, string>>): Read => ({
  ...ask,
  init: { headers },
});
const modified = [['Last-Modified', { inS: -1_000_000_000 }]] as const;
const swr = 'max-age=0,stale-while-revalidate=600';

/** Stored responses that the origin confirms or replaces: RFC 9111 section 4.3. */
export const validation = topic('validation', [
  ofOneFile('304 when stale', confirmed, reads({}, ask, ask)),
  ofOneFile(
    '304 that makes the response fresh',
    { ...confirmed, on304: [['Cache-Control', 'max-age=86400']] },
    reads({}, ask, {}),
  ),
  ofOneFile(
    '304 with Content-Encoding',
    { ...confirmed, on304: [['Content-Encoding', 'dcz']] },
    reads({}, ask, ask),
  ),
  ofOneFile('200 instead of a 304', { ...confirmed, changes: true }, reads({}, ask, ask)),
  ofOneFile('304 with other header fields', confirmed, reads({}, ask, ask), { shows: ['X-Time'] }),
  ofOneFile(
    '304 that removes freshness',
    { cacheControl: 'max-age=0', on304: [['Cache-Control', 'no-store']] },
    reads({}, ask, ask),
  ),
  ofOneFile(
    '304 with another Content-Type',
    { ...confirmed, on304: [['Content-Type', 'text/plain']] },
    reads({}, ask, ask),
    { shows: ['Content-Type'] },
  ),
  ofOneFile('weak validator', { ...confirmed, fields: [['ETag', 'W/"1"']] }, reads({}, ask, ask)),
  ofOneFile(
    'no validator',
    { ...confirmed, without: ['ETag'], body: 'small' },
    reads({}, ask, ask),
  ),
  ofOneFile(
    'If-None-Match of the page',
    {},
    reads({}, conditional({ 'If-None-Match': '"0"' }), {}),
  ),
  ofOneFile(
    'If-Modified-Since of the page',
    { body: 'small', fields: modified },
    reads({}, conditional({ 'If-Modified-Since': 'Thu, 01 Jan 1970 00:00:00 GMT' }), {}),
  ),
  ofOneFile('must-revalidate when stale', { cacheControl: 'max-age=0, must-revalidate' }, [
    ...reads({}, ask),
  ]),
  ofOneFile('immutable, and cache: no-cache', { cacheControl: 'max-age=86400, immutable' }, [
    ...reads({}, cached('no-cache', ask), {}),
  ]),
  ofOneFile('stale-while-revalidate', { cacheControl: swr }, [
    ...reads({}, {}),
    { kind: 'await requests', count: 2 },
  ]),
  ofOneFile('stale-while-revalidate of a body that changes', { cacheControl: swr, changes: true }, [
    ...reads({}, {}),
    { kind: 'await requests', count: 2 },
  ]),
  ofOneFile('cache: no-cache', {}, reads({}, cached('no-cache', ask), {})),
  ofOneFile('cache: reload', {}, reads({}, cached('reload', ask), {})),
  ofOneFile('cache: reload of a body that changes', { changes: true }, [
    ...reads({}, cached('reload', ask), {}),
  ]),
  ofOneFile('cache: no-store', {}, reads({}, cached('no-store', ask), {})),
  ofOneFile('cache: force-cache when stale', { cacheControl: 'max-age=0' }, [
    ...reads({}, cached('force-cache')),
  ]),
  ofOneFile('cache: only-if-cached', {}, [
    ...reads({}, { init: { cache: 'only-if-cached', mode: 'same-origin' } }),
  ]),
  ofOneFile('cache: only-if-cached, nothing stored', {}, [
    ...reads({ mayFail: true, init: { cache: 'only-if-cached', mode: 'same-origin' } }),
  ]),
  ofOneFile('response with no-store', { cacheControl: 'no-store' }, reads({}, ask)),
  ofOneFile('no-store of a body that changes', { cacheControl: 'no-store', changes: true }, [
    ...reads({}, ask, ask),
  ]),
  ofOneFile('no-store replaces a stored response', { changes: true }, [
    ...reads({}, cached('reload', ask), {}),
  ]),
  ofOneFile('Cache-Control: no-cache of the page', {}, [
    ...reads({}, conditional({ 'Cache-Control': 'no-cache' }), {}),
  ]),
  ofOneFile('Cache-Control: max-age=0 of the page', {}, [
    ...reads({}, conditional({ 'Cache-Control': 'max-age=0' }), {}),
  ]),
  ofOneFile('Pragma: no-cache of the page', {}, [
    ...reads({}, conditional({ Pragma: 'no-cache' }), {}),
  ]),
]);
