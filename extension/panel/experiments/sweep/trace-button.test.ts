import { madeUpRun } from '@cachescope/model/fixtures/made-up-run.ts';
import { madeUpTraced } from '@cachescope/model/fixtures/made-up-traced.ts';
import { expect, test } from 'vitest';
import { sweepTrace } from './trace-button.ts';

test('the saved trace has every device read of every traced read, with a separate process for each traced read', () => {
  const traced = [
    madeUpTraced('br', 5, 3, { beginUs: 1000 }),
    madeUpTraced('dcb', 5, 9, { beginUs: 70_000 }),
  ];
  const { traceEvents } = JSON.parse(sweepTrace({ ...madeUpRun(1), traced })) as {
    traceEvents: { cat: string; ph: string; pid: number }[];
  };
  const device = traceEvents.filter(({ cat, ph }) => cat === 'cachescope.device' && ph === 'X');
  expect(device).toHaveLength(traced.flatMap(({ deviceReads }) => deviceReads ?? []).length);
  expect(new Set(device.map(({ pid }) => pid)).size).toBe(2);
});
