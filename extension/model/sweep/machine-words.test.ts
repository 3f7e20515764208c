import { expect, test } from 'vitest';
import { heterogeneityText, machineCaption } from './machine-words.ts';

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
    'On 1 machine: +20.0 % (interval unknown). I² unknown: fewer than two machines have an interval.',
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
