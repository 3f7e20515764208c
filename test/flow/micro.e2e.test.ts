import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MicroSlice } from '@cachescope/model/micro/slice.ts';
import type { MicroRun } from '@cachescope/model/micro/run.ts';
import { readRunDirectory } from '@cachescope/harness/results/run-directory.ts';
import { writeResults } from '@cachescope/harness/results/write-results.ts';
import { builtExtension } from '@cachescope/harness/browser/extension-build.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { base, cachescope, type Ended, expectNothingLeft } from '../command-under-test.ts';

/** A saved run, read without the program's own reader. */
function saved(directory: string): { run: MicroRun; slices: MicroSlice[] } {
  const text = (name: string) => readFileSync(join(directory, name), 'utf8');
  const lines = text('slices.ndjson').trim().split('\n');
  return { run: JSON.parse(text('run.json')), slices: lines.map((line) => JSON.parse(line)) };
}

describe('a short run of all caches', () => {
  const out = join(base, 'short');
  let ended: Ended;
  let run: MicroRun;
  let slices: MicroSlice[];
  beforeAll(async () => {
    const short = '--time 0.1 --launches 1 --sizes 1024 --entries 100 --seed 1 --json';
    const words = `micro --parts table,list,search ${short}`.split(' ');
    ended = await cachescope(...words, '--out', out);
    ({ run, slices } = saved(out));
  });

  test('it is complete, and says so', () => {
    expect(run.status, ended.stderr).toBe('complete');
    expect(ended.code, ended.stderr).toBe(0);
    expect(run.environment.timerStepMs).toBe(0.005);
    expectNothingLeft();
  });

  test('each miss reached the origin exactly once, hits never did', () => {
    const [misses, others] = [[], []] as [MicroSlice[], MicroSlice[]];
    const own = slices.filter(({ cell }) => cell.part !== 'search');
    for (const slice of own) (slice.cell.row.startsWith('miss-') ? misses : others).push(slice);
    expect(misses.length).toBeGreaterThan(15);
    expect(others.length).toBeGreaterThan(15);
    for (const { cell, requests, runs } of misses)
      expect(requests, JSON.stringify(cell)).toBe(runs);
    for (const { cell, requests } of others) expect(requests, JSON.stringify(cell)).toBe(0);
  });

  test('searches stayed in the cache; an absent entry was never found, a present one always', () => {
    const search = slices.filter(({ cell }) => cell.part === 'search' && cell.cache !== 'blink');
    const places = new Set(search.map(({ cell }) => cell.backEnd ?? cell.cache));
    expect([...places].toSorted()).toEqual(['blockfile', 'memory', 'simple', 'sql']);
    for (const { cell, requests, found, runs } of search) {
      expect(requests).toBe(0);
      expect(found).toBe(cell.row === 'present' ? runs : 0);
    }
  });

  test('slices have the requested duration, and every run is in the histogram', () => {
    for (const { cell, totalMs, runs, batch, batchUs, counts } of slices) {
      const batches = counts.reduce((sum, count) => sum + count, 0);
      expect(batches * batch).toBe(runs);
      const timedUs = batchUs.reduce((sum, us, index) => sum + us * (counts[index] ?? 0), 0);
      expect(timedUs / 1000).toBeLessThanOrEqual(totalMs + 0.01);
      if (cell.part === 'table') expect(totalMs).toBeGreaterThanOrEqual(100);
    }
  });

  test('the list has 101 resources, and all cache I/O was awaited between its loads', () => {
    const list = slices.filter(({ cell }) => cell.part === 'list');
    expect(new Set(list.map(({ runs }) => runs))).toEqual(new Set([101]));
    const waits = run.quiets.filter(({ after }) => after.startsWith('disk, '));
    expect(waits).toHaveLength(1);
    for (const { waitedMs, entries } of waits) {
      expect(waitedMs).toBeGreaterThanOrEqual(500);
      expect(entries).toBeGreaterThanOrEqual(101);
    }
  });

  test('the fastest hit in the page’s own process is faster than the fastest hit in another process', () => {
    const fastestUs = (cache: string) => {
      const hits = slices.filter(
        ({ cell }) => cell.part === 'table' && cell.row === 'hit' && cell.cache === cache,
      );
      return Math.min(...hits.flatMap(({ batchUs, batch }) => batchUs.map((us) => us / batch)));
    };
    expect(fastestUs('blink')).toBeLessThan(fastestUs('memory'));
  });

  test('the charts are drawn; the tables and the report are derived again from the saved files', async () => {
    const before = new Map(
      ['cells.csv', 'report.html', 'charts/micro-hits.png', 'charts/micro-search-absent.png'].map(
        (file) => [file, readFileSync(join(out, file))],
      ),
    );
    for (const content of before.values()) expect(content.length).toBeGreaterThan(1000);
    const again = new Map<string, string>();
    const write = async (name: string, content: string | Uint8Array) => {
      again.set(name, String(content));
      return join(out, name);
    };
    // Without a browser no charts are drawn; drawing them takes about as long as the rest of the test.
    const tools = { extensionDirectory: await builtExtension(), chromiumPath: null };
    const { text } = await writeResults({ path: out, write }, await readRunDirectory(out), tools);
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(text).toMatch(/^No cache +Call overhead .*\d$/m);
    expect(again.get('cells.csv')).toBe(String(before.get('cells.csv')));
    expect(again.get('report.html')).toContain('"experiment":"micro"');
  });
});

test('a hit that reached the origin is flagged: Chromium’s memory cache keeps no entry of 8 MiB; an empty cache is searched too', async () => {
  const out = join(base, 'too-large');
  const words =
    'micro --parts table,search --caches memory --sizes 8388608 --entries 0 --time 0.1 --launches 1'.split(
      ' ',
    );
  const { code, stderr } = await cachescope(...words, '--out', out);
  expect(code, stderr).toBe(4);
  const { run, slices } = saved(out);
  const hit = slices.find(({ cell }) => cell.row === 'hit');
  expect(hit?.flags).toEqual(['origin-touched']);
  expect(run.statusReason).toContain('hit of 8388608 bytes through memory');
  expect(stderr).toContain('1 of 7 slices is flagged');
  const search = slices.filter(({ cell }) => cell.part === 'search');
  expect(
    search.map(({ cell, found, requests }) => [cell.entries, cell.row, found, requests]),
  ).toEqual([[0, 'absent', 0, 0]]);
});

test('all invalid options are reported at once, before anything is created', async () => {
  const words = 'micro --sizes 0,3221225472 --time -1 --caches disk,flash --frobnicate'.split(' ');
  const { code, stdout, stderr } = await cachescope(...words);
  expect(code).toBe(2);
  expect(stdout).toBe('');
  for (const problem of [
    '"0"',
    '"3221225472"',
    '--time is "-1"',
    '"flash"',
    '--frobnicate is not an option',
  ])
    expect(stderr).toContain(problem);
  expectNothingLeft();
});

test('a dry run prints the plan with its duration, and runs nothing', async () => {
  const { code, stdout, stderr } = await cachescope(
    'micro',
    '--dry-run',
    '--delay',
    '5',
    '--storage',
    'nbd-delay',
  );
  expect(code).toBe(0);
  expect(stdout).toMatch(/^table +about \d+:\d\d \(min:s\)/);
  expect(stderr).toContain('nbdkit');
  expectNothingLeft();
});
