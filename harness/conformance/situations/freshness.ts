import { usableUntil } from '@cachescope/model/caching/freshness.ts';
import { type Field, fieldsAt, ofOneFile, type RelativeTime, reads, topic } from '../situation.ts';

/** A row of the freshness table: the header fields of a response, and its status unless it is 200. */
export type FreshnessRow = readonly [fields: readonly Field[], status?: number];

const at = (inS: number, zone?: string): RelativeTime => ({ inS, ...(zone && { zone }) });
const control = (value: string, ...others: readonly Field[]): Field[] => [
  ['Cache-Control', value],
  ...others,
];
const expires = (value: string | RelativeTime): Field[] => [['Expires', value]];
const year = 'Thu, 18 Aug 2050 02:01:18';
const now = (): Field => ['Date', at(0)];

/** Date is sent only when a row names it. */
export const freshnessRows: readonly FreshnessRow[] = [
  [[]],
  [[now()]],
  // Cache-Control
  [control('max-age=600')],
  [control('max-age=0')],
  [control('MAX-AGE=600')],
  [control('max-age="600"')],
  [control('max-age = 600')],
  [control('max-age= 600')],
  [control('max-age =600')],
  [control('max-age=600.5')],
  [control('max-age=-600')],
  [control('max-age=+600')],
  [control('max-age=600s')],
  [control('max-age=')],
  [control('max-age')],
  [control('max-age=99999999999999999999')],
  [control('max-age=0, max-age=600')],
  [control('max-age=600, max-age=0')],
  [control('max-age=x, max-age=600')],
  [control('max-age=600', ['Cache-Control', 'max-age=0'])],
  [control('s-maxage=600')],
  [control('s-maxage=600, max-age=0')],
  [control('public')],
  [control('private, max-age=600')],
  [control('immutable, max-age=600')],
  [control('a="max-age=600"')],
  [control('a="x, max-age=600"')],
  [control('max-age=600; public')],
  [control('no-cache, max-age=600')],
  [control('No-Cache, max-age=600')],
  [control('no-cache="x", max-age=600')],
  [control('no-cache=x, max-age=600')],
  [control('no-store, max-age=600')],
  [control('no-store="x", max-age=600')],
  [control('must-revalidate, max-age=600')],
  [control('must-understand, no-store, max-age=600')],
  [control('max-age=600', ['CDN-Cache-Control', 'max-age=0'])],
  [control('max-age=600', ['Pragma', 'no-cache'])],
  [control('max-age=600', ['Pragma', 'x, no-cache'])],
  [control('max-age=600', ['Pragma', 'NO-CACHE'])],
  [control('max-age=600', ['Pragma', 'x'])],
  [[...expires(at(600)), ['Pragma', 'no-cache']]],
  [control('max-age=600', ['Vary', '*'])],
  [control('max-age=600', ['Vary', 'x, *'])],
  [control('max-age=600', ['Vary', 'accept'])],
  [control('max-age=600', ...expires('0'))],
  [control('max-age=0', ...expires(at(600)))],
  [control('max-age=x', ...expires(at(600)))],
  // stale-while-revalidate
  [control('max-age=0, stale-while-revalidate=600')],
  [control('stale-while-revalidate=600')],
  [control('max-age=0, must-revalidate, stale-while-revalidate=600')],
  [control('no-cache, stale-while-revalidate=600')],
  [control('max-age=0, stale-while-revalidate="600"')],
  [control('max-age=0, stale-while-revalidate=600', ['Vary', '*'])],
  // Age and Date
  [control('max-age=600', ['Age', '0'])],
  [control('max-age=600', ['Age', '700'])],
  [control('max-age=600', ['Age', '700, 0'])],
  [control('max-age=600', ['Age', '0, 700'])],
  [control('max-age=600', ['Age', '0'], ['Age', '700'])],
  [control('max-age=600', ['Age', '-700'])],
  [control('max-age=600', ['Age', '+700'])],
  [control('max-age=600', ['Age', '700.0'])],
  [control('max-age=600', ['Age', '700;x=1'])],
  [control('max-age=600', ['Age', '"700"'])],
  [control('max-age=600', ['Age', 'x'])],
  [control('max-age=600', ['Age', '99999999999999999999'])],
  [control('max-age=600', ['Date', at(-700)])],
  [control('max-age=600', ['Date', at(700)])],
  [control('max-age=600', ['Date', 'x'])],
  [control('max-age=600', ['Date', at(-700, 'UTC')])],
  // Expires
  [expires(at(600))],
  [expires(at(-600))],
  [[...expires(at(600)), now()]],
  [[...expires(at(-600)), ['Date', at(-1200)]]],
  [[...expires(at(600)), ['Date', at(700)]]],
  [[...expires(at(600)), ['Date', 'x']]],
  [[...expires(at(600)), ['Age', '700']]],
  [expires('0')],
  [expires('-1')],
  [expires('')],
  [expires('x')],
  [expires('3600')],
  [expires('86400')],
  [expires('2050')],
  [expires('20500818')],
  [expires('2050-08-18')],
  [expires('2050-08-18T02:01:18Z')],
  [expires('8/18/2050')],
  [expires('18/8/2050')],
  [expires('2050/8/18')],
  [expires('8-18-50')],
  [expires('8/18')],
  [expires(`${year} GMT`)],
  [expires(`${year.toLowerCase()} gmt`)],
  [expires(`${year} UTC`)],
  [expires(`${year} AEST`)],
  [expires(year)],
  [expires(`${year} +0000`)],
  [expires('Thursday, 18-Aug-50 02:01:18 GMT')],
  [expires('Thursday, 18-Aug-99 02:01:18 GMT')],
  [expires('Thu Aug 18 02:01:18 2050')],
  [expires('Thu Aug  8 02:01:18 2050')],
  [expires('Thu, 18 Aug 50 02:01:18 GMT')],
  [expires('Thu 18 Aug 2050 02:01:18 GMT')],
  [expires('Thu, 18  Aug  2050 02:01:18 GMT')],
  [expires('Thu, 18-Aug-2050 02:01:18 GMT')],
  [expires('Thu, 18 Aug 2050 02.01.18 GMT')],
  [expires('Thu, 18 Aug 2050 2:01:18 GMT')],
  [expires('Thu, 18 August 2050 02:01:18 GMT')],
  [expires('18 Aug 2050')],
  [expires('Aug 2050')],
  [expires('Mon, 18 Aug 2050 02:01:18 GMT')],
  [expires('Thu, 32 Aug 2050 02:01:18 GMT')],
  [expires('Thu, 18 Aug 2050 25:01:18 GMT')],
  [expires('Thu, 18 Aug 3050 02:01:18 GMT')],
  [expires('Thu, 18 Aug 205 02:01:18 GMT')],
  [expires('2050 Aug 18 02:01:18')],
  [expires('Aug 18 02:01 2050')],
  [expires('18Aug2050')],
  [[...expires(at(600)), ...expires(at(-600))]],
  [[...expires(at(-600)), ...expires(at(600))]],
  // Time zones: one hour west or east of GMT.
  [[...expires(at(600, '+0100')), now()]],
  [[...expires(at(-600, '-0100')), now()]],
  [[...expires(at(-600, 'EST')), now()]],
  [[...expires(at(600, 'BST')), now()]],
  [[...expires(at(600, 'CET')), now()]],
  // Heuristic freshness from Last-Modified
  [[['Last-Modified', at(-100_000)]]],
  [[['Last-Modified', at(-100_000)], now()]],
  [[['Last-Modified', at(100_000)], now()]],
  [
    [
      ['Last-Modified', at(-100_000)],
      ['Age', '20000'],
    ],
  ],
  [[['Last-Modified', 'x'], now()]],
  [[['Last-Modified', at(-100_000)], now()], 203],
  [[['Last-Modified', at(-100_000)], now()], 404],
  [control('must-revalidate', ['Last-Modified', at(-100_000)], now())],
  [control('public', ['Last-Modified', at(-100_000)], now())],
  [[['Last-Modified', at(-100_000)], now(), ...expires('0')]],
  [[['Last-Modified', at(-100_000)], now(), ...expires(' 0 ')]],
  [[['Last-Modified', at(-100_000)], now(), ...expires('00')]],
  [[['Last-Modified', at(-100_000)], now(), ...expires('-1')]],
  [[['Last-Modified', at(-100_000)], now(), ...expires('')]],
  [[['Last-Modified', at(-100_000)], now(), ...expires('x')]],
  [control('must-revalidate', ['Last-Modified', at(-100_000)], now(), ...expires('x'))],
  // Statuses
  [[], 203],
  [[], 300],
  [[], 301],
  [expires('0'), 301],
  [expires('x'), 301],
  [expires('-1'), 410],
  [[], 308],
  [[], 404],
  [[], 410],
  [control('no-cache'), 301],
  [control('max-age=600'), 404],
];

