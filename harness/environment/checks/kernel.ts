import { messageOf } from '../../error.ts';
import type { Check, Subject } from '../check.ts';
import { kernelTickMs } from '../delay-rounding.ts';
import { note, ok, refused, unknown } from '../finding.ts';
import type { MachineFiles } from '../machine-files.ts';
import { deviceTodos } from '../setup/surroundings.mjs';

type Presence = 'present' | 'absent' | 'unknown';

/** Whether the kernel has a module, by what is loaded and what is installed for it. */
function presence(files: MachineFiles, module: string): Presence {
  if (files.names(`/sys/module/${module.replaceAll('-', '_')}`) !== null) return 'present';
  const directory = `/lib/modules/${files.text('/proc/sys/kernel/osrelease') ?? ''}`;
  const lists = ['modules.builtin', 'modules.dep'].map((list) =>
    files.text(`${directory}/${list}`),
  );
  const listed = new RegExp(`(^|/)${module}\\.ko`, 'm');
  if (lists.some((list) => list !== null && listed.test(list))) return 'present';
  return lists.includes(null) ? 'unknown' : 'absent';
}

/** Whether a file of /proc lists a word: device classes, file systems. */
function lists(files: MachineFiles, path: string, word: string): boolean {
  return (files.text(path) ?? '').split(/\s+/).includes(word);
}

/**
 * Whether the kernel has the delay target. A kernel without files about its modules loads none: without built-in
 * device-mapper it has no delay target either.
 */
function targetPresence(files: MachineFiles): Presence {
  const listed = presence(files, 'dm-delay');
  if (listed !== 'unknown' || files.text('/proc/devices') === null) return listed;
  return lists(files, '/proc/devices', 'device-mapper') ? 'unknown' : 'absent';
}

/** Ticks of at most 1 ms round a delay by less than the variation of reads. */
const fineTickMs = 1;

/** Whether a run on this storage could be over dm-delay. */
function mayUseDmDelay({ storage, files }: Subject): boolean {
  return storage === 'dm-delay' || (storage === 'auto' && targetPresence(files) !== 'absent');
}

/**
 * The kernel's version, and the resolution of dm-delay: it keeps delays in ticks of the kernel's clock (jiffies),
 * rounded up, and from 50 ms on (before Linux 6.7: always, commit 70bbeb29fab0) one more tick passes until its timer
 * runs.
 */
export const kernel: Check = {
  id: 'kernel',
  why: 'dm-delay counts delays in kernel ticks of 1 to 10 ms, and rounds them up.',
  examine(subject) {
    const release = subject.files.text('/proc/sys/kernel/osrelease');
    if (release === null) return unknown('The kernel is unknown');
    if (!mayUseDmDelay(subject)) return ok(`Linux ${release}`);
    const tickMs = kernelTickMs(subject.files);
    if (tickMs === null) {
      const todo = 'Use the measured delays, not the requested ones.';
      return note(`Linux ${release}, which does not report its tick`, todo);
    }
    const tick = `${Number(tickMs.toFixed(2))} ms`;
    const what = `Linux ${release}, with ticks of ${tick}`;
    if (tickMs <= fineTickMs) return ok(what, null, tickMs);
    const todo = `With dm-delay ask for multiples of ${tick}, and go by the measured delays; nbd-live does not round.`;
    return note(what, todo, tickMs);
  },
};

/** Kernel support for slow storage. */
export const delayTarget: Check = {
  id: 'delay-target',
  why: 'dm-delay works in the kernel; nbd-live and nbd-delay work in user space and need FUSE.',
  examine({ files, storage }) {
    const target = targetPresence(files);
    if (target === 'present') {
      const canFail = presence(files, 'dm-flakey') === 'present';
      return ok(`The kernel has dm-delay${canFail ? ', and dm-flakey for bad reads' : ''}`);
    }
    if (target === 'unknown') {
      const todo = 'sudo modprobe dm-delay; sudo dmsetup targets';
      return unknown('The kernel reports nothing about dm-delay', todo);
    }
    if (storage === 'dm-delay')
      return refused('The kernel has no dm-delay', 'Use --storage nbd-live.');
    const hasFuse =
      lists(files, '/proc/filesystems', 'fuse') || presence(files, 'fuse') === 'present';
    const hasLoop = lists(files, '/proc/devices', 'loop') || presence(files, 'loop') === 'present';
    if (hasFuse && hasLoop) return note('The kernel has no dm-delay; nbd-live does the same');
    const lacks = [!hasFuse && 'FUSE', !hasLoop && 'loop devices'].filter(Boolean).join(' and ');
    return refused(
      `The kernel has no dm-delay, and no ${lacks} for nbd-live`,
      'Use another kernel; --storage none measures the control alone.',
    );
  },
};

/** Loop devices, which every slow disk needs (loop(4)). */
export const loopDevices: Check = {
  id: 'loop-devices',
  why: 'A slow disk is an image file, which needs a loop device.',
  async examine({ privilege, storage }) {
    if (storage === 'none') return ok('The control needs no loop devices');
    if (privilege.obstacle() !== null) return unknown('Only root can try a loop device');
    try {
      // It makes no device that the kernel does not have.
      const device = await privilege.run(['losetup', '--find']);
      return ok(`A loop device is free: ${device.trim()}`);
    } catch (error) {
      return refused(
        `No loop device can be had: ${messageOf(error)}`,
        deviceTodos['/dev/loop-control'],
      );
    }
  },
};

/** FUSE, through which nbd-live and nbd-delay present their image. */
export const fuse: Check = {
  id: 'fuse',
  why: 'nbd-live and nbd-delay present their image as a file through /dev/fuse.',
  async examine({ files, privilege, storage }) {
    const isUsed = storage.startsWith('nbd') || (storage === 'auto' && !hasTarget(files));
    if (!isUsed) return ok('This storage does not need /dev/fuse');
    if (privilege.obstacle() !== null) return unknown('Only root can try /dev/fuse');
    try {
      await privilege.run(['dd', 'if=/dev/fuse', 'count=0', 'status=none']);
      return ok('/dev/fuse opens');
    } catch (error) {
      return refused(`/dev/fuse does not open: ${messageOf(error)}`, deviceTodos['/dev/fuse']);
    }
  },
};

function hasTarget(files: MachineFiles): boolean {
  return targetPresence(files) === 'present';
}
