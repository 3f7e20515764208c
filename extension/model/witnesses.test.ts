import { expect, test } from 'vitest';
import { disagreements } from './witnesses.ts';

const agreeing = {
  attribution: { source: 'disk', confidence: 'certain' as const, reasons: [] },
  originRequests: 0,
  device: { reads: 3, readBytes: 73_728, writes: 0, writtenBytes: 0 },
  bodySha256: 'ab',
};

test('witnesses that agree raise no flag', () => {
  expect(disagreements(agreeing, 'ab')).toEqual([]);
});

test('each witness that disagrees raises its own flag', () => {
  const other = { ...agreeing.attribution, source: 'memory' };
  expect(disagreements({ ...agreeing, attribution: other }, 'ab')).toEqual(['source-not-disk']);
  expect(disagreements({ ...agreeing, originRequests: 1 }, 'ab')).toEqual(['origin-touched']);
  expect(disagreements({ ...agreeing, device: { ...agreeing.device, reads: 0 } }, 'ab')).toEqual([
    'device-silent',
  ]);
  expect(disagreements(agreeing, 'cd')).toEqual(['wrong-body']);
});

test('a device that cannot be read is unknown, not silent', () => {
  expect(disagreements({ ...agreeing, device: null }, 'ab')).toEqual([]);
});

test('a read that failed brought no wrong bytes', () => {
  const failed = { ...agreeing, bodySha256: '' };
  expect(disagreements(failed, 'ab')).toEqual(['read-failed']);
});
