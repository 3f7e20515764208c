import type { Check } from '../check.ts';

/** Turbo or boost frequencies (Linux Documentation/admin-guide/pm/intel_pstate.rst, cpufreq.rst). */
export const turbo: Check = {
  id: 'turbo',
  why: 'Turbo depends on temperature and on the other cores, so times drift within a run.',
  examine({ files }) {
    const noTurbo = files.number('/sys/devices/system/cpu/intel_pstate/no_turbo');
    const boost = files.number('/sys/devices/system/cpu/cpufreq/boost');
    if (noTurbo === null && boost === null)
      return { status: 'unknown', what: 'The kernel does not report whether turbo is on' };
    if (noTurbo === 1 || boost === 0) return { status: 'ok', what: 'Turbo is off' };
    const path =
      noTurbo === null
        ? 'echo 0 | sudo tee /sys/devices/system/cpu/cpufreq/boost'
        : 'echo 1 | sudo tee /sys/devices/system/cpu/intel_pstate/no_turbo';
    return { status: 'note', what: 'Turbo is on', todo: path };
  },
};
