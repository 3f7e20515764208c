import { denied, noPrivilege, root, testFindings } from '../made-up-machine.ts';
import { delayTarget, fuse, kernel, loopDevices } from './kernel.ts';

const release = '/proc/sys/kernel/osrelease';

testFindings([
  [kernel, { [release]: '6.7' }, 'note', /does not report its tick/],
  [kernel, { [release]: '6.7', '/boot/config-6.7': 'CONFIG_HZ=250' }, 'note', /ticks of 4 ms$/],
  [kernel, { [release]: '6.7', '/boot/config-6.7': 'CONFIG_HZ=300' }, 'note', /of 3\.33 ms$/],
  [kernel, { [release]: '6.7', '/boot/config-6.7': 'CONFIG_HZ=1000' }, 'ok', /ticks of 1 ms$/],
  [kernel, { [release]: '6.6.99' }, 'ok', /^Linux 6\.6\.99$/, { storage: 'nbd-delay' }],
  [loopDevices, {}, 'ok', /free: \/dev\/loop3$/, { privilege: root('/dev/loop3\n') }],
  [
    loopDevices,
    {},
    'refused',
    /No loop device .*: no such device/,
    { privilege: denied('no such device') },
  ],
  [loopDevices, {}, 'unknown', /Only root/, { privilege: noPrivilege }],
  [loopDevices, {}, 'ok', /control/, { storage: 'none' }],
  [fuse, {}, 'ok', /opens$/, { privilege: root('') }],
  [fuse, {}, 'refused', /does not open: EPERM/, { privilege: denied('EPERM') }],
  [fuse, {}, 'unknown', /Only root/, { privilege: noPrivilege }],
  [fuse, { '/sys/module/dm_delay/': '' }, 'ok', /does not need/],
  [kernel, { [release]: '6.7', '/proc/devices': '7 loop' }, 'ok', /^Linux 6\.7$/],
  [delayTarget, { '/sys/module/dm_delay/': '' }, 'ok', /has dm-delay$/],
  [
    delayTarget,
    { '/sys/module/dm_delay/': '', '/sys/module/dm_flakey/': '' },
    'ok',
    /and dm-flakey for bad reads$/,
  ],
  [
    delayTarget,
    {
      [release]: '6.1',
      '/lib/modules/6.1/modules.dep':
        'kernel/drivers/md/dm-delay.ko.xz: kernel/drivers/md/dm-mod.ko.xz',
    },
    'ok',
    /has dm-delay/,
  ],
  [
    delayTarget,
    {
      [release]: '6.1',
      '/lib/modules/6.1/modules.dep': 'kernel/drivers/md/dm-mod.ko:',
      '/lib/modules/6.1/modules.builtin': 'kernel/drivers/block/loop.ko\nkernel/fs/fuse/fuse.ko',
    },
    'note',
    /nbd-live does the same/,
  ],
  // No module can be loaded and none is built into the kernel.
  [
    delayTarget,
    {
      [release]: '6.18',
      '/proc/devices': 'Block devices:\n  7 loop',
      '/proc/filesystems': 'nodev\tfuse',
    },
    'note',
    /nbd-live does the same/,
  ],
  [
    delayTarget,
    {
      [release]: '6.18',
      '/proc/devices': 'Block devices:\n  7 loop',
      '/proc/filesystems': 'nodev\tfuse',
    },
    'refused',
    /no dm-delay$/,
    { storage: 'dm-delay' },
  ],
  [
    delayTarget,
    { [release]: '6.18', '/proc/devices': 'Block devices:\n254 device-mapper' },
    'unknown',
    /reports nothing/,
  ],
  [
    delayTarget,
    { [release]: '6.18', '/proc/devices': '7 loop' },
    'refused',
    /no FUSE for nbd-live/,
  ],
]);
