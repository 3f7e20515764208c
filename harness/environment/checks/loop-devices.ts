import type { Check } from '../check.ts';

/** Loop devices, which every slow disk needs (loop(4)). */
export const loopDevices: Check = {
  id: 'loop-devices',
  why: 'A slow disk is an image file, which needs a loop device.',
  examine({ files, storage }) {
    if (storage === 'none') return { status: 'ok', what: 'The control needs no loop devices' };
    const devices = files.text('/proc/devices');
    if (devices === null) return { status: 'unknown', what: 'The kernel lists no devices' };
    if (/^\s*7 loop$/m.test(devices)) return { status: 'ok', what: 'The kernel has loop devices' };
    const release = files.text('/proc/sys/kernel/osrelease') ?? '';
    const modules = files.text(`/lib/modules/${release}/modules.dep`);
    if (modules !== null && /(^|\/)loop\.ko/m.test(modules))
      return { status: 'ok', what: 'The kernel has loop devices, as a module' };
    return {
      status: 'refused',
      what: 'The kernel has no loop devices',
      todo: 'Use another kernel; in a container: --device /dev/loop-control. --storage none measures the control alone.',
    };
  },
};
