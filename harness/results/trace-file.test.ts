import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { madeUpRun } from '@cachescope/model/fixtures/made-up-run.ts';
import { madeUpTraced } from '@cachescope/model/fixtures/made-up-traced.ts';
import type { TracedRead } from '@cachescope/model/explain/traced-read.ts';
import { afterAll, expect, test } from 'vitest';
import { hitEvents, traceText } from '../trace/trace-fixture.ts';
import { copyKeptTrace, writeTrace } from './trace-file.ts';

const base = mkdtempSync(join(tmpdir(), 'cs-trace-file-'));
afterAll(() => rmSync(base, { recursive: true }));
mkdirSync(join(base, 'traces'));
writeFileSync(join(base, 'traces/0.json.gz'), gzipSync(traceText(hitEvents)));
writeFileSync(join(base, 'traces/1.json.gz'), 'no gzip');
writeFileSync(join(base, 'traces/2.json.gz'), gzipSync('{"traceEvents":5}'));
symlinkSync(join(base, 'traces/0.json.gz'), join(base, 'traces/3.json.gz'));

interface Written {
  traceEvents: { cat: string; ph: string; ts: number; pid: number }[];
  metadata: Record<string, unknown>;
}

function written(name: string, reads: TracedRead[]): { trace: Written; warnings: string[] } {
  const path = join(base, name);
  const { warnings } = writeTrace(path, base, { ...madeUpRun(1), traced: reads });
  const bytes = readFileSync(path);
  const text = name.endsWith('.gz') ? gunzipSync(bytes) : bytes;
  return { trace: JSON.parse(text.toString()) as Written, warnings };
}

const kept = madeUpTraced('br', 5, 3, { beginUs: 1000, traceFile: '0.json.gz' });

test.each(['whole.json', 'whole.json.gz'])("%s contains Chromium's events and ours", (name) => {
  const { trace, warnings } = written(name, [kept, { ...kept, beginUs: 90_000 }]);
  expect(warnings).toEqual([]);
  expect(trace.traceEvents.filter(({ cat }) => cat === 'netlog')).toHaveLength(
    2 * hitEvents.filter(({ cat }) => cat === 'netlog').length,
  );
  const reads = trace.traceEvents.filter(({ cat }) => cat === 'cachescope.read');
  expect(reads.map(({ pid, ts }) => [pid, ts])).toEqual([
    [5_000_000, 1000],
    [5_000_001, 90_000],
  ]);
  expect(trace.metadata).toMatchObject({ 'clock-domain': 'LINUX_CLOCK_MONOTONIC' });
});

test.each([
  [1, 'is left out: '],
  [2, 'is left out: it has no list of events'],
  [3, 'is a symbolic link'],
  [4, 'cannot be read (ENOENT)'],
])('a broken trace %d of Chromium is reported, and ours is still written', (number, says) => {
  const read = { ...kept, traceFile: `${number}.json.gz` };
  const { trace, warnings } = written(`broken-${number}.json`, [read]);
  expect(warnings).toEqual([expect.stringContaining(says)]);
  expect(trace.traceEvents.some(({ cat }) => cat === 'netlog')).toBe(false);
  expect(
    trace.traceEvents.filter(({ cat, ph }) => ph === 'X' && cat === 'cachescope.device'),
  ).toHaveLength(3);
});

test('reads of an older run are placed by the wall clock', () => {
  const { beginUs: _, traceFile: __, ...old } = kept;
  const later = { ...old, takenAt: '2026-11-21T00:00:02.000Z' };
  const { trace, warnings } = written('old.json', [old, later]);
  expect(warnings).toHaveLength(2);
  const [first, second] = trace.traceEvents.filter(({ cat }) => cat === 'cachescope.read');
  expect((second?.ts ?? 0) - (first?.ts ?? 0)).toBe(2_000_000);
});

test('reads of several machines are warned of, and processes of two shards stay apart', () => {
  const reads = [1, 2].map((shard) => ({ ...kept, machine: `m${shard}`, shard }));
  const { trace, warnings } = written('machines.json', reads);
  expect(warnings).toEqual([expect.stringContaining('several machines')]);
  const pidsOf = (events: Written['traceEvents']) =>
    new Set(events.filter(({ cat }) => cat === 'netlog').map(({ pid }) => pid));
  const own = pidsOf(written('one.json', [kept]).trace.traceEvents);
  expect(pidsOf(trace.traceEvents).size).toBe(2 * own.size);
});

test('traces that are too large together are left out, and named', () => {
  const text = `{"traceEvents":[${' '.repeat(31 * 1024 ** 2)}]}`;
  writeFileSync(join(base, 'traces/6.json.gz'), gzipSync(text, { level: 1 }));
  const reads = Array.from({ length: 9 }, () => ({ ...kept, traceFile: '6.json.gz' }));
  const { trace, warnings } = written('large.json', reads);
  expect(warnings).toEqual([expect.stringContaining('more than 268435456 bytes')]);
  expect(trace.traceEvents.filter(({ cat }) => cat === 'cachescope.read')).toHaveLength(9);
});

test('a run without traced reads is refused, and no file is written', () => {
  const before = readdirSync(base);
  expect(() => writeTrace(join(base, 'none.json'), base, madeUpRun(1))).toThrow(
    expect.objectContaining({ code: 'CS_NO_TRACES', exitCode: 2 }),
  );
  expect(readdirSync(base)).toEqual(before);
});

test('a trace is copied for its user only; a link or a FIFO in its place is left out', () => {
  const [from, to] = [(name: string) => join(base, 'traces', name), join(base, 'copy.json.gz')];
  execFileSync('mkfifo', [from('5.json.gz')]);
  expect(copyKeptTrace(from('3.json.gz'), to)).toContain('is a symbolic link');
  expect(copyKeptTrace(from('5.json.gz'), to)).toContain('is a FIFO');
  expect(existsSync(to)).toBe(false);
  expect(copyKeptTrace(from('0.json.gz'), to)).toBeNull();
  expect(readFileSync(to)).toEqual(readFileSync(from('0.json.gz')));
  expect(statSync(to).mode & 0o777).toBe(0o600);
});
