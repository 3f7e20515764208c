import { expect, test } from 'vitest';
import { readDevice, readSlowParts } from './device-reading.ts';

test('options that are not given are absent', () => {
  expect(readDevice({}, [])).toBeUndefined();
  expect(readSlowParts(undefined, [])).toBeUndefined();
});

test('the device is parsed with its units', () => {
  const problems: string[] = [];
  const raw = { writeDelay: '2', flushDelay: '0.5', bandwidth: '1.5MB/s', badReads: '0.05' };
  expect(readDevice(raw, problems)).toEqual({
    writeDelayMs: 2,
    flushDelayMs: 0.5,
    bandwidthBytesPerSecond: 1_500_000,
    badReadRate: 0.05,
  });
  expect(readSlowParts('profile, cache', problems)).toEqual(['cache', 'profile']);
  expect(problems).toEqual([]);
});

test('every problem is reported at once', () => {
  const problems: string[] = [];
  readDevice({ writeDelay: '-1', flushDelay: '10001', bandwidth: '20', badReads: '1.5' }, problems);
  readSlowParts('cache,swap', problems);
  expect(problems).toHaveLength(5);
  expect(problems.join('\n')).toContain('from 0ms to 10000ms');
  expect(problems.join('\n')).toContain('"swap"; known are cache, dictionaries, profile');
});

test.each(['9kB/s', '101GB/s'])(
  'a bandwidth of %s is beyond what a disk can be given',
  (bandwidth) => {
    const problems: string[] = [];
    readDevice({ bandwidth }, problems);
    expect(problems).toEqual([expect.stringContaining('from 10kB/s to 100GB/s')]);
  },
);
