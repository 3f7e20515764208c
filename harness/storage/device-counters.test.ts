import { existsSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { blockDirectory, difference, parseCounters } from './device-counters.ts';

test('the fields of a stat file: reads, merges, sectors, ms, and the same for writes', () => {
  const text =
    '   27810       17  1234568    30000     4761      3    88   900   2  5 6  0 0 0 0 0 0\n';
  expect(parseCounters(text)).toEqual({
    reads: 27810,
    readBytes: 1234568 * 512,
    writes: 4761,
    writtenBytes: 88 * 512,
    inFlight: 2,
  });
});

test('the difference between two readings', () => {
  const before = { reads: 10, readBytes: 40960, writes: 2, writtenBytes: 8192 };
  const after = { reads: 21, readBytes: 1052672, writes: 2, writtenBytes: 8192 };
  const between = { reads: 11, readBytes: 1011712, writes: 0, writtenBytes: 0 };
  expect(difference(after, before)).toEqual(between);
  expect(difference({ ...after, shared: true }, before)).toEqual({ ...between, shared: true });
});

test('a device number is resolved to its device; file systems such as tmpfs have none', () => {
  expect(blockDirectory(statSync('/proc').dev)).toBeNull();
  // Loop devices have major 7: makedev(7, 0).
  const expected = existsSync('/sys/dev/block/7:0') ? '/sys/dev/block/7:0' : null;
  expect(blockDirectory(0x700)).toBe(expected);
});
