import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { propertiesAt } from '../device-properties.ts';
import {
  changeBadReads,
  changeDelays,
  changeProfile,
  controlFile,
  makeControl,
  withoutLiveDelays,
} from './live-control.ts';

let directory = '';
beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'live-control-'))));
afterEach(() => rmSync(directory, { recursive: true }));

const numbers = () => [
  ...new Float64Array(new Uint8Array(readFileSync(controlFile(directory))).buffer),
];

test('delays, the share of bad reads and the bandwidth each have their own offset', () => {
  const options = {
    delayWrites: true,
    flushDelayMs: 3,
    bandwidthBytesPerSecond: 2e6,
    badReadRate: 0.5,
  };
  makeControl(directory, propertiesAt(options, 0.25));
  expect(numbers()).toEqual([0.25, 0.25, 3, 0, 2e6, 0]);
  changeBadReads(directory, 0.5);
  changeDelays(directory, propertiesAt(options, 7));
  expect(numbers()).toEqual([7, 7, 3, 0.5, 2e6, 0]);
  withoutLiveDelays(directory);
  expect(numbers()).toEqual([0, 0, 0, 0, 0, 0]);
});

test('a profile brings its bandwidth, unless the disk has its own, and takes it along', () => {
  const read = { kind: 'constant', ms: 1 } as const;
  const profile = { name: 'x', source: 'test', read, bandwidthBytesPerSecond: 3e6 };
  const bandwidths = (options: { bandwidthBytesPerSecond?: number }) => {
    const properties = propertiesAt({ delayWrites: false, profile, ...options }, 5);
    makeControl(directory, properties);
    return [true, false].map((on) => {
      changeProfile(directory, properties, on);
      return numbers().slice(4);
    });
  };
  expect(bandwidths({})).toEqual([
    [3e6, 1],
    [0, 0],
  ]);
  expect(bandwidths({ bandwidthBytesPerSecond: 2e6 })).toEqual([
    [2e6, 1],
    [2e6, 0],
  ]);
});

test('a symbolic link is not written through, and a missing file is not created', () => {
  const other = join(directory, 'other');
  writeFileSync(other, 'kept');
  symlinkSync(other, controlFile(directory));
  withoutLiveDelays(directory);
  expect(readFileSync(other, 'utf8')).toBe('kept');
  rmSync(controlFile(directory));
  withoutLiveDelays(directory);
  expect(() => numbers()).toThrow('ENOENT');
});
