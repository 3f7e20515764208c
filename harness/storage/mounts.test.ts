import { expect, test } from 'vitest';
import { deviceMountedAt, isMounted, parseMounts } from './mounts.ts';

test('mount points and sources, with any number of optional fields', () => {
  const text = [
    '22 27 0:21 / /proc rw,relatime - proc proc rw',
    '36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 propagate_from:2 - ext3 /dev/root rw,errors=continue',
    '',
  ].join('\n');
  expect(parseMounts(text)).toEqual([
    { point: '/proc', source: 'proc' },
    { point: '/mnt2', source: '/dev/root' },
  ]);
});

test('octal escapes are decoded to space, tab, newline and backslash', () => {
  const text = String.raw`50 27 7:0 / /tmp/a\040b\011c\012d\134e\134040 rw - ext4 /dev/my\040disk rw`;
  expect(parseMounts(text)).toEqual([{ point: '/tmp/a b\tc\nd\\e\\040', source: '/dev/my disk' }]);
});

test('on this machine a file system is mounted at /, and none at a missing path', () => {
  expect(isMounted('/')).toBe(true);
  expect(deviceMountedAt('/')).not.toBeNull();
  expect(isMounted('/no such directory')).toBe(false);
  expect(deviceMountedAt('/no such directory')).toBeNull();
});
