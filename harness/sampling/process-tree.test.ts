import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openFilesOf, proportionalBytes, readProcesses } from './process-memory.ts';
import { chromiumProcesses } from './process-tree.ts';

let proc: string;
beforeEach(() => {
  proc = mkdtempSync(join(tmpdir(), 'cachescope-proc-'));
});
afterEach(() => rmSync(proc, { recursive: true }));

function made(pid: number, commandLine: string, parent = 0): void {
  mkdirSync(join(proc, `${pid}`), { recursive: true });
  writeFileSync(join(proc, `${pid}`, 'cmdline'), commandLine);
  writeFileSync(join(proc, `${pid}`, 'stat'), `${pid} (a (b) c) S ${parent} 0 0`);
}

test('a browser and all its descendants are found, with their types', () => {
  made(10, '/usr/bin/chromium\0--headless\0', 1);
  made(2, 'chromium\0--type=zygote\0', 10);
  made(3, 'chromium\0--type=utility\0--utility-sub-type=network.mojom.NetworkService\0', 10);
  made(4, 'chromium\0--type=gpu-process\0--utility-sub-typo=x\0', 10);
  made(5, 'chromium --type=renderer --lang=en', 2);
  made(6, 'chromium\0--type=renderer\0', 99);
  expect(chromiumProcesses(10, proc)).toEqual([
    { type: 'browser', pid: 10 },
    { type: 'zygote', pid: 2 },
    { type: 'utility NetworkService', pid: 3 },
    { type: 'gpu-process', pid: 4 },
    { type: 'renderer', pid: 5 },
  ]);
});

test('processes that exit meanwhile are left out', () => {
  made(1, 'chromium\0');
  made(2, '', 1);
  expect(chromiumProcesses(1, proc)).toEqual([{ type: 'browser', pid: 1 }]);
  expect(chromiumProcesses(99, proc)).toEqual([]);
});

test('proportional memory is that of smaps_rollup, and null where access is denied', () => {
  made(1, '');
  expect(proportionalBytes(1, proc)).toBeNull();
  writeFileSync(
    join(proc, '1', 'smaps_rollup'),
    '5581-7ffc ---p 00000000 00:00 0    [rollup]\nRss:            2048 kB\nPss:            1536 kB\nPss_Dirty:         9 kB\n',
  );
  expect(proportionalBytes(1, proc)).toBe(1536 * 1024);
});

test('the memory of this process is less than its mapped memory, and its files are counted', () => {
  const { rss } = process.memoryUsage();
  const bytes = proportionalBytes(process.pid) ?? Number.NaN;
  expect(bytes).toBeGreaterThan(10_000_000);
  // It changes during the measurement.
  expect(bytes).toBeLessThan(1.2 * rss);
  expect(openFilesOf(process.pid)).toBeGreaterThan(3);
  expect(openFilesOf(2 ** 30)).toBeNull();
});

test('types are summed up; a value that is unknown for one process is unknown for its type', () => {
  const processes = [
    { type: 'renderer', pid: 1 },
    { type: 'browser', pid: 2 },
    { type: 'renderer', pid: 3 },
  ];
  const bytes: Record<number, number | null> = { 1: 100, 2: 50, 3: null };
  const files: Record<number, number | null> = { 1: 4, 2: 8, 3: 5 };
  const of = (known: Record<number, number | null>) => (pid: number) => known[pid] ?? null;
  expect(readProcesses(processes, of(bytes), of(files))).toEqual([
    { type: 'renderer', processes: 2, pssBytes: null, openFiles: 9 },
    { type: 'browser', processes: 1, pssBytes: 50, openFiles: 8 },
  ]);
});
