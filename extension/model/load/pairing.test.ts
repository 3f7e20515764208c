import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bySpan, pairRequests, type Span } from './pairing.ts';

/** Begins at a time, ms, and takes 10 ms unless stated otherwise. */
function at(startMs: number, endMs = startMs + 10): Span {
  return { startMs, endMs, isEndSure: true };
}

/** For each request, the index of its use; null: none. */
function partners(uses: readonly Span[], requests: readonly Span[]): (number | null)[] {
  const useOf = new Map(pairRequests(uses, requests).map(([use, request]) => [request, use]));
  return requests.map((_, request) => useOf.get(request) ?? null);
}

test.each<[string, Span[], Span[], (number | null)[]]>([
  ['nothing', [], [], []],
  ['one to one', [at(100)], [at(103)], [0]],
  [
    'in order when the counts agree, however close',
    [at(100), at(101), at(102)],
    [at(102), at(103), at(104)],
    [0, 1, 2],
  ],
  [
    'in order when the counts agree, however late',
    [at(100, 9000), at(200, 9000)],
    [at(4000, 9001), at(4001, 9001)],
    [0, 1],
  ],
  [
    'a memory hit that the other did not see stays alone',
    [at(100), at(500), at(900)],
    [at(503)],
    [1],
  ],
  ['more on the other side', [at(503)], [at(100), at(504), at(900)], [null, 0, null]],
  ['too far apart', [at(100)], [at(400)], [null]],
  [
    'what began after the use had been sent is of another use',
    [{ ...at(100, 400), askedByMs: 110 }],
    [at(102, 402), at(220, 900)],
    [0, null],
  ],
  [
    'worker scripts, whose uses are reported when their responses came',
    [
      { ...at(186, 212), leadMs: 10_000 },
      { ...at(204, 215), leadMs: 10_000 },
    ],
    [at(171, 213), at(175, 218)],
    [0, 1],
  ],
  ['ambiguous: two uses, one request between them', [at(100), at(104)], [at(102)], [null]],
  ['ambiguous: one of two long uses', [at(100, 900), at(300, 900)], [at(400, 901)], [null]],
  ['only one of two uses had started', [at(100, 900), at(600, 900)], [at(400, 901)], [0]],
  ['a request does not end before its use', [at(100, 900)], [at(200, 300)], [null]],
  ['an empty side', [at(100), at(200)], [], []],
  ['a request that the page timed by its end alone', [at(5000)], [at(100, 5003)], [0]],
])('%s', (_, uses, requests, pairs) => {
  expect(partners(uses, requests)).toEqual(pairs);
});

const slackMs = 15;

function canBeOne(use: Span | undefined, request: Span | undefined): boolean {
  if (!use || !request) return false;
  const { startMs, endMs } = request;
  if (startMs < use.startMs - slackMs || startMs > use.endMs + slackMs) return false;
  return endMs >= use.endMs - slackMs;
}

/** Brute force: every way to give each item of the shorter list a partner in the longer one, in order. */
function placements(short: Span[], long: Span[], isOne: typeof canBeOne, from = 0): number[][] {
  const [first, ...rest] = short;
  if (!first) return [[]];
  return long.flatMap((each, index) => {
    if (index < from || !isOne(first, each)) return [];
    return placements(rest, long, isOne, index + 1).map((later) => [index, ...later]);
  });
}

/** Far enough apart that only overlapping spans are near each other. */
const spans = fc
  .array(fc.tuple(fc.nat(20), fc.nat(20)), { maxLength: 5 })
  .map((list) =>
    list.map(([start, length]) => at(start * 40, (start + length) * 40)).toSorted(bySpan),
  );

test('overlapping uses get exactly the pairs that every placement in order shares', () => {
  fc.assert(
    fc.property(spans, spans, (list, requests) => {
      // One more use, in progress all the time, makes them one group.
      const uses = [at(-1, 5000), ...list];
      const isFewer = uses.length < requests.length;
      const all = isFewer
        ? placements(uses, requests, canBeOne)
        : placements(requests, uses, (request, use) => canBeOne(use, request));
      const [short, long] = isFewer ? [uses, requests] : [requests, uses];
      const certain = short.flatMap((_, index) => {
        const places = new Set(all.map((placement) => placement[index]));
        const [place] = places;
        return place !== undefined && places.size === 1 ? [[index, place]] : [];
      });
      const touched = (each: Span) => requests.some(({ startMs }) => canBegin(each, startMs));
      fc.pre(isFewer || long.every(touched));
      const pairs = pairRequests(uses, requests).map(([use, request]) =>
        isFewer ? [use, request] : [request, use],
      );
      expect(pairs).toEqual(certain);
    }),
  );
});

function canBegin({ startMs, endMs }: Span, timeMs: number): boolean {
  return startMs - slackMs <= timeMs && timeMs <= endMs + slackMs;
}
