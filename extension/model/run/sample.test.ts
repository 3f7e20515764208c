import { expect, test } from 'vitest';
import { madeUpRun } from '../fixtures/made-up-run.ts';
import { sampleSchema } from './sample.ts';

test('a read takes no time below 0', () => {
  const [sample] = madeUpRun(1).samples;
  const isRead = (readMs: number) => sampleSchema.safeParse({ ...sample, readMs }).success;
  expect([0, 5, -5].map(isRead)).toEqual([true, true, false]);
});
