import { expect, test } from 'vitest';
import { diskProblems, propertiesAt, requireReadDelay } from './device-properties.ts';

test('writes and flushes have no delay, the read delay, or their own', () => {
  const at = (options: object) => {
    const { readDelayMs, writeDelayMs, flushDelayMs } = propertiesAt(
      { delayWrites: false, ...options },
      5,
    );
    return [readDelayMs, writeDelayMs, flushDelayMs];
  };
  expect(at({})).toEqual([5, 0, 0]);
  expect(at({ delayWrites: true })).toEqual([5, 5, 5]);
  expect(at({ writeDelayMs: 2 })).toEqual([5, 2, 0]);
  expect(at({ delayWrites: true, flushDelayMs: 0 })).toEqual([5, 5, 0]);
});

test('every broken rule is reported, with the value', () => {
  const broken = {
    delayWrites: false,
    writeDelayMs: -1,
    flushDelayMs: 10_001,
    bandwidthBytesPerSecond: 0,
    badReadRate: 1.5,
    readAheadKiB: 65_537,
    imageBytes: 1,
    fileSystem: 'xfs',
  } as const;
  const problems = diskProblems(broken).join('\n');
  for (const words of ['-1', '10001', 'is 0 bytes a second', '1.5', '65537', 'xfs needs 314572800'])
    expect(problems).toContain(words);
  expect(diskProblems(broken)).toHaveLength(6);
  expect(diskProblems({ delayWrites: true, readAheadKiB: 0, badReadRate: 0 })).toEqual([]);
  expect(diskProblems({ delayWrites: true, writeDelayMs: Number.NaN })).toHaveLength(1);
});

test.each([-1, 10_001, Number.NaN, Number.POSITIVE_INFINITY])(
  'a delay of %d ms is refused',
  (delayMs) => {
    expect(() => requireReadDelay(delayMs)).toThrow(
      `the delay is ${delayMs}; it must be a number of ms from 0 to 10000`,
    );
  },
);
