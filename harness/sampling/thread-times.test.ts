import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseThreadStat, parseWaitingMs, threadGroup, ThreadWatch } from './thread-times.ts';

let proc: string;
beforeEach(() => {
  proc = mkdtempSync(join(tmpdir(), 'cachescope-proc-'));
});
afterEach(() => rmSync(proc, { recursive: true }));

/** The line of a thread as Linux 6.18 writes it, with made-up times in ticks. */
function statLine(name: string, state: string, userTicks: number, systemTicks: number): string {
  return `4711 (${name}) ${state} 1 4711 4711 0 -1 4194304 100 0 3 0 ${userTicks} ${systemTicks} 0 0 20 0 12 0 987654 1 2 18446744073709551615`;
}

function thread(pid: number, tid: number, line: string, waitedNs?: number): void {
  const directory = join(proc, `${pid}`, 'task', `${tid}`);
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'stat'), line);
  if (waitedNs !== undefined) writeFileSync(join(directory, 'schedstat'), `1000 ${waitedNs} 12\n`);
}

const origin = [{ type: 'origin', pid: 10 }];

test('a line of stat is parsed with any characters in the name', () => {
  expect(parseThreadStat(statLine('a) (b R 9', 'D', 123, 45))).toEqual({
    name: 'a) (b R 9',
    state: 'D',
    userMs: 1230,
    systemMs: 450,
    startedAt: 987654,
  });
});

test('the waiting time is that of schedstat, in ms', () => {
  expect(parseWaitingMs('495800 2500000 1\n')).toBe(2.5);
  expect(parseWaitingMs('')).toBeNull();
});

test.each([
  ['ThreadPoolForeg', 'ThreadPoolForeg'],
  ['worker-3', 'worker'],
  ['kworker/12', 'kworker'],
  ['node', 'node'],
  ['42', '42'],
])('threads are grouped by name: %s', (name, group) => {
  expect(threadGroup(name)).toBe(group);
});

test('differences between calls are reported, by type of process and name', () => {
  thread(10, 1, statLine('node', 'R', 100, 10), 1_000_000);
  thread(10, 2, statLine('pool-1', 'S', 5, 0), 0);
  thread(10, 3, statLine('pool-2', 'D', 7, 1), 0);
  const watch = new ThreadWatch(proc);
  expect(watch.take(origin)).toEqual([]);
  thread(10, 1, statLine('node', 'R', 150, 30), 5_000_000);
  thread(10, 3, statLine('pool-2', 'D', 8, 1), 2_000_000);
  expect(watch.take(origin)).toEqual([
    {
      type: 'origin',
      thread: 'node',
      threads: 1,
      userMs: 500,
      systemMs: 200,
      waitingMs: 4,
      states: { R: 1 },
    },
    {
      type: 'origin',
      thread: 'pool',
      threads: 2,
      userMs: 10,
      systemMs: 0,
      waitingMs: 2,
      states: { S: 1, D: 1 },
    },
  ]);
  // No times have changed since; but one thread still waits for a device, and one runs.
  const states = watch.take(origin).map((each) => [each.thread, each.userMs, each.states]);
  expect(states).toEqual([
    ['node', 0, { R: 1 }],
    ['pool', 0, { S: 1, D: 1 }],
  ]);
});

test('without schedstat the waiting time is unknown, not 0', () => {
  thread(10, 1, statLine('node', 'R', 100, 10));
  const watch = new ThreadWatch(proc);
  watch.take(origin);
  expect(watch.take(origin)[0]?.waitingMs).toBeNull();
});

test('a new thread with a reused id starts at 0, and one that has exited is left out', () => {
  thread(10, 1, statLine('node', 'R', 100, 0), 0);
  const watch = new ThreadWatch(proc);
  watch.take(origin);
  thread(10, 1, statLine('node', 'R', 3, 0).replace('987654', '987999'), 0);
  expect(watch.take(origin)[0]?.userMs).toBe(30);
  rmSync(join(proc, '10'), { recursive: true });
  expect(watch.take(origin)).toEqual([]);
});

test('this process is seen to use processor time', () => {
  const watch = new ThreadWatch();
  const self = [{ type: 'harness', pid: process.pid }];
  watch.take(self);
  const before = process.cpuUsage();
  while (process.cpuUsage(before).user < 60_000);
  const usedMs = watch.take(self).reduce((sum, each) => sum + each.userMs + each.systemMs, 0);
  // The kernel counts in ticks of 10 ms.
  expect(usedMs).toBeGreaterThanOrEqual(40);
});
