import { uptime } from 'node:os';
import { kernelText } from '../kernel-text.ts';
import { ProgramProcesses } from './program-processes.ts';
import type { ObservedMachine } from './suspension.ts';

/** Unit of the times in /proc/stat, ms: the kernel reports them in 1/100 s on every architecture that Chromium runs on. */
const tickMs = 10;
/** This machine, as the calling thread observes it, and the processes that this program has started. */
export function linuxMachine(): ObservedMachine {
  const processes = new ProgramProcesses(process.pid);
  return {
    monotonicMs: () => Number(process.hrtime.bigint()) / 1e6,
    bootMs: () => uptime() * 1000,
    // Linux Documentation/scheduler/sched-stats.rst: ns on a processor, and ns of waiting for one.
    scheduledMs() {
      const [ranNs = 0, waitedNs = 0] = numbersIn(kernelText('/proc/thread-self/schedstat'));
      return (ranNs + waitedNs) / 1e6;
    },
    // proc_pid_stat(5): the twelfth field, the tenth behind the program's name.
    majorFaults: () =>
      numbersIn(/\)(.*)$/s.exec(kernelText('/proc/thread-self/stat'))?.[1] ?? '')[9] ?? 0,
    // proc_stat(5): the eighth time of each processor.
    stolenMs: () =>
      [...kernelText('/proc/stat').matchAll(/^cpu\d+ (.*)$/gm)].map(
        ([, times = '']) => (numbersIn(times)[7] ?? 0) * tickMs,
      ),
    // Linux Documentation/accounting/psi.rst.
    stalledMs: () =>
      Number(/^full .*total=(\d+)/m.exec(kernelText('/proc/pressure/memory'))?.[1] ?? 0) / 1000,
    findProcesses: (servers) => processes.refresh(servers),
    halted: () => processes.halted(),
  };
}

function numbersIn(text: string): number[] {
  return text.trim().split(/\s+/).map(Number);
}
