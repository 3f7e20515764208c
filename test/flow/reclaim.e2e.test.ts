import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { linesByKind } from '@cachescope/model/reclaim/run.ts';
import { summarizeReclaim } from '@cachescope/model/reclaim/summary.ts';
import { afterEach, expect, test } from 'vitest';
import { readRunOf } from '../../harness/results/run-directory.ts';
import {
  base,
  cachescope,
  expectNothingLeft,
  linesOf,
  start,
  type Started,
} from '../command-under-test.ts';

const short = ['--env', 'skip', '--wait', '--rate', '200'];

async function savedRun(out: string) {
  const document = await readRunOf('reclaim', out);
  const kinds = linesByKind(document.lines);
  return { ...document, ...kinds, summary: summarizeReclaim(document.run, document.lines) };
}

/** The origin's process that this command has started. */
function originOf(pid: number | undefined): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  const isOrigin = (child: string) =>
    readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('reclaim/origin-process.ts');
  return Number(children.find(isOrigin));
}

afterEach(expectNothingLeft);

test('a load of new keys: the limit is kept, the entries written longest ago are evicted, every entry is accounted for', async () => {
  const out = join(base, 'bust');
  const limit = ['--limit', '200', '--time', '3s'];
  const ended = await cachescope('reclaim', ...short, ...limit, '--out', out);
  expect(ended.code, ended.stderr).toBe(0);
  expect(ended.stdout).toContain('Requests     [total, rate, throughput] 600, ');
  const { run, windows, passes, cpu, held, summary } = await savedRun(out);
  expect(run.status).toBe('complete');
  expect(summary.report).toMatchObject({ requests: 600, success: 1, hitRate: 0, bytesIn: 614_400 });
  expect(windows.length).toBeGreaterThanOrEqual(3);
  // 200 entries, one of them from the warm-up; after that each of seven eviction passes removes 61 entries to make room
  // for one. A late sample of the cache reports several passes as one, with their number.
  expect(passes.reduce((sum, { times = 1 }) => sum + times, 0)).toBe(7);
  for (const { evicted, times = 1 } of passes) expect(evicted).toBe(61 * times);
  expect(passes.every(({ byWrite, before }) => byWrite === 1 && before.entries === 200)).toBe(true);
  expect(summary.usage.entries.most).toBe(200);
  expect(summary.usage.memory.most).toBeGreaterThan(20e6);
  expect(cpu?.shares.reduce((sum, { share }) => sum + share, 0)).toBeGreaterThan(0.9);
  expect(held.map(({ when }) => when)).toEqual(['before', 'after']);
  for (const { heapBytes } of held) expect(heapBytes).toBeGreaterThan(1e6);
  const again = await cachescope('report', out);
  expect(again.stdout).toBe(ended.stdout);
});

test('a replay sends the requests of a log at their times, and reports the lines it could not use', async () => {
  const line = (second: number, url: string) =>
    `h - - [10/Oct/2000:13:55:0${second} +0000] "GET ${url} HTTP/1.1" 200 2000`;
  const log = join(base, 'access.log');
  const urls = Array.from({ length: 40 }, (_, index) =>
    line(Math.floor(index / 10), `/${index % 8}`),
  );
  writeFileSync(log, [...urls, 'no log line'].join('\n'));
  const out = join(base, 'replay');
  const replay = ['--traffic', log, '--speed', '4', '--payload', 'recorded', '--coding', 'gzip'];
  const ended = await cachescope('reclaim', '--env', 'skip', '--wait', ...replay, '--out', out);
  expect(ended.code, ended.stderr).toBe(0);
  const { run, summary } = await savedRun(out);
  expect(run.plan.traffic).toMatchObject({ recorded: 40, planned: 40, malformed: 1 });
  expect(summary.report).toMatchObject({ requests: 40, success: 1 });
  // Eight keys, five times each; a repeated request while the first is still being encoded is not a hit.
  expect(summary.report.hitRate).toBeGreaterThan(0.25);
  expect(summary.report.hitRate).toBeLessThanOrEqual(32 / 40);
  // 39 gaps of 100 ms, at four times the speed; a late request shortens the remaining time.
  expect(summary.report.attackMs).toBeGreaterThan(700);
  expect(summary.warnings.join()).toContain(
    '1 line of access.log could not be used and was excluded',
  );
});

test('the origin is killed midway, and Ctrl-C: the run is partial and keeps its data', async () => {
  const [died, stopped] = [join(base, 'died'), join(base, 'stopped')];
  const long = ['reclaim', ...short, '--time', '60s', '--limit', '100', '--out'];
  const first = start([...long, died]);
  await untilWindow(first, died);
  process.kill(originOf(first.child.pid), 'SIGKILL');
  const killed = await first.ended;
  expect(killed.code).toBe(4);
  const run = await savedRun(died);
  expect(run.run).toMatchObject({ status: 'partial' });
  expect(run.run.statusReason).toContain('the origin ended: SIGKILL');
  expect(run.windows.length).toBeGreaterThanOrEqual(1);

  const second = start([...long, stopped]);
  await untilWindow(second, stopped);
  second.child.kill('SIGINT');
  expect((await second.ended).code).toBe(130);
  const { windows, summary, run: interrupted } = await savedRun(stopped);
  expect(interrupted.statusReason).toBe('interrupted');
  expect(windows.length).toBeGreaterThanOrEqual(1);
  expect(summary.report.success).toBe(1);
});

/** Waits for the first window of a run. */
async function untilWindow({ until }: Started, out: string): Promise<void> {
  await until(() => linesOf(join(out, 'windows.ndjson')).join().includes('"window"'));
}
