import { expect, test } from 'vitest';
import { plannedPrecision } from './planned-precision.ts';

// Simulated: method.md, "How many launches".
test.each([
  [3, 7, 0.069, 0.084],
  [5, 4, 0.042, 0.05],
  [7, 3, 0.036, 0.045],
])('%i launches of %i reads: as simulated, within 10 %', (launches, readsPerLaunch, level, gap) => {
  const planned = plannedPrecision({ launches, readsPerLaunch });
  expect(Math.abs((planned?.level ?? 0) / level - 1)).toBeLessThan(0.1);
  expect(Math.abs((planned?.gap ?? 0) / gap - 1)).toBeLessThan(0.1);
});

test('two launches have no precision', () => {
  expect(plannedPrecision({ launches: 2, readsPerLaunch: 1000 })).toBeNull();
});
