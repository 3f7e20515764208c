import { expect, test } from 'vitest';
import { readDisks } from './disk-reading.ts';

test('a disk is its delay, its bandwidth and, if told, its read-ahead', () => {
  const problems: string[] = [];
  expect(readDisks(['0.3ms,120MB/s,64KiB', '2ms,1.5GB/s'], problems)).toEqual([
    {
      name: '0.3ms,120MB/s,64KiB',
      delayMs: 0.3,
      bandwidthBytesPerSecond: 120e6,
      readAheadKiB: 64,
    },
    { name: '2ms,1.5GB/s', delayMs: 2, bandwidthBytesPerSecond: 1.5e9 },
  ]);
  expect(problems).toEqual([]);
  expect(readDisks(undefined, problems)).toBeUndefined();
});

test.each(['0.3,120MB/s', '0.3ms', '0.3ms,120', '-1ms,120MB/s', '99999ms,1MB/s', '1ms,0MB/s'])(
  'no disk: %s',
  (text) => {
    const problems: string[] = [];
    expect(readDisks([text], problems)).toEqual([]);
    expect(problems).toEqual([expect.stringContaining(JSON.stringify(text))]);
  },
);
