import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { busyMs } from '@cachescope/model/explain/device-read.ts';
import type { TracedRead } from '@cachescope/model/explain/traced-read.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { messageOf } from '../../harness/error.ts';
import { readRunOf } from '../../harness/results/run-directory.ts';
import { requireSyscallWatch } from '../../harness/trace/syscall-watch.ts';
import {
  base,
  cachescope,
  type Ended,
  expectNothingLeft,
  lacking,
  ownFlags,
} from '../command-under-test.ts';

const delayMs = 10;
const hasStrace = await requireSyscallWatch().then(
  () => true,
  (error: unknown) => {
    console.warn(`System calls are not tested: ${messageOf(error)}`);
    return false;
  },
);

describe.skipIf(lacking)('a sweep with traced reads', () => {
  const out = join(base, 'traced');
  const runFile = join(out, 'run.json');
  const tracedFile = join(out, 'traced.ndjson');
  let ended: Ended;
  let traced: TracedRead[];
  const slow = (arm: string): TracedRead => {
    const found = traced.find(({ cell }) => cell.arm === arm && cell.delayMs === delayMs);
    if (!found) throw new Error(`no traced read of ${arm}`);
    return found;
  };

  beforeAll(async () => {
    const few = ['--samples', '1', '--launches', '1', '--workload', 'synthetic:1MiB'];
    const where = ['--storage', 'nbd-delay', '--env', 'skip', '--out', out];
    const trace = hasStrace ? ['--witness', 'syscalls'] : ['--trace'];
    const delay = [`${delayMs}`, `${delayMs}`, '1', '--no-recompress'];
    ended = await cachescope('sweep', ...delay, ...few, ...where, ...trace);
    expect(ended.code, ended.stderr).toBe(0);
    traced = (await readRunOf('sweep', out)).traced ?? [];
  });

  test('every cell has a traced read, and its steps add up to the duration of the read', () => {
    expect(traced.map(({ cell }) => `${cell.storage} ${cell.arm}`)).toEqual([
      'none br',
      'none dcb',
      'nbd-delay br',
      'nbd-delay dcb',
    ]);
    for (const read of traced) {
      const { durationMs, steps, backEnd } = read;
      // Other work on this computer may delay the page between its clock and its mark in the trace.
      expect(ownFlags(read).filter((flag) => flag !== 'clocks-disagree')).toEqual([]);
      expect(backEnd).toBe('simple');
      const { dictionaryRead: _, ...exclusive } = steps;
      const sum = Object.values(exclusive).reduce((total, { ms }) => total + (ms ?? 0), 0);
      expect(sum).toBeCloseTo(durationMs ?? Number.NaN, 3);
    }
  });

  test('DCB reads its body decoded, Brotli decodes what it reads', () => {
    const { bodyRead: dcb, decode: none } = slow('dcb').steps;
    const { bodyRead: br, decode } = slow('br').steps;
    expect(dcb).toMatchObject({ bytes: 1_048_576, count: 16 });
    expect(none.ms).toBe(0);
    expect(br.bytes).toBeLessThan(200_000);
    expect(decode.ms).toBeGreaterThan(0);
  });

  test('each device read takes the delay, and the serial steps explain the read', () => {
    expect(slow('dcb').serialReads).toBeGreaterThan(slow('br').serialReads ?? Infinity);
    for (const arm of ['br', 'dcb']) {
      const { deviceReads, serialReads, countedReads, readMs } = slow(arm);
      expect(deviceReads).toHaveLength(countedReads ?? -1);
      for (const { startMs, endMs } of deviceReads ?? [])
        expect(endMs - startMs).toBeGreaterThanOrEqual(delayMs);
      expect(readMs).toBeGreaterThanOrEqual((serialReads ?? Infinity) * delayMs);
      expect(readMs).toBeGreaterThanOrEqual(busyMs(deviceReads ?? []) - 1);
    }
  });

  test.skipIf(!hasStrace)('system calls show that a hit reads its entry and no dictionary', () => {
    const { syscalls, deviceReads } = slow('dcb');
    const of = (wanted: string) => (syscalls ?? []).filter(({ kind }) => kind === wanted);
    const bytesOf = (wanted: string) =>
      of(wanted).reduce((sum, { bytes }) => sum + (bytes ?? 0), 0);
    const cache = of('cache');
    expect(bytesOf('cache')).toBeGreaterThanOrEqual(1_048_576);
    // After a start Chromium reads its list of dictionaries when it is idle, possibly during the hit; the dictionary
    // itself is as large as the body.
    expect(bytesOf('dictionary')).toBeLessThan(100_000);
    // The call waits for its device read. Two witnesses with separate clocks show it. On a busy machine strace
    // records the start of the call after the read has ended, so only the ends show which waited for which.
    const first = deviceReads?.[0];
    const open = cache.find(({ name }) => name === 'openat');
    expect(open?.endMs).toBeGreaterThan(first?.endMs ?? Infinity);
  });

  test('the chart comes first, and the tables are written', () => {
    const report = readdirSync(out).find((name) => name.startsWith('cdt-perf-report-'));
    expect(readFileSync(join(out, report ?? ''), 'utf8')).toContain('Steps of one traced read');
    expect(existsSync(join(out, 'charts', 'hit-waterfall.png'))).toBe(true);
    const rows = readFileSync(join(out, 'device-reads.csv'), 'utf8').trimEnd().split('\n');
    const reads = traced.flatMap(({ deviceReads }) => deviceReads ?? []);
    expect(rows).toHaveLength(1 + reads.length);
    expectNothingLeft();
  });

  test('--perfetto writes one trace on one clock, and SQL queries on it match traced.ndjson', async () => {
    const file = join(base, 'trace.json');
    const { code, stdout, stderr } = await cachescope('report', out, '--perfetto', file);
    expect([code, stdout], stderr).toEqual([0, '']);
    expect(stderr).not.toContain('Warning');
    // SQLite's JSON reader is independent of our writer.
    using database = new DatabaseSync(':memory:');
    database.exec('CREATE TABLE text (json)');
    database.prepare('INSERT INTO text VALUES (?)').run(readFileSync(file, 'utf8'));
    database.exec(`CREATE TABLE event AS
      SELECT value ->> 'pid' AS pid, value ->> 'cat' AS cat, value ->> 'ph' AS ph, value ->> 'name' AS name,
        value ->> 'ts' AS ts, value ->> 'dur' AS dur, value -> 'args' AS args
      FROM text, json_each(text.json, '$.traceEvents')`);
    const cells = database
      .prepare(
        `SELECT read.args ->> 'arm' AS arm, read.args ->> 'storage' AS storage,
          (SELECT count(*) FROM event WHERE pid = read.pid AND cat = 'cachescope.device' AND ph = 'X') AS reads,
          (SELECT count(args ->> 'placeInChain') FROM event WHERE pid = read.pid) AS chain,
          (SELECT count(*) FROM event WHERE pid = read.pid AND ph IN ('s', 't', 'f')) AS arrows,
          (SELECT count(*) FROM event WHERE pid = read.pid AND cat = 'cachescope.syscall') AS calls,
          (SELECT sum(args ->> 'bytes') FROM event WHERE pid = read.pid AND cat = 'cachescope.device') AS bytes,
          EXISTS (SELECT * FROM event WHERE cat = 'netlog' AND name = 'CORS_REQUEST' AND ph = 'b'
            AND ts BETWEEN read.ts AND read.ts + read.dur) AS isRequestWithin
        FROM event AS read WHERE cat = 'cachescope.read' ORDER BY ts`,
      )
      .all()
      .map((row) => ({ ...row }));
    const expected = traced.map(({ cell, deviceReads, serialReads, syscalls }) => ({
      arm: cell.arm,
      storage: cell.storage,
      reads: deviceReads?.length ?? 0,
      chain: serialReads ?? 0,
      arrows: serialReads ?? 0,
      calls: syscalls?.length ?? 0,
      bytes: deviceReads?.reduce((sum, { bytes }) => sum + bytes, 0) ?? null,
      // Chromium's own event of the request is within the read: both use one clock. Other events may begin at the same
      // time.
      isRequestWithin: 1,
    }));
    expect(cells).toEqual(expected);
    const again = await cachescope('report', out, '--perfetto', file);
    expect(again.code).toBe(2);
    expect(again.stderr).toContain('exists; no file is written over another');
  });

  test('a run stopped during its traced reads resumes with the missing ones', async () => {
    const lines = readFileSync(tracedFile, 'utf8').split('\n');
    writeFileSync(tracedFile, `${lines.slice(0, 3).join('\n')}\n${lines[3]?.slice(0, 50)}`);
    const run = JSON.parse(readFileSync(runFile, 'utf8'));
    writeFileSync(runFile, JSON.stringify({ ...run, status: 'partial', statusReason: 'killed' }));
    const again = await cachescope('sweep', '--resume', out, '--env', 'skip');
    expect(again.code, again.stderr).toBe(0);
    const after = await readRunOf('sweep', out);
    expect(after.traced).toHaveLength(4);
    expect(after.traced?.slice(0, 3)).toEqual(traced.slice(0, 3));
    expect(after.run.warnings.join('\n')).toContain('1 line of traced.ndjson could not be used');
    expectNothingLeft();
  });
});
