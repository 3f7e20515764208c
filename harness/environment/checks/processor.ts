import { join } from 'node:path';
import type { Check } from '../check.ts';
import { note, ok, unknown, warning } from '../finding.ts';
import { processorDirectories } from '../machine-files.ts';

/** Names that emulated processors report: qemu without KVM, and user-mode Linux. */
const emulated = /QEMU TCG|User Mode Linux|\bUML\b/i;

/** Whether the processor is emulated. */
export const processor: Check = {
  id: 'processor',
  why: 'On an emulated processor absolute read times are wrong; in a virtual machine other guests disturb measurements.',
  examine({ files }) {
    const info = files.text('/proc/cpuinfo');
    if (info === null) return unknown('The processor is unknown');
    const named = /^model name\s*:\s*(.+)/m.exec(info) ?? /^vendor_id\s*:\s*(.+)/m.exec(info);
    const name = named?.[1] ?? 'unnamed processor';
    if (emulated.test(info)) {
      const todo = 'Measure on real hardware; compare these times only with each other.';
      return warning(`The CPU is emulated, slowly (${name})`, todo);
    }
    const isVirtual = /^flags\s*:.*\bhypervisor\b/m.test(info);
    return isVirtual ? note(`A virtual machine on ${name}`) : ok(name);
  },
};

/** The frequency governor (Linux Documentation/admin-guide/pm/cpufreq.rst). */
export const governor: Check = {
  id: 'governor',
  why: 'With a dynamic governor a read after a pause is slower than one under load.',
  examine({ files }) {
    const governors = processorDirectories(files)
      .map((directory) => files.text(join(directory, 'cpufreq/scaling_governor')))
      .filter((name) => name !== null);
    if (governors.length === 0) return unknown('The kernel reports no CPU frequency governor');
    const others = [...new Set(governors.filter((name) => name !== 'performance'))];
    if (others.length === 0) return ok('CPU governor: performance');
    const todo = 'sudo cpupower frequency-set --governor performance';
    return warning(`CPU governor: ${others.join(', ')}`, todo);
  },
};

/** Turbo or boost frequencies (Linux Documentation/admin-guide/pm/intel_pstate.rst, cpufreq.rst). */
export const turbo: Check = {
  id: 'turbo',
  why: 'Turbo depends on temperature and on the other cores, so times drift within a run.',
  examine({ files }) {
    const noTurbo = files.number('/sys/devices/system/cpu/intel_pstate/no_turbo');
    const boost = files.number('/sys/devices/system/cpu/cpufreq/boost');
    if (noTurbo === null && boost === null)
      return unknown('The kernel does not report whether turbo is on');
    if (noTurbo === 1 || boost === 0) return ok('Turbo is off');
    const todo =
      noTurbo === null
        ? 'echo 0 | sudo tee /sys/devices/system/cpu/cpufreq/boost'
        : 'echo 1 | sudo tee /sys/devices/system/cpu/intel_pstate/no_turbo';
    return note('Turbo is on', todo);
  },
};

/** Load per processor above which other work competes with the browser. */
const busy = 0.5;

/** The load of the last minute (proc_loadavg(5)). After a run it is the run's own load. */
export const load: Check = {
  id: 'load',
  why: 'Other work delays the browser and the device unevenly.',
  examine({ files, before }) {
    const average = Number.parseFloat(files.text('/proc/loadavg') ?? '');
    const processors = processorDirectories(files).length;
    if (Number.isNaN(average) || processors === 0) return unknown('The load is unknown');
    const what = `Load ${average.toFixed(2)} on ${processors} ${processors === 1 ? 'processor' : 'processors'}`;
    if (before.length > 0) return ok(`${what}, the run's own work included`);
    if (average / processors <= busy) return ok(what);
    return warning(what, 'End other programs, or wait until they are done.');
  },
};

/** Number of thermal throttling events of the processors since the machine started. */
export const throttling: Check = {
  id: 'throttling',
  why: 'A hot processor is throttled, and samples taken then are slower.',
  examine({ files, before }) {
    const counts = processorDirectories(files)
      .map((directory) => files.number(join(directory, 'thermal_throttle/core_throttle_count')))
      .filter((count) => count !== null);
    if (counts.length === 0) return unknown('The kernel counts no thermal throttling');
    const value = counts.reduce((sum, count) => sum + count, 0);
    const earlier = before.find(({ id }) => id === 'throttling')?.value;
    if (earlier !== undefined && value > earlier) {
      const what = `Processors were throttled ${value - earlier} times during the run`;
      return warning(what, 'Cool the machine, switch turbo off, and measure again.', value);
    }
    if (earlier !== undefined) return ok('No thermal throttling', null, value);
    if (value === 0) return ok('No thermal throttling since start-up', null, value);
    return note(`${value} thermal throttling events since start-up`, null, value);
  },
};

const supplies = '/sys/class/power_supply';

/** Power source: mains or battery (Linux Documentation/ABI/testing/sysfs-class-power). */
export const power: Check = {
  id: 'power',
  why: 'On battery the firmware slows the processor down, the more the emptier it is.',
  examine({ files }) {
    const names = files.names(supplies);
    if (names === null) return unknown('The power source is unknown');
    const read = (file: string) => names.map((name) => files.text(join(supplies, name, file)));
    if (read('status').includes('Discharging'))
      return warning('The machine runs on battery', 'Plug it in.');
    if (read('type').includes('Battery')) return ok('The battery is not discharging');
    return ok('The kernel reports no battery');
  },
};
