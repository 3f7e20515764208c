import { type Answer, ofOneFile, type Read, reads, type Situation, topic } from '../situation.ts';

const method = (name: string, more: Read = {}): Read => ({ ...more, init: { method: name } });
const varied = (value: string): Read => ({ init: { headers: { 'X-Vary': value } } });
const small = { body: 'small' } as const;

/** RFC 9111 section 4.4: a request with another method than GET may change the response of its URL. */
const methods = topic('methods', [
  ofOneFile('HEAD of a stored response', {}, reads({}, method('HEAD'), {})),
  // Chromium fails the response to HEAD that is compressed with a dictionary: it has no body to decode.
  ofOneFile('HEAD before the whole', {}, reads(method('HEAD', { mayFail: true }), {}, {})),
  ofOneFile('HEAD of a stale response', { cacheControl: 'max-age=0' }, [
    ...reads({}, method('HEAD', { must: 'ask' }), { must: 'ask' }),
  ]),
  ofOneFile('POST between', {}, reads({}, method('POST'), {})),
  ofOneFile('POST twice', small, reads(method('POST'), method('POST'))),
  ...['PUT', 'DELETE', 'PATCH'].map((name) =>
    ofOneFile(`${name} between, body that changes`, { ...small, changes: true }, [
      ...reads({}, method(name), { must: 'ask' }),
    ]),
  ),
  ofOneFile('POST between, body that changes', { ...small, changes: true }, [
    ...reads({}, method('POST'), { must: 'ask' }),
  ]),
]);

/** RFC 9111 section 4.1. */
const vary = topic('Vary', [
  ofOneFile('another Vary', {}, reads({}, { ...varied('2'), must: 'ask' }, {})),
  ofOneFile('two values of a Vary field in turn', small, [
    ...reads(varied('1'), { ...varied('2'), must: 'ask' }, { ...varied('1'), must: 'ask' }),
  ]),
  ofOneFile('the same value of a Vary field', small, reads(varied('1'), varied('1'))),
  ofOneFile('Vary: *', { ...small, fields: [['Vary', '*']] }, reads({}, { must: 'ask' })),
  ofOneFile('a field that Vary does not name', small, [
    ...reads({}, { init: { headers: { 'X-Other': '2' } } }),
  ]),
  ofOneFile('Vary: Cookie', { ...small, fields: [['Vary', 'Cookie']] }, reads({}, {})),
  ofOneFile(
    'Vary: Accept, another value',
    { ...small, fields: [['Vary', 'Accept']] },
    reads({}, { must: 'ask', init: { headers: { Accept: 'text/x' } } }),
  ),
  ofOneFile(
    'Vary: Origin',
    { ...small, fields: [['Vary', 'Origin']] },
    reads({ elsewhere: true }, { elsewhere: true }),
  ),
]);

function redirected(
  name: string,
  moved: Answer,
  resource: Answer,
  read: Read = {},
): Omit<Situation, 'topic'> {
  const files = { moved: { ...moved, location: 'resource', body: 'empty' as const }, resource };
  const through: Read = { file: 'moved', ends: 'resource' };
  return { name, files, steps: reads(through, { ...through, ...read }) };
}
const lasting = { cacheControl: 'max-age=86400' };
const passing = { cacheControl: 'no-store' };

/** RFC 9110 section 15.4. */
const redirects = topic('redirects', [
  ...[301, 308, 302, 307, 303].map((status) =>
    redirected(`stored redirect, ${status}`, { status, ...lasting }, small),
  ),
  redirected('redirect that is not stored', { status: 302, ...passing }, small),
  redirected(
    'stored redirect to a response with no-store',
    { status: 301, ...lasting },
    { ...small, ...passing },
    { must: 'ask' },
  ),
  redirected(
    'stored redirect to a stale response',
    { status: 301, ...lasting },
    { ...small, cacheControl: 'no-cache', changes: true },
    { must: 'ask' },
  ),
  ofOneFile(
    'redirect that the page does not follow',
    { status: 301, location: 'nowhere', body: 'empty' },
    reads({ init: { redirect: 'manual' } }, { init: { redirect: 'manual' } }),
  ),
  ofOneFile('redirect that is an error for the page', { status: 301, location: 'nowhere' }, [
    ...reads(
      { must: 'fail', init: { redirect: 'error' } },
      { must: 'fail', init: { redirect: 'error' } },
    ),
  ]),
]);

/** Statuses that may be stored and those that may not, and requests that outlive a page. */
const statuses = topic('statuses', [
  ...[203, 404, 405, 410, 414, 500, 501, 503].map((status) =>
    ofOneFile(`status ${status}, fresh`, { ...small, status }, reads({}, {})),
  ),
  ofOneFile(
    'keepalive',
    small,
    reads({ init: { keepalive: true } }, { init: { keepalive: true } }),
  ),
]);

/** What requests ask, and what answers say beside their freshness. */
export const requests = [...methods, ...vary, ...redirects, ...statuses];
