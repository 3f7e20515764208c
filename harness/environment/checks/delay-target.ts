import type { Check } from '../check.ts';
import type { MachineFiles } from '../machine-files.ts';

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
export function targetPresence(files: MachineFiles): Presence {
  const listed = presence(files, 'dm-delay');
  if (listed !== 'unknown' || files.text('/proc/devices') === null) return listed;
  return lists(files, '/proc/devices', 'device-mapper') ? 'unknown' : 'absent';
}

/** Kernel support for slow storage. */
export const delayTarget: Check = {
  id: 'delay-target',
  why: 'dm-delay works in the kernel; nbd-live and nbd-delay work in user space and need FUSE.',
  examine({ files, storage }) {
    const target = targetPresence(files);
    if (target === 'present') {
      const canFail = presence(files, 'dm-flakey') === 'present';
      const what = canFail ? 'dm-delay, and dm-flakey for bad reads' : 'dm-delay';
      return { status: 'ok', what: `The kernel has ${what}` };
    }
    if (target === 'unknown') {
      return {
        status: 'unknown',
        what: 'The kernel reports nothing about dm-delay',
        todo: 'sudo modprobe dm-delay; sudo dmsetup targets',
      };
    }
    if (storage === 'dm-delay') {
      return {
        status: 'refused',
        what: 'The kernel has no dm-delay',
        todo: 'Use --storage nbd-live.',
      };
    }
    const hasFuse =
      lists(files, '/proc/filesystems', 'fuse') || presence(files, 'fuse') === 'present';
    const hasLoop = lists(files, '/proc/devices', 'loop') || presence(files, 'loop') === 'present';
    if (hasFuse && hasLoop)
      return { status: 'note', what: 'The kernel has no dm-delay; nbd-live does the same' };
    const lacks = [!hasFuse && 'FUSE', !hasLoop && 'loop devices'].filter(Boolean).join(' and ');
    return {
      status: 'refused',
      what: `The kernel has no dm-delay, and no ${lacks} for nbd-live`,
      todo: 'Use another kernel; --storage none measures the control alone.',
    };
  },
};
