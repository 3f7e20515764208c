import { expect, test } from 'vitest';
import { badBlocksTable, delayTable, soundTable, withoutDelays } from './device-mapper.ts';

const delays = { readDelayMs: 7, writeDelayMs: 3, flushDelayMs: 9 };
const rest = { bandwidthBytesPerSecond: null, badReadRate: 0 };
const imageBytes = 1024 ** 3;
const sectors = imageBytes / 512;

test('the delay table lists ms of reads, then of writes, then of flushes', () => {
  expect(delayTable('/dev/loop1', imageBytes, { ...delays, ...rest })).toBe(
    `0 ${sectors} delay /dev/loop1 0 7 /dev/loop1 0 3 /dev/loop1 0 9`,
  );
});

test('a table of any of the three forms gets zero delays, and other tables are left alone', () => {
  expect(withoutDelays(`0 ${sectors} delay 7:0 0 5000 7:0 0 20 7:0 0 1\n`)).toBe(
    `0 ${sectors} delay 7:0 0 0 7:0 0 0 7:0 0 0`,
  );
  expect(withoutDelays('0 8 delay 7:0 16 5000')).toBe('0 8 delay 7:0 16 0');
  expect(withoutDelays('0 8 linear 7:0 16')).toBeNull();
  expect(withoutDelays('0 8 flakey 7:0 0 0 1')).toBeNull();
  expect(withoutDelays('')).toBeNull();
});

/** Lines of a table as [start, sectors, target]. */
function linesOf(table: string): [number, number, string][] {
  return table.split('\n').map((line) => {
    const [start, length, target] = line.split(' ');
    return [Number(start), Number(length), target ?? ''];
  });
}

test.each([0.01, 0.1, 0.5, 1])(
  'bad blocks are a share of %f of the device, without gap or overlap',
  (rate) => {
    const lines = linesOf(badBlocksTable('/dev/loop1', imageBytes, rate));
    let end = 0;
    for (const [start, length] of lines) {
      expect(start).toBe(end);
      expect(length % 128).toBe(0);
      end += length;
    }
    expect(end).toBe(sectors);
    const bad = lines.filter(([, , target]) => target === 'flakey');
    const share = bad.reduce((sum, [, length]) => sum + length, 0) / sectors;
    // Of 16,384 stretches; three standard deviations.
    expect(Math.abs(share - rate)).toBeLessThanOrEqual(3 * Math.sqrt((rate * (1 - rate)) / 16_384));
  },
);

test('the same blocks are bad each time; the end is covered too when the size is no multiple of a stretch', () => {
  expect(badBlocksTable('/dev/loop1', imageBytes, 0.1)).toBe(
    badBlocksTable('/dev/loop1', imageBytes, 0.1),
  );
  expect(badBlocksTable('/dev/loop1', 64 * 1024 + 4096, 1)).toBe(
    '0 136 flakey /dev/loop1 0 0 1 1 error_reads',
  );
  expect(soundTable('/dev/loop1', 4096)).toBe('0 8 flakey /dev/loop1 0 1 0 1 error_reads');
});
