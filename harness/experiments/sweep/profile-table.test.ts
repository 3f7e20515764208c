import { madeUpRun } from '@cachescope/model/fixtures/made-up-run.ts';
import { summarize } from '@cachescope/model/sweep/summary.ts';
import { expect, test } from 'vitest';
import { profileCsv } from './csv.ts';
import { profileTable } from './text-table.ts';

const { points } = (() => {
  const { run, samples } = madeUpRun(6);
  return summarize(run, samples);
})();
const arms = points.at(-1)?.arms ?? [];
const tail = { medianMs: 20, p95Ms: 40, p99Ms: null };
const profile = {
  name: 'disk',
  device: { medianMs: 2, p95Ms: 8.5, p99Ms: 15, reads: 100 },
  reads: arms.map((arm) => ({ ...arm, tail, predictedP95Ms: 44, errorShare: 0.1 })),
  gaps: [],
};

test('the table of a profile has a row for the device and each series, and a dash for what is unknown', () => {
  const [head, device, brotli] = profileTable(profile).split('\n');
  expect(head).toMatch(/^disk +median +p95 +p99 +p95 predicted +error$/);
  expect(device).toMatch(/^device read +2 +8\.5 +15/);
  expect(brotli).toMatch(/^Brotli +.*\] +40 +– +44 +10 %$/);
});

test('its CSV has the median of the table, and leaves unknown fields empty', () => {
  expect(profileCsv(profile).split('\n').slice(1, 3)).toEqual([
    'disk,device read,100,2,8.5,15,,',
    `disk,Brotli,6,${arms[0]?.medianMs},40,,44,0.1`,
  ]);
});
