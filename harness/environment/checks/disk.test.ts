import { statfsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findOn, noPrivilege, testFindings } from '../made-up-machine.ts';
import { diskSpace, diskSpeed, privileges } from './disk.ts';

testFindings([
  [
    privileges,
    {},
    'refused',
    /^without root the control, .* --storage none, .* needs root, and there is no sudo$/,
    { privilege: noPrivilege },
  ],
  // The control needs no root, and is not refused.
  [privileges, {}, 'note', /there is no sudo$/, { privilege: noPrivilege, storage: 'none' }],
]);

const hasTmpfs = statfsSync('/dev/shm').type === 0x01_02_19_94;
if (!hasTmpfs) process.stderr.write('/dev/shm is no tmpfs: a TMPDIR in memory is not tested\n');

test.skipIf(!hasTmpfs)('a directory for images that is in memory is a warning', async () => {
  const finding = await findOn(diskSpeed, {}, { temporaryDirectory: '/dev/shm' });
  expect(finding).toMatchObject({
    status: 'warning',
    what: '/dev/shm is in memory, so the control would be too',
    todo: expect.stringContaining('TMPDIR=/var/tmp'),
  });
});

test('a directory for images with too little room is refused', async () => {
  // procfs has no room at all.
  const finding = await findOn(diskSpace, {}, { temporaryDirectory: '/proc' });
  expect(finding).toMatchObject({
    status: 'refused',
    what: expect.stringMatching(/^0\.0 GB are free in \/proc, and \d\.\d GB are needed$/),
    todo: expect.stringContaining('TMPDIR'),
  });
});
