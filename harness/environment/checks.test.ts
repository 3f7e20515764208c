import { mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { createPrivilege } from '../privilege.ts';
import { type Check, findingOf, type Subject } from './check.ts';
import { checks } from './checks.ts';
import { chromium, otherChromium, sandbox } from './checks/browser.ts';
import { diskSpace, diskSpeed, privileges } from './checks/disk.ts';
import { container } from './checks/installation.ts';
import { delayTarget, fuse, kernel, loopDevices } from './checks/kernel.ts';
import { memory, swap } from './checks/memory.ts';
import { governor, load, power, processor, throttling, turbo } from './checks/processor.ts';
import type { Finding } from './finding.ts';
import { machineFiles } from './machine-files.ts';

/** Files of a made-up machine, path to text; a path that ends in a slash is an empty directory. */
type MadeUpFiles = Record<string, string>;

/** A check's finding on a made-up machine. Its files are removed afterwards. */
async function findOn(
  check: Check,
  files: MadeUpFiles,
  known: Partial<Subject> = {},
): Promise<Finding> {
  const root = mkdtempSync(join(tmpdir(), 'cachescope-machine-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      const place = join(root, path);
      mkdirSync(path.endsWith('/') ? place : dirname(place), { recursive: true });
      if (!path.endsWith('/')) writeFileSync(place, text);
    }
    return await findingOf(check, {
      files: machineFiles(root),
      privilege: createPrivilege({ dryRun: true, say: () => undefined }),
      storage: 'auto',
      chromiumPath: null,
      otherBrowsers: [],
      temporaryDirectory: root,
      isRoot: false,
      before: [],
      ...known,
    });
  } finally {
    rmSync(root, { recursive: true });
  }
}

const cpu = '/sys/devices/system/cpu';
const release = '/proc/sys/kernel/osrelease';

/** A check, the files of a machine, and the expected finding. */
type Row = [
  check: Check,
  files: MadeUpFiles,
  status: string,
  words: RegExp,
  known?: Partial<Subject>,
];

/** Without root and without sudo. */
const noPrivilege = {
  ...createPrivilege({ dryRun: true, say: () => undefined }),
  obstacle: () => 'there is no sudo',
};
/** Root, whose commands answer so. */
const root = (answer: string) => ({
  ...noPrivilege,
  obstacle: () => null,
  run: async () => answer,
});
/** Root, whose commands fail so. */
const denied = (reason: string) => ({
  ...root(''),
  run: () => Promise.reject(new Error(reason)),
});

const rows: Row[] = [
  [
    privileges,
    {},
    'refused',
    /^without root the control, .* --storage none, .* needs root, and there is no sudo$/,
    { privilege: noPrivilege },
  ],
  // The control needs no root, and is not refused.
  [privileges, {}, 'note', /there is no sudo$/, { privilege: noPrivilege, storage: 'none' }],
  [processor, { '/proc/cpuinfo': 'model name\t: Xeon\nflags\t\t: fpu sse' }, 'ok', /^Xeon$/],
  [
    processor,
    {
      '/proc/cpuinfo':
        'vendor_id\t: GenuineIntel\nmodel name\t: Xeon\nflags\t\t: fpu hypervisor avx',
    },
    'note',
    /virtual machine on Xeon$/,
  ],
  [processor, { '/proc/cpuinfo': 'model name : QEMU TCG CPU version 2.5+' }, 'warning', /emulated/],
  [processor, { '/proc/cpuinfo': 'vendor_id\t: User Mode Linux' }, 'warning', /emulated/],

  [governor, { [`${cpu}/cpu0/cpufreq/scaling_governor`]: 'performance\n' }, 'ok', /performance/],
  [
    governor,
    {
      [`${cpu}/cpu0/cpufreq/scaling_governor`]: 'performance\n',
      [`${cpu}/cpu1/cpufreq/scaling_governor`]: 'powersave\n',
    },
    'warning',
    /: powersave$/,
  ],
  // A processor without a governor: its finding is unknown.
  [governor, { [`${cpu}/cpu0/`]: '' }, 'unknown', /no CPU frequency governor/],

  [turbo, { [`${cpu}/intel_pstate/no_turbo`]: '1' }, 'ok', /off/],
  [turbo, { [`${cpu}/intel_pstate/no_turbo`]: '0' }, 'note', /on/],
  [turbo, { [`${cpu}/cpufreq/boost`]: '0' }, 'ok', /off/],
  [turbo, { [`${cpu}/cpufreq/boost`]: '1' }, 'note', /on/],
  [turbo, { [`${cpu}/cpufreq/boost`]: '' }, 'unknown', /does not report/],

  [
    load,
    { '/proc/loadavg': '1.00 0 0 1/1 1', [`${cpu}/cpu0/`]: '', [`${cpu}/cpu1/`]: '' },
    'ok',
    /1\.00 on 2 processors/,
  ],
  [
    load,
    { '/proc/loadavg': '1.01 0 0 1/1 1', [`${cpu}/cpu0/`]: '', [`${cpu}/cpu1/`]: '' },
    'warning',
    /1\.01 on 2/,
  ],
  [load, { '/proc/loadavg': '1.01 0 0 1/1 1' }, 'unknown', /unknown/],

  [memory, { '/proc/meminfo': 'MemAvailable:    2097152 kB' }, 'ok', /^2\.0 GiB/],
  [memory, { '/proc/meminfo': 'MemAvailable:    2097151 kB' }, 'warning', /^2\.0 GiB/],
  [memory, { '/proc/meminfo': 'MemAvailable:     524287 kB' }, 'refused', /^0\.5 GiB/],
  [memory, { '/proc/meminfo': 'MemFree: 99999999 kB' }, 'unknown', /unknown/],

  [swap, { '/proc/meminfo': 'SwapTotal: 0 kB\nSwapFree: 0 kB' }, 'ok', /No swap/],
  [swap, { '/proc/meminfo': 'SwapTotal: 8192 kB\nSwapFree: 8192 kB' }, 'ok', /not in use/],
  [swap, { '/proc/meminfo': 'SwapTotal: 8192 kB\nSwapFree: 4096 kB' }, 'warning', /^4 MiB/],
  [swap, { '/proc/meminfo': 'SwapTotal: 8192 kB' }, 'unknown', /unknown/],

  [otherChromium, { '/proc/7/comm': 'bash\n', '/proc/7/cmdline': 'bash\0' }, 'ok', /No other/],
  [
    otherChromium,
    {
      '/proc/7/comm': 'chromium\n',
      '/proc/7/cmdline': '/usr/lib/chromium/chromium\0--headless\0',
      '/proc/8/comm': 'chromium\n',
      '/proc/8/cmdline': '/usr/lib/chromium/chromium\0--type=renderer\0',
      '/proc/9/comm': 'chrome\n',
      '/proc/9/cmdline': '',
    },
    'warning',
    /^1 other Chromium is running \(pid 7\)$/,
  ],
  [
    otherChromium,
    {
      '/proc/6/stat': `6 (sh) S ${process.pid} 6 6 0\n`,
      '/proc/7/comm': 'chromium\n',
      '/proc/7/cmdline': '/usr/lib/chromium/chromium\0--headless\0',
      '/proc/7/stat': '7 (chromium (a) b) S 6 7 7 0\n',
    },
    'ok',
    /No other/,
  ],

  [power, { '/sys/class/power_supply/': '' }, 'ok', /no battery/],
  [
    power,
    {
      '/sys/class/power_supply/BAT0/type': 'Battery',
      '/sys/class/power_supply/BAT0/status': 'Charging',
    },
    'ok',
    /not discharging/,
  ],
  [
    power,
    {
      '/sys/class/power_supply/BAT0/type': 'Battery',
      '/sys/class/power_supply/BAT0/status': 'Discharging',
    },
    'warning',
    /battery/,
  ],

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

  [container, { [release]: '6.6.87.2-microsoft-standard-WSL2' }, 'note', /Windows/],
  [container, { [release]: '6.12', '/.dockerenv': '' }, 'note', /^A container \(docker\)$/],
  [container, { [release]: '6.12' }, 'ok', /No sign/],

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

  [sandbox, {}, 'note', /runs as root/, { isRoot: true }],
];

for (const [index, [check, files, status, words, known]] of rows.entries()) {
  test(`${check.id} ${index}: ${status}`, async () => {
    const finding = await findOn(check, files, known);
    expect(finding).toMatchObject({ id: check.id, why: check.why, status });
    expect(finding.what).toMatch(words);
    // A problem comes with what to do.
    if (status === 'warning' || status === 'refused') expect(finding.todo).not.toBeNull();
  });
}

test('a machine without any files is unknown, never in order', async () => {
  // These checks examine the machine itself, not its files.
  const others = new Set([
    'privileges',
    'chromium',
    'sandbox',
    'packages',
    'disk-space',
    'disk-speed',
  ]);
  const known = { privilege: noPrivilege };
  for (const check of checks.filter(({ id }) => !others.has(id)))
    expect(await findOn(check, {}, known), check.id).toMatchObject({ status: 'unknown' });
});

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

test('throttling during a run is detected by the difference', async () => {
  const count = (value: number) => ({
    [`${cpu}/cpu0/thermal_throttle/core_throttle_count`]: '2',
    [`${cpu}/cpu1/thermal_throttle/core_throttle_count`]: `${value}`,
  });
  expect(await findOn(throttling, count(0))).toMatchObject({ status: 'note', value: 2 });
  const before = [await findOn(throttling, count(3))];
  expect(before[0]).toMatchObject({ status: 'note', value: 5 });
  expect(await findOn(throttling, count(3), { before })).toMatchObject({ status: 'ok' });
  expect(await findOn(throttling, count(10), { before })).toMatchObject({
    status: 'warning',
    what: 'Processors were throttled 7 times during the run',
  });
});

test('the load after a run is the load of the run itself', async () => {
  const files = { '/proc/loadavg': '9.00 0 0 1/1 1', [`${cpu}/cpu0/`]: '' };
  expect(await findOn(load, files)).toMatchObject({ status: 'warning' });
  const before = [await findOn(load, files)];
  expect(await findOn(load, files, { before })).toMatchObject({ status: 'ok' });
});

test('a check that fails is unknown, with the reason', async () => {
  const broken: Check = {
    id: 'broken',
    why: 'Why.',
    examine: () => Promise.reject(new Error('torn')),
  };
  expect(await findOn(broken, {})).toEqual({
    id: 'broken',
    status: 'unknown',
    what: 'The check failed: torn',
    why: 'Why.',
    todo: null,
  });
});

test('a missing Chromium is a refusal, and so is one too old for dictionaries', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'cachescope-browser-'));
  const saying = (words: string) => {
    const path = join(directory, 'browser');
    writeFileSync(path, `#!/bin/sh\necho '${words}'\n`, { mode: 0o755 });
    return findOn(chromium, {}, { chromiumPath: path });
  };
  try {
    expect(await findOn(chromium, {})).toMatchObject({ status: 'refused' });
    expect(await saying('Chromium 130.0.6723.58 built on Debian')).toMatchObject({ status: 'ok' });
    expect(await saying('Chromium 129.0.6668.100')).toMatchObject({ status: 'refused' });
    expect(await saying('Hello')).toMatchObject({ status: 'unknown' });
  } finally {
    rmSync(directory, { recursive: true });
  }
});

test('every check has a unique name', () => {
  const ids = checks.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});
