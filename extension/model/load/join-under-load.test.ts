import fc from 'fast-check';
import { expect, test } from 'vitest';
import { network, timing } from '../fixtures/cache-source.ts';
import { began, observedDocument as document } from '../fixtures/observed-load.ts';
import { joinLoad } from './join.ts';
import type { Load } from './load.ts';
import type { Observation } from './observation.ts';

/** One made-up request, and how its witnesses report it. Times in ms. */
interface MadeUp {
  url: number;
  /** The document, one of two frames, or a worker, whose requests the page cannot see. */
  asker: 'D' | 'E' | 'F' | 'worker';
  isMemoryHit: boolean;
  /** Since the previous request began. */
  gapMs: number;
  /** Until the browser saw it; until the response arrived; until the browser reported its end. */
  queueMs: number;
  serviceMs: number;
  lateMs: number;
  isDropped: boolean;
  isReportedTwice: boolean;
  /** When each of its observations arrives. */
  arrivals: [number, number, number];
}

type Depth = 'webRequest' | 'debugger';
/** Which witness misses some of a URL's requests. */
type Gap = 'nobody' | 'page' | 'other';
interface Case {
  depth: Depth;
  requests: MadeUp[];
  gaps: Gap[];
}

const arrival = fc.nat(5000);
const madeUp = (urls: number): fc.Arbitrary<MadeUp> =>
  fc.record({
    url: fc.nat(urls - 1),
    asker: fc.constantFrom('D', 'D', 'E', 'F', 'worker'),
    isMemoryHit: fc.boolean(),
    gapMs: fc.nat(20),
    queueMs: fc.oneof(fc.nat(10), fc.nat(5000)),
    serviceMs: fc.integer({ min: 1, max: 500 }),
    lateMs: fc.oneof(fc.nat(5), fc.nat(3000)),
    isDropped: fc.boolean(),
    isReportedTwice: fc.boolean(),
    arrivals: fc.tuple(arrival, arrival, arrival),
  });

const cases = (count: number, urls: number): fc.Arbitrary<Case> =>
  fc.record({
    depth: fc.constantFrom('webRequest', 'debugger'),
    requests: fc.array(madeUp(urls), {
      minLength: count > 100 ? count : 0,
      maxLength: count,
      size: 'max',
    }),
    gaps: fc.array(fc.constantFrom('nobody', 'nobody', 'page', 'other'), {
      minLength: 7,
      maxLength: 7,
    }),
  });

/** The observations of one request: undefined for a witness that reports none. */
interface Reported {
  id: number;
  url: string;
  gap: Gap;
  page: Observation | undefined;
  other: Observation | undefined;
}

/** Simulates the requests: requests of one URL and document reach the browser in order, however late. */
function play({ depth, requests, gaps }: Case): Reported[] {
  const ofWorkers = new Set(
    requests.filter(({ asker }) => asker === 'worker').map(({ url }) => url),
  );
  const seenMs = new Map<string, number>();
  const endedMs = new Map<string, number>();
  let startMs = began;
  return requests.map((request, id) => {
    const { asker, isDropped, queueMs, serviceMs, lateMs } = request;
    // Two memory cache hits at the same time cannot be distinguished.
    startMs += request.isMemoryHit ? Math.max(1, request.gapMs) : request.gapMs;
    const url = `http://127.0.0.1/${request.url}`;
    const isMemoryHit = request.isMemoryHit && asker !== 'worker';
    // The page's report already lacks a worker's requests: then the other witness reports all of them.
    const chosen = gaps[request.url % gaps.length] ?? 'nobody';
    const gap = ofWorkers.has(request.url) ? 'page' : chosen;
    // The debugger's timestamps are those of the page's own thread.
    const place = depth === 'webRequest' ? `${url} ${asker}` : url;
    const delayMs = depth === 'webRequest' ? queueMs : queueMs % 3;
    const seen = Math.max(startMs + delayMs, (seenMs.get(place) ?? 0) + 0.01);
    const end = isMemoryHit ? startMs : Math.max(seen + serviceMs, (endedMs.get(place) ?? 0) + 0.1);
    // chrome.webRequest sees no memory cache hits.
    if (!isMemoryHit || depth === 'debugger') seenMs.set(place, seen);
    if (!isMemoryHit) endedMs.set(place, end);
    const isPageSilent = asker === 'worker' || (gap === 'page' && isDropped);
    const isOtherSilent = (gap === 'other' && isDropped) || (isMemoryHit && depth === 'webRequest');
    const common = { tabId: 7, url, facts: {} };
    const page: Observation = {
      ...common,
      witness: 'page',
      key: `page ${id}`,
      documentId: asker,
      startedAtMs: startMs,
      endedAtMs: end,
      context: asker === 'D' ? 'document' : 'frame',
      evidence: {
        timing: timing({ startTime: startMs, duration: end - startMs, encodedBodySize: id }),
      },
    };
    const seenBy = {
      ...common,
      key: `${depth} ${id}`,
      startedAtMs: seen,
      endedAtMs: Math.max(seen, end) + (depth === 'webRequest' ? lateMs : 0),
    };
    return {
      id,
      url,
      gap,
      page: isPageSilent ? undefined : page,
      other: isOtherSilent ? undefined : otherOf(depth, id, asker, seenBy),
    };
  });
}

