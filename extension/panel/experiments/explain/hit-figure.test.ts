import { expect, test } from 'vitest';
import { madeUpTraced } from '@cachescope/model/fixtures/made-up-traced.ts';
import { hitCaption, shownGroup, tracedGroups } from './hit-figure.ts';

const traced = [
  madeUpTraced('br', 0, 3),
  madeUpTraced('dcb', 0, 10),
  madeUpTraced('br', 5, 3),
  madeUpTraced('dcb', 5, 10),
  madeUpTraced('br', 2, 3),
];

test('the arms of one point are in one group', () => {
  const groups = tracedGroups(traced);
  expect(groups.map(({ title, reads }) => [title, reads.map(({ cell }) => cell.arm)])).toEqual([
    ['control', ['br', 'dcb']],
    ['5 ms of read delay', ['br', 'dcb']],
    ['2 ms of read delay', ['br']],
  ]);
});

test('reads of two machines are in separate groups', () => {
  const machines = [1, 2].map((shard) => madeUpTraced('br', 5, 3, { machine: `m${shard}`, shard }));
  expect(tracedGroups(machines).map(({ title }) => title)).toEqual([
    '5 ms of read delay, m1, shard 1',
    '5 ms of read delay, m2, shard 2',
  ]);
});

test('the first figure shows the largest delay of the first workload and variant', () => {
  expect(shownGroup(tracedGroups(traced))?.title).toBe('5 ms of read delay');
  const other = madeUpTraced('br', 9, 3);
  const sql = { ...other, cell: { ...other.cell, variant: 'disk-cache=sql' } };
  expect(shownGroup(tracedGroups([...traced, sql]))?.title).toBe('5 ms of read delay');
  expect(shownGroup([])).toBeUndefined();
});

test('the caption gives the number of serial reads, and says when a count is unknown', () => {
  const [known] = tracedGroups([madeUpTraced('dcb', 5, 10)]);
  expect(known && hitCaption(known)).toMatch(
    /^DCB: 60 ms, 10 device reads \(1\.25 MiB\), 10 of them serial\./,
  );
  const [shared] = tracedGroups([madeUpTraced('br', 0, 3, { serialReads: null })]);
  expect(shared && hitCaption(shared)).toMatch(
    /3 device reads .* some perhaps of other programs\./,
  );
  const [unseen] = tracedGroups([madeUpTraced('br', 0, 3, { deviceReads: null })]);
  expect(unseen && hitCaption(unseen)).toMatch(/^Brotli: 5 ms, device reads unknown\./);
});

test('the caption counts system calls and the files they used', () => {
  const call = {
    name: 'pread64',
    startMs: 1,
    endMs: 2,
    bytes: 9,
    offset: 0,
    kind: 'cache' as const,
  };
  const syscalls = [
    { ...call, file: 'a_0' },
    { ...call, file: 'a_0' },
    { ...call, file: 'libfoo.so', kind: 'other' as const },
  ];
  const [group] = tracedGroups([madeUpTraced('dcb', 5, 10, { syscalls })]);
  expect(group && hitCaption(group)).toContain(
    'System calls (DCB): 2 on 1 file, none of them a dictionary.',
  );
});
