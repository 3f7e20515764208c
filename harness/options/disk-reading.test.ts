import { expect, test } from 'vitest';
import { readDisk } from './disk-reading.ts';

test('a disk is its delay, its bandwidth and, if given, its read-ahead', () => {
  const problems: string[] = [];
  const disks = ['0.3ms,120MB/s,64KiB', '2ms,1.5GB/s'];
  expect(disks.map((text) => readDisk(text, '--disk', problems))).toEqual([
    {
      name: '0.3ms,120MB/s,64KiB',
      delayMs: 0.3,
      bandwidthBytesPerSecond: 120e6,
      readAheadKiB: 64,
    },
    { name: '2ms,1.5GB/s', delayMs: 2, bandwidthBytesPerSecond: 1.5e9 },
  ]);
  expect(problems).toEqual([]);
});

test.each(['0.3,120MB/s', '0.3ms', '0.3ms,120', '-1ms,120MB/s', '99999ms,1MB/s', '1ms,0MB/s'])(
  'not a disk: %s',
  (text) => {
    const problems: string[] = [];
    readDisk(text, '--disk', problems);
    expect(problems).toEqual([expect.stringContaining(JSON.stringify(text))]);
  },
);
