import { type Gap, summarize } from '@cachescope/model/sweep/summary.ts';
import { expect, test } from 'vitest';
import { madeUpRun } from '@cachescope/model/fixtures/made-up-run.ts';
import {
  bytesCaption,
  deviceBytesCaption,
  deviceReadsCaption,
  flagCaption,
  gapCaption,
  readTimeCaption,
  tailCaption,
} from './captions.ts';

const { run, samples } = madeUpRun();
const summary = summarize(run, samples);
const empty = summarize({ ...run, proofs: [], stored: [] }, []);

test('captions state what the data show', () => {
  // The fixture's arms rise by 4.1 and 10.3 ms per ms, over 10 ms of delay.
  expect(readTimeCaption(summary)).toMatch(
    /^From 0\.42 to 10\.4 ms of measured delay the read time changes from 1[01](\.\d)? to 5\d(\.\d)? ms \(Brotli\) and from 1[01](\.\d)? to 11\d ms \(DCB\)\.$/,
  );
  expect(gapCaption(summary)).toMatch(/^DCB is slower than Brotli at (9|10) of 11 delays/);
  expect(deviceReadsCaption(summary)).toBe(
    'Device reads for one cached read: 5 (Brotli) and 13 (DCB).',
  );
  expect(deviceBytesCaption(summary)).toBe(
    'Bytes read from the device for one cached read: 268 KiB (Brotli) and 1,020 KiB (DCB).',
  );
  expect(bytesCaption(summary)).toBe(
    'Brotli sends 259 KiB and stores 259 KiB and DCB sends 8.3 KiB and stores 1,017 KiB.',
  );
});

test('flagged samples are a part of the timed ones; first loads are none of them', () => {
  const loads = samples.slice(0, 60).map((each) => ({ ...each, kind: 'first load' as const }));
  const timed = samples.filter(({ kind }) => kind === 'timed');
  const flagged = timed.filter(({ flags }) => flags.length > 0).length;
  expect(flagCaption(summarize(run, [...samples, ...loads]))).toEqual([
    `${flagged} of ${timed.length} timed samples are flagged and excluded from the statistics: origin-touched ${flagged}.`,
  ]);
  expect(flagCaption(empty)).toEqual([]);
});

test('captions without data say that nothing is known, and show no 0', () => {
  for (const caption of [readTimeCaption, deviceReadsCaption, deviceBytesCaption, bytesCaption]) {
    expect(caption(empty)).not.toMatch(/\b0\b|NaN|undefined|null/);
    expect(caption(empty).length).toBeGreaterThan(10);
  }
});

const [pointGap] = summary.points.flatMap(({ gaps }) => gaps);
if (!pointGap) throw new Error('two arms have a gap');

function verdictFrom(low: number | null, high: number | null): Gap['verdict'] {
  const isDecided = low !== null && high !== null && (low > 0 || high < 0);
  return {
    outcome: isDecided ? 'DIFFERENT' : 'UNKNOWN',
    direction: isDecided ? (low > 0 ? 'greater' : 'lesser') : null,
    better: null,
    beyondChance: false,
    reason: null,
    more: null,
    p: null,
    margin: 0.02,
  };
}

/** The summary cut to as many delays as there are intervals, each delay with its own gap; null: the gap is unknown. */
function withGaps(intervals: readonly (readonly [low: number, high: number] | null)[]) {
  const slow = summary.points.filter((point) => point.storage !== 'none');
  const points = slow.slice(0, intervals.length).map((point, index) => {
    const [lowMs, highMs] = intervals[index] ?? [null, null];
    const ms = lowMs === null || highMs === null ? null : (lowMs + highMs) / 2;
    const gaps = [{ ...pointGap, ms, verdict: verdictFrom(lowMs, highMs) }];
    return Object.assign({}, point, { gaps });
  });
  return { ...summary, points };
}

test.each([
  ['slower', [[1, 2]], 'DCB is slower than Brotli at 1 of 1 delays and faster at 0.'],
  ['faster', [[-2, -1]], 'DCB is slower than Brotli at 0 of 1 delays and faster at 1.'],
  [
    'an interval that holds 0 decides nothing',
    [
      [-1, 2],
      [1, 2],
      [-2, -1],
      [0, 3],
    ],
    'DCB is slower than Brotli at 1 of 4 delays and faster at 1, unknown at 2.',
  ],
  [
    'an unknown gap counts nowhere',
    [[1, 2], null],
    'DCB is slower than Brotli at 1 of 1 delays and faster at 0.',
  ],
] as const)('gap caption: %s', (_, intervals, caption) => {
  expect(gapCaption(withGaps(intervals))).toBe(caption);
});

test('the caption of tails names each p95, and says which is unknown', () => {
  const reads = summary.points[0]?.arms ?? [];
  const known = { medianMs: 20, p95Ms: 49.1, p99Ms: null };
  const profile = {
    name: 'disk',
    device: { medianMs: 2, p95Ms: 7.4, p99Ms: 12, reads: 100 },
    reads: reads.map((read) => ({
      ...read,
      tail: { ...known, p95Ms: read.arm === 'br' ? known.p95Ms : null },
      predictedP95Ms: null,
      errorShare: null,
    })),
    gaps: [],
  };
  expect(tailCaption(profile)).toBe(
    '95 % of cached reads take at most 49.1 ms (Brotli) and – (DCB), and 95 % of device reads at most 7.4 ms.',
  );
});
