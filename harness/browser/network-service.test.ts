import { expect, test } from 'vitest';
import { processorMsBetween, threadTimes } from './network-service.ts';

const times = (threadsMs: Record<string, number>) =>
  new Map(Object.entries(threadsMs).map(([tid, ms]) => [tid, ms * 1e6]));

test('processor time is that of all threads, those that began in between included', () => {
  const before = times({ 10: 100, 11: 20 });
  expect(processorMsBetween(before, times({ 10: 103, 11: 20, 12: 4 }))).toBeCloseTo(7, 6);
});

test('the processor time is unknown when a thread has exited: its earlier time would be subtracted', () => {
  const before = times({ 10: 100, 11: 150 });
  expect(processorMsBetween(before, times({ 10: 105 }))).toBeNull();
  expect(processorMsBetween(before, null)).toBeNull();
});

test('the kernel counts the threads of a process', () => {
  const before = threadTimes(process.pid);
  for (let sum = 0; sum < 1e6;) sum += Math.random();
  const after = threadTimes(process.pid);
  expect(after?.get(`${process.pid}`)).toBeGreaterThan(
    before?.get(`${process.pid}`) ?? Number.POSITIVE_INFINITY,
  );
});
