import { expect, test } from 'vitest';
import {
  designText,
  halvingText,
  heterogeneityText,
  machineCaption,
  type MachineGap,
  machineSentences,
  varianceText,
} from './machine-gaps.ts';

const machine = { machine: 'm1', relative: 0.2, interval: null, launches: 1 };

/** The gap of DCB and Brotli at a delay on machines m1, m2, and so on. */
function gapOn(machines: number, requestedDelayMs: number): MachineGap {
  const named = Array.from({ length: machines }, (_, place) => `m${place + 1}`);
  return {
    between: 'arms',
    of: { arm: 'dcb' },
    against: { arm: 'br' },
    storage: 'nbd-live',
    requestedDelayMs,
    pooled: {
      machines: named.map((name) => ({ ...machine, machine: name })),
      relative: 0.2,
      scope: machines >= 4 ? 'any machine' : 'these machines',
      interval: null,
      prediction: null,
      heterogeneity: null,
    },
    variance: null,
  };
}

test('points with too few machines are named: their effects do not hold for other machines', () => {
  const all =
    "Effects over 4 machines hold for any machine of their kind (Student's t over machines, 3 degrees of freedom); all other intervals hold for these machines.";
  expect(machineSentences([gapOn(4, 0), gapOn(4, 1)])).toEqual([all]);
  expect(machineSentences([gapOn(4, 0), gapOn(3, 1), gapOn(4, 2), gapOn(2, 5)])).toEqual([
    all,
    'Effects with usable reads on fewer than 4 machines hold for these machines only: DCB against Brotli at 1 ms and 5 ms.',
  ]);
  expect(machineSentences([gapOn(6, 0), gapOn(4, 1)])[0]).toMatch(
    /^Effects over 4 to 6 machines .* 3 to 5 degrees of freedom/,
  );
  expect(machineSentences([gapOn(3, 0), gapOn(1, 1)])).toEqual([
    'Effects hold for these machines only (m1, m2, m3): 4 machines or more at a point are needed for an interval that holds for others.',
  ]);
  expect(machineSentences([])).toEqual([]);
});

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