function otherOf(
  depth: Depth,
  id: number,
  asker: MadeUp['asker'],
  seenBy: Pick<Observation, 'key' | 'tabId' | 'url' | 'facts' | 'startedAtMs' | 'endedAtMs'>,
): Observation {
  const documentId = asker === 'worker' ? 'D' : asker;
  if (depth === 'webRequest') {
    const evidence = { fromCache: false, statusCode: id, requests: 1 };
    return { ...seenBy, witness: 'webRequest', documentId, context: 'unknown', evidence };
  }
  return {
    ...seenBy,
    witness: 'debugger',
    context: asker === 'worker' ? 'worker' : 'unknown',
    evidence: network({ extraInfoStatus: 200, encodedDataLength: id }),
  };
}

/** Observations in order of arrival, some of them twice. */
function arriving(reported: readonly Reported[], { requests }: Case): Observation[] {
  return reported
    .flatMap(({ id, page, other }) => {
      const { arrivals, isReportedTwice } = requests[id] ?? {
        arrivals: [0, 0, 0],
        isReportedTwice: false,
      };
      const list = [page, other, isReportedTwice ? (other ?? page) : undefined];
      return list.flatMap((each, place) => (each ? [{ each, atMs: arrivals[place] ?? 0 }] : []));
    })
    .toSorted((one, other) => one.atMs - other.atMs)
    .map(({ each }) => each);
}

interface Row {
  url: string;
  pageId: number | undefined;
  otherId: number | undefined;
  unpaired: readonly string[];
}

function rowsOf({ resources }: Load, depth: Depth): Row[] {
  return resources.map(({ url, evidence, unpaired = [] }) => ({
    url,
    pageId: evidence.page?.timing?.encodedBodySize,
    otherId:
      depth === 'webRequest'
        ? evidence.webRequest?.statusCode
        : (evidence.debugger?.encodedDataLength ?? undefined),
    unpaired,
  }));
}

function check(made: Case): void {
  const { depth } = made;
  const reported = play(made);
  const watches = (['page', depth] as const).map((each) => ({
    key: each,
    tabId: 7,
    depth: each,
    fromMs: began - 100,
    toMs: null,
  }));
  const load = joinLoad({ document, observations: arriving(reported, made), watches });
  const rows = rowsOf(load, depth);
  const byPage = Map.groupBy(rows, ({ pageId }) => pageId);
  const byOther = Map.groupBy(rows, ({ otherId }) => otherId);
  const crossed = rows.filter(
    ({ pageId, otherId }) => pageId !== undefined && otherId !== undefined && pageId !== otherId,
  );
  expect(crossed, 'a pair of two different requests').toEqual([]);
  const isOnce = ({ id, page, other }: Reported): boolean =>
    (byPage.get(id)?.length ?? 0) === (page ? 1 : 0) &&
    (byOther.get(id)?.length ?? 0) === (other ? 1 : 0);
  expect(
    reported.filter((each) => !isOnce(each)),
    'lost, or reported twice by one witness',
  ).toEqual([]);
  const apart = reported.filter(
    ({ id, page, other }) => page && other && byPage.get(id)?.[0] !== byOther.get(id)?.[0],
  );
  const isSaid = ({ id }: Reported): boolean =>
    byPage.get(id)?.[0]?.unpaired.includes(depth) === true &&
    byOther.get(id)?.[0]?.unpaired.includes('page') === true;
  expect(
    apart.filter((each) => !isSaid(each)),
    'in two rows without a word',
  ).toEqual([]);
  expect(
    apart.filter(({ gap }) => gap === 'nobody'),
    'in two rows although both reported all',
  ).toEqual([]);
  const isWarned = load.warnings.some((sentence) => sentence.includes('could not be matched'));
  expect(isWarned).toBe(rows.some(({ unpaired }) => unpaired.length > 0));
}

test('of 5,000 requests none is lost, none is in two rows without a mark, and no pair is wrong', () => {
  for (const urls of [1, 60, 2500]) {
    const large = cases(5000, urls).map((made) => made);
    const [made] = fc.sample(large, { numRuns: 1, seed: urls });
    if (!made) throw new Error('nothing was made up');
    check(made);
  }
});

test('the same properties hold for small cases in many variants', () => {
  fc.assert(fc.property(cases(30, 4), check), { numRuns: 500 });
});
