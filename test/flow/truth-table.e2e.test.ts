import { type Origin, startOrigin } from '@cachescope/origin/server.ts';
import { situations } from '@cachescope/origin/situations/situations.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Played } from '../../harness/situations/play.ts';
import {
  describePlay,
  isTwice,
  neverCameAbout,
  playAll,
  unreported,
} from '../../harness/situations/truth-table.ts';

/** One situation for each cache source; test/deep plays all of them, at every depth. */
const selection = [
  'network-brotli',
  'disk-fetch',
  'memory-script',
  'revalidated-fetch',
  'revalidated-script-in-memory',
  'stale-while-revalidate',
  'prefetch-link-script',
  'prefetch-speculation',
  'early-hints-script',
  'worker-network',
  'worker-cache-storage',
  'back-forward-cache',
  'same-document',
  'preload-then-use',
  'data-url',
  'dcb-disk',
  'range-half-on-disk',
  'script-blocked-by-csp',
  'script-failed',
];

/** The one that everybody has, and the one that knows most. */
const ways = ['page', 'debugger'] as const;

let origin: Origin;
let played: Played[];

beforeAll(async () => {
  origin = await startOrigin({ workloads: [], situations: true });
  const wanted = situations.filter(({ name }) => selection.includes(name));
  const plays = ways.map((way) => playAll(origin, way, wanted));
  played = (await Promise.all(plays)).flat();
});
afterAll(() => origin?.close());

test('each situation came about in some way to watch, in one of its outcomes', () => {
  expect(played).toHaveLength(selection.length * ways.length);
  expect(neverCameAbout(played)).toEqual([]);
});

test('the instrument saw every one of them', () => {
  expect(played.filter(({ resource }) => !resource).map(describePlay)).toEqual([]);
});

test('each witness reported the last request of every document', () => {
  expect(unreported(played)).toEqual([]);
});

test('each use is there once', () => {
  expect(played.filter(isTwice).map(describePlay)).toEqual([]);
});

test('no verdict is wrong, and the debugger leaves none unknown', () => {
  const bad = played.filter(
    ({ judgement, watching }) =>
      judgement === 'wrong' || (judgement === 'unknown' && watching === 'debugger'),
  );
  expect(bad.map(describePlay)).toEqual([]);
});
