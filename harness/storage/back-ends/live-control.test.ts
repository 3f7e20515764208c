import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { propertiesAt } from '../device-properties.ts';
import {
  changeBadReads,
  changeDelays,
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
  expect(numbers()).toEqual([0.25, 0.25, 3, 0, 2e6]);
  changeBadReads(directory, 0.5);
  changeDelays(directory, propertiesAt(options, 7));
  expect(numbers()).toEqual([7, 7, 3, 0.5, 2e6]);
  withoutLiveDelays(directory);
  expect(numbers()).toEqual([0, 0, 0, 0, 0]);
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
