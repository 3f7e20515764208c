import type { MachineLoad } from '@cachescope/model/run/machine-load.ts';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { machineFiles } from './machine-files.ts';
import { recordLoad } from './machine-load.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'cachescope-load-'));
  vi.useFakeTimers({ toFake: ['performance', 'Date'] });
  // Reading the counters costs nothing: on a busy machine it would lengthen the spans.
  reading(0);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  rmSync(root, { recursive: true });
});

function write(files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

/** A line of /proc/PID/stat: parent, and ticks of the process and of its ended children. */
function stat(pid: number, parent: number, ticks: number, ofChildren = 0): string {
  return `${pid} (a (b) c) S ${parent} 0 0 0 0 0 0 0 0 0 ${ticks} 0 ${ofChildren} 0 20 0 1 0`;
}

const own = 100;

/** Makes reading the counters cost this processor time, µs. */
function reading(costUs: number): void {
  vi.spyOn(process, 'cpuUsage').mockReturnValue({ user: costUs, system: 0 });
}

/** Ticks of user, idle and steal time; of this program's child; and µs of waiting for a processor. */
function counters(user: number, idle: number, steal: number, child: number, waitUs: number): void {
  write({
    'proc/stat': `cpu  ${user} 0 0 ${idle} 0 0 0 ${steal} 0 0\ncpu0 1 2 3`,
    'proc/100/stat': stat(own, 1, 0, 7),
    'proc/101/stat': stat(101, own, child),
    'proc/7/stat': stat(7, 2, 0),
    'proc/200/stat': stat(200, 1, 12345),
    'proc/pressure/cpu': `some avg10=0.00 total=${waitUs}\nfull avg10=0.00 total=9`,
    'proc/loadavg': '1.50 1 1 1/1 1',
  });
}

test('the work of this program and of the processes that it started is not that of others', () => {
  counters(1000, 1000, 0, 10, 0);
  const loads: MachineLoad[] = [];
  const recorder = recordLoad(loads, machineFiles(root), own);
  // Two processors for 1 s: 200 ticks, of which 120 were busy, 20 of them for this program's child, and 30 stolen.
  counters(1120, 1050, 30, 30, 250_000);
  vi.advanceTimersByTime(1000);
  expect(recorder.note(400)).toBe(true);
  expect(loads).toEqual([
    expect.objectContaining({
      spanMs: 1000,
      measuringMs: 400,
      othersShare: 0.5,
      stealShare: 0.15,
      cpuPressure: 0.25,
      memoryPressure: null,
      loadAverage: 1.5,
      clockJumpMs: 0,
    }),
  ]);
});

test('a span shorter than a second is continued, and the last one ends with the run', () => {
  counters(0, 0, 0, 0, 0);
  const loads: MachineLoad[] = [];
  const recorder = recordLoad(loads, machineFiles(root), own);
  vi.advanceTimersByTime(999);
  expect(recorder.note(5)).toBe(false);
  vi.setSystemTime(Date.now() + 3_600_000);
  recorder.end();
  expect(loads).toHaveLength(1);
  expect(loads[0]).toMatchObject({ spanMs: 999, measuringMs: 5, clockJumpMs: 3_600_000 });
  recorder.end();
  expect(loads).toHaveLength(1);
  // As in explore, where no time is inside measurements.
  recorder.note(0);
  recorder.end();
  expect(loads).toHaveLength(2);
});

test('a span lasts 100 times as long as it takes to read the counters', () => {
  reading(20_000);
  counters(0, 0, 0, 0, 0);
  const recorder = recordLoad([], machineFiles(root), own);
  vi.advanceTimersByTime(1999);
  expect(recorder.note(1)).toBe(false);
  vi.advanceTimersByTime(1);
  expect(recorder.note(1)).toBe(true);
});

test('a machine without any of the files is unknown, never quiet', () => {
  const loads: MachineLoad[] = [];
  const recorder = recordLoad(loads, machineFiles(root), own);
  vi.advanceTimersByTime(1000);
  recorder.note(1);
  const unknown = { othersShare: null, stealShare: null, cpuPressure: null, loadAverage: null };
  expect(loads).toEqual([expect.objectContaining(unknown)]);
});

test('a long run keeps few spans, and all of its time', () => {
  counters(0, 0, 0, 0, 0);
  const loads: MachineLoad[] = [];
  const recorder = recordLoad(loads, machineFiles(root), own);
  for (let second = 0; second < 1000; second++) {
    vi.advanceTimersByTime(1000);
    recorder.note(10);
  }
  recorder.end();
  expect(loads.length).toBeLessThanOrEqual(64);
  expect(loads.reduce((sum, { measuringMs }) => sum + measuringMs, 0)).toBe(10_000);
});