const timeText = ({ inS, zone = '' }: RelativeTime): string =>
  `now ${inS < 0 ? '-' : '+'} ${Math.abs(inS)} s ${zone}`.trimEnd();

function nameOf([fields, status = 200]: FreshnessRow): string {
  const lines = fields.map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? value : timeText(value)}`,
  );
  return `${status} ${lines.join(' | ') || 'without fields'}`;
}

/** Whether Chromium may use the stored response: the model of `lint` and the panel, which a test holds against Chromium. */
function isFresh([fields, status = 200]: FreshnessRow): boolean {
  const receivedAt = Date.now();
  const response = { status, headers: fieldsAt(fields, receivedAt), receivedAt };
  return usableUntil(response) > receivedAt;
}

const isRevalidatedLater = ([fields]: FreshnessRow): boolean =>
  fields.some(([, value]) => typeof value === 'string' && value.includes('stale-while'));

/** Each row read twice, with a body that changes: a stale response must not be used again (RFC 9111 section 4.2). */
export const freshness = topic(
  'freshness',
  freshnessRows.map((row) => {
    const [fields, status = 200] = row;
    const answer = { body: 'small', changes: true, isBare: true, fields, status } as const;
    const isUsed = isFresh(row);
    return ofOneFile(nameOf(row), answer, [
      ...reads({}, isUsed ? {} : { must: 'ask' }),
      ...(isUsed && isRevalidatedLater(row) ? [{ kind: 'await requests', count: 2 } as const] : []),
    ]);
  }),
);
