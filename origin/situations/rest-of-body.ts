import { type Came, confirmed, outcome, situation, text, visit } from './page.ts';
import type { ServedFile, Situation } from './situation.ts';

/** How many bytes it got, the document says by what it asks for last. */
const asks = (range: string) => `
  const { length } = await read('resource'${range && `, { headers: { range: 'bytes=${range}' } }`});
  await fetch('got-' + length);`;

/** One document reads a part of the body, and the next one more. `''`: the whole. */
function rest(
  name: string,
  came: Came,
  [first, second]: readonly [string, string],
  later: Partial<ServedFile>,
  more: Partial<ServedFile> = {},
): Situation {
  const served = { hasRanges: true, isConditional: true, ...more };
  const resource = text({ ...served, later });
  const files = { first: asks(first), page: asks(second), resource };
  return situation(`rest-${name}`, [visit('first'), visit('page')], came, files);
}

const got = (bytes: number) => ({ alsoAsked: `got-${bytes}` });
/** The page gets what is stored, and no error. */
const cut = (status: number) => outcome('disk', [status], got(1000));
const begin = ['0-999', '0-1999'] as const;
const beginThenAll = ['0-999', ''] as const;
const end = ['1000-1999', '0-1999'] as const;
const other = (status: number, body = 'none') => ({ status, body, hasRanges: false });
const changed = { version: '2' };
const stale = { headers: confirmed };
const endThenAll = ['1000-5199', ''] as const;

/** Every answer to the request for the rest of a body of which a part is stored. */
export const restOfBody: readonly Situation[] = [
  rest('as-promised', outcome('mixed', [206], got(2000)), begin, {}),
  rest('replaced', cut(200), begin, changed),
  rest('missing', cut(404), begin, other(404)),
  rest('server-error', cut(500), begin, other(500)),
  rest('not-satisfiable', cut(416), begin, other(416)),
  rest('without-ranges', cut(200), begin, { hasRanges: false }),
  rest('moved', cut(302), begin, { ...other(302), headers: { location: 'first' } }),
  rest('replaced-at-front', outcome('network', [200, 206], got(2000)), end, changed),
  rest('replaced-whole', outcome('network', [206, 200], got(5200)), beginThenAll, changed),
  rest(
    'gone-whole',
    outcome('revalidated/http-cache', [304, 410], got(1000)),
    beginThenAll,
    other(410),
  ),
  rest('confirmed-then-rest', outcome('mixed', [304, 206], got(2000)), begin, {}, stale),
  rest('confirmed-then-whole', outcome('mixed', [304, 206], got(5200)), ['0-1999', ''], {}, stale),
  rest('end-then-whole', outcome('mixed', [206], got(5200)), endThenAll, {}, stale),
  rest(
    'changed-then-whole',
    outcome('network', [206, 200], got(5200)),
    ['0-1999', ''],
    changed,
    stale,
  ),
  rest('changed-then-range', outcome('network', [206, 206], got(2000)), begin, changed, stale),
];
