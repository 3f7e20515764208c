import { expect, test } from 'vitest';
import { madeUpTraced } from '../fixtures/made-up-traced.ts';
import { stepCharts } from './step-charts.ts';

test('device reads and bytes count in the step that issued them, at the largest delay', () => {
  const header = { startMs: 1, endMs: 6, offset: 0, bytes: 4096, kind: 'headers' as const };
  const between = { ...header, startMs: 1000, kind: 'other' as const };
  const br = madeUpTraced('br', 5, 2);
  const traced = [
    madeUpTraced('br', 1, 7),
    { ...br, deviceReads: [header, ...(br.deviceReads ?? []), between] },
    madeUpTraced('dcb', 5, 9),
  ];
  const [reads, bytes] = stepCharts(traced).map(({ bars }) =>
    bars.map(({ series, label, value }) => `${series} ${label} ${value}`),
  );
  expect(reads).toEqual([
    'Brotli Open 1',
    'Brotli Body 2',
    'Brotli Rest 1',
    'DCB Open 0',
    'DCB Body 9',
    'DCB Rest 0',
  ]);
  expect(bytes).toContain('Brotli Open 4');
  expect(bytes).toContain('DCB Body 1152');
});

test('unknown device reads are not 0 reads', () => {
  expect(stepCharts([madeUpTraced('br', 5, 2, { deviceReads: null })])).toEqual([]);
  expect(stepCharts([])).toEqual([]);
});
