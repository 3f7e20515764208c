import { expect, test } from 'vitest';
import { disagreements } from './witnesses.ts';

const agreeing = {
  attribution: { source: 'disk', confidence: 'certain' as const, reasons: [] },
  originRequests: 0,
  device: { reads: 3, readBytes: 73_728, writes: 0, writtenBytes: 0 },
  bodySha256: 'ab',
};

test('witnesses that agree raise no flag', () => {
  expect(disagreements(agreeing, { sha256: 'ab', storedBytes: 70_000 })).toEqual([]);
});

test('each witness that disagrees raises its own flag', () => {
  const other = { ...agreeing.attribution, source: 'memory' };
  expect(
    disagreements({ ...agreeing, attribution: other }, { sha256: 'ab', storedBytes: 70_000 }),
  ).toEqual(['source-not-disk']);
  expect(
    disagreements({ ...agreeing, originRequests: 1 }, { sha256: 'ab', storedBytes: 70_000 }),
  ).toEqual(['origin-touched']);
  expect(
    disagreements(
      { ...agreeing, device: { ...agreeing.device, reads: 0 } },
      { sha256: 'ab', storedBytes: 70_000 },
    ),
  ).toEqual(['device-silent']);
  expect(disagreements(agreeing, { sha256: 'cd', storedBytes: 70_000 })).toEqual(['wrong-body']);
});

test('a device with unreadable counters is unknown, not silent', () => {
  expect(
    disagreements({ ...agreeing, device: null }, { sha256: 'ab', storedBytes: 70_000 }),
  ).toEqual([]);
});

test('a failed read is not flagged for a wrong body', () => {
  const failed = { ...agreeing, bodySha256: '' };
  expect(disagreements(failed, { sha256: 'ab', storedBytes: 70_000 })).toEqual(['read-failed']);
});

test('a device that delivered fewer bytes than the entry has was not the only source', () => {
  const small = { ...agreeing, device: { ...agreeing.device, readBytes: 4096 } };
  const expected = { sha256: 'ab', storedBytes: 4096 + 32_769 };
  expect(disagreements(small, expected)).toEqual(['device-short']);
  expect(disagreements(small, { ...expected, storedBytes: 4096 + 32_768 })).toEqual([]);
});

test('at most a third of a large entry may have been read at browser start', () => {
  const large = { sha256: 'ab', storedBytes: 73_728 * 1.5 };
  expect(disagreements(agreeing, large)).toEqual([]);
  expect(disagreements(agreeing, { ...large, storedBytes: 73_728 * 1.5 + 2 })).toEqual([
    'device-short',
  ]);
});

test('the bytes read are not checked for an entry of unknown size', () => {
  expect(disagreements(agreeing, { sha256: 'ab', storedBytes: null })).toEqual([]);
});

test('with a warm page cache the device must not be read', () => {
  const silent = { ...agreeing, device: { ...agreeing.device, reads: 0, readBytes: 0 } };
  const expected = { sha256: 'ab', storedBytes: 70_000, state: 'warm' } as const;
  expect(disagreements(silent, expected)).toEqual([]);
  expect(disagreements(agreeing, expected)).toEqual(['page-cache-state']);
  const shared = { ...agreeing, device: { ...agreeing.device, shared: true as const } };
  expect(disagreements(shared, expected)).toEqual([]);
  const residency = { residentPages: 19, pages: 20 };
  expect(disagreements({ ...silent, residency }, expected)).toEqual(['page-cache-state']);
});

test('file-cold data comes from the device, and none of it is in memory before', () => {
  const expected = { sha256: 'ab', storedBytes: 70_000, state: 'file-cold' } as const;
  const of = (residentPages: number) => ({ ...agreeing, residency: { residentPages, pages: 20 } });
  expect(disagreements(of(0), expected)).toEqual([]);
  expect(disagreements(of(1), expected)).toEqual(['page-cache-state']);
  const silent = { ...of(20), device: { ...agreeing.device, reads: 0 } };
  expect(disagreements(silent, expected)).toEqual(['device-silent', 'page-cache-state']);
});
