import { madeUpBase } from '../fixtures/made-up-base.ts';
import { expect, test } from 'vitest';
import { madeUpSlice } from '../fixtures/micro.ts';
import { summarizeMicro, verdictSentences } from './summary.ts';
import type { MicroRun } from './run.ts';

const plan = { crossoverMargin: 0.1, launches: 1 };
const run = { ...madeUpBase(), plan } as unknown as MicroRun;

/** Hits from disk, which differ from launch to launch, and from memory. */
function hits(bytes: number, launches: number) {
  return (['disk', 'memory'] as const).flatMap((cache) =>
    Array.from({ length: launches }, (_, launch) => {
      const us = cache === 'disk' ? 900 + 150 * launch : 1000;
      return madeUpSlice({ cache, bytes }, { launch, batchUs: [us, us + 10], counts: [9, 9] });
    }),
  );
}

test('unknown verdicts with the same reason share a sentence', () => {
  const slices = [...hits(50, 1), ...hits(1024, 1), ...hits(2048, 3)];
  expect(verdictSentences(summarizeMicro(run, slices).hitVerdicts)).toEqual([
    'Whether hits of 50 B and 1 KiB are slower on disk than in memory is unknown: that needs at least 3 launches.',
    'Whether hits of 2 KiB are slower on disk than in memory is unknown: the intervals include 0.',
  ]);
});
