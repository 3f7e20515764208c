import { expect, test } from 'vitest';
import {
  designText,
  halvingText,
  heterogeneityText,
  machineCaption,
  varianceText,
} from './machine-gaps.ts';

const machine = { machine: 'm1', relative: 0.2, interval: null, launches: 1 };

test('a caption names mean, interval, its scope, the prediction and the heterogeneity', () => {
  expect(
    machineCaption({
      machines: [machine, machine, machine, machine],
      relative: 0.232,
      scope: 'any machine',
      interval: { low: 0.112, high: 0.365 },
      prediction: { low: -0.037, high: 0.576 },
      heterogeneity: 0.91,
    }),
  ).toBe(
    'Mean of 4 machines: +23.2 % (95 % CI +11.2 % to +36.5 %; holds for any machine of their kind). Next machine: -3.7 % to +57.6 %. I² 91 %, high: machines differ far more than chance explains.',
  );
});

test('a caption says what is unknown with one launch on one machine', () => {
  const unknown = { interval: null, prediction: null, heterogeneity: null };
  expect(
    machineCaption({ machines: [machine], relative: 0.2, scope: 'these machines', ...unknown }),
  ).toBe(
    'On 1 machine: +20.0 % (interval unknown). I² unknown: it needs two machines, and three launches on each.',
  );
});

test.each([
  [0, 'chance explains the differences'],
  [0.249, 'chance explains the differences'],
  [0.25, 'low'],
  [0.5, 'moderate'],
  [0.75, 'high'],
  [1, 'high'],
])('I² of %d is graded', (share, word) => {
  expect(heterogeneityText(share)).toContain(`%, ${word}`);
});

test('the variance by source is in percent, and the design that halves the interval has its machine time', () => {
  const components = { machine: Math.log(1.1) ** 2, launch: 0, read: Math.log(1.05) ** 2 };
  const now = { machines: 6, launches: 2, reads: 4, machineTimeMs: 600_000 };
  const halved = { machines: 20, launches: 2, reads: 1, machineTimeMs: 7_200_000 };
  expect(varianceText({ components, now, halved })).toBe(
    'SD between machines 10 %, between launches 0 %, between reads 5 %',
  );
  expect(halvingText({ components, now, halved })).toBe(
    'Half the interval for the least machine time: 20 machines x 2 launches x 1 read, 2 h (now 6 machines x 2 launches x 4 reads, 10 min)',
  );
  expect(halvingText({ components, now, halved: null })).toBe('');
  expect(halvingText(null)).toBe('');
  expect(varianceText(null)).toContain('unknown');
  expect(designText({ ...halved, launches: 1 })).toContain('x 1 launch x');
});
