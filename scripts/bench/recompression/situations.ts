import type { FixSituation } from './account.ts';
import { browserSituations } from './browser-situations.ts';
import { pageSituations } from './page-situations.ts';
import type { How } from './room.ts';

const ranged = (range: string, headers = {}): How => ({
  init: { headers: { Range: range, ...headers } },
});
const cached = (cache: string): How => ({ init: { cache } });

/** Reads of one URL with `fetch()`, one after another: the query of the URL, then how each is read. */
const sequences: readonly [name: string, query: string, ...hows: How[]][] = [
  ['whole, dcz', 'coding=dcz', {}, {}],
  ['whole, dcb', 'coding=dcb', {}, {}],
  ['bytes that do not compress', 'body=noise', { body: 'noise' }, { body: 'noise' }],
  ['900 bytes', 'body=small', { body: 'small' }, { body: 'small' }],
  ['an empty body', 'body=empty', { body: 'empty' }, { body: 'empty' }],
  ['range of a stored response', '', {}, ranged('bytes=1000-1999'), {}],
  ['range of a stored dcb response', 'coding=dcb', {}, ranged('bytes=1000-1999'), {}],
  ['open range of a stored response', '', {}, ranged('bytes=5000-'), {}],
  ['last bytes of a stored response', '', {}, ranged('bytes=-500'), {}],
  ['two ranges of a stored response', '', {}, ranged('bytes=0-9,20-29'), {}],
  ['range before the whole', '', ranged('bytes=1000-1999'), {}, {}],
  ['range that the origin answers whole', 'whole', {}, ranged('bytes=1000-1999'), {}],
  [
    'If-Range with the stored validator',
    '',
    {},
    ranged('bytes=1000-1999', { 'If-Range': '"1"' }),
    {},
  ],
  ['If-Range with another validator', '', {}, ranged('bytes=1000-1999', { 'If-Range': '"2"' }), {}],
  ['HEAD of a stored response', '', {}, { init: { method: 'HEAD' } }, {}],
  ['HEAD before the whole', '', { init: { method: 'HEAD' } }, {}, {}],
  ['304 when stale', 'cc=no-cache', {}, {}, {}],
  ['304 that makes the response fresh', 'cc=no-cache&fresh304', {}, {}, {}],
  ['304 with Content-Encoding', 'cc=no-cache&coded304', {}, {}, {}],
  ['200 instead of a 304', 'cc=no-cache&changed', {}, {}, {}],
  ['cache: no-cache', '', {}, cached('no-cache'), {}],
  ['cache: reload', '', {}, cached('reload'), {}],
  ['cache: no-store', '', {}, cached('no-store'), {}],
  ['cache: force-cache when stale', 'cc=max-age=0', {}, cached('force-cache')],
  ['cache: only-if-cached', '', {}, { init: { cache: 'only-if-cached', mode: 'same-origin' } }],
  ['response with no-store', 'cc=no-store', {}, {}],
  ['another Vary', '', {}, { init: { headers: { 'X-Vary': '2' } } }, {}],
  ['POST between', '', {}, { init: { method: 'POST' } }, {}],
];

/** Every situation, in the order of the table; those that share a browser are next to each other. */
export const fixSituations: readonly FixSituation[] = [
  ...sequences.map(([name, query, ...hows]): FixSituation => ({
    name,
    query,
    play: (room, url) => room.readEach(url, ...hows),
  })),
  ...pageSituations,
  ...browserSituations,
];
