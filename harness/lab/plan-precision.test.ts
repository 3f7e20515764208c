import { expect, test } from 'vitest';
import { precisionText } from './plan-precision.ts';

test('a plan says what it can show, and what a plan without intervals needs', () => {
  expect(precisionText({ launches: 5, readsPerLaunch: 4 })).toBe(
    'about ±4.3 % for a value and ±5.1 % for a gap, where single times vary by 5 %',
  );
  expect(precisionText({ launches: 1, readsPerLaunch: 20 })).toBe(
    'no intervals and no verdicts: they need 3 launches (--launches 3)',
  );
  const rounds = { option: '--rounds', plural: 'rounds' };
  expect(precisionText({ launches: 2, readsPerLaunch: 1 }, rounds)).toContain('(--rounds 3)');
});
