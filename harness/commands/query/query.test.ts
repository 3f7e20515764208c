import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { madeUpMachines } from '@cachescope/model/fixtures/made-up-machines.ts';
import { madeUpRun } from '@cachescope/model/fixtures/made-up-run.ts';
import { madeUpShard } from '@cachescope/model/fixtures/made-up-shard.ts';
import { madeUpTraced } from '@cachescope/model/fixtures/made-up-traced.ts';
import { usable } from '@cachescope/model/run/sample.ts';
import { median } from '@cachescope/model/statistics/quantile.ts';
import type { SweepRunDocument } from '@cachescope/model/sweep/run.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { CachescopeError } from '../../error.ts';
import { sweep } from '../../experiments/sweep/experiment.ts';
import { samplesFile, samplesParquet } from '../../results/formats/parquet.ts';
import { hangLimitMs } from '../../../test/hang-limit.ts';
import { maxShownLength, maxShownRows } from './answer.ts';
import { answerOf, ask } from './command.ts';
import { openDatabase } from './database.ts';
import { checkSamples, loadViews } from './views.ts';

const base = mkdtempSync(join(tmpdir(), 'cachescope-query-test-'));
const merged = madeUpMachines(4);
// With recompressed reads, which are no reads of the arm DCB.
const plain = madeUpRun(6, [], true);
const [mergedPath, plainPath] = [join(base, "it's [merged]"), join(base, 'plain')];
const shardPaths = [1, 2, 3, 4].map((number) => join(base, `shard-${number}`));

/** A run directory with its CSV files; with samples.parquet in place of readable samples where `parquet` is given. */
async function write(path: string, run: SweepRunDocument, parquet?: Uint8Array): Promise<string> {
  await mkdir(path);
  writeFileSync(join(path, 'run.json'), JSON.stringify(run.run));
  const lines = run.samples.map((sample) => `${JSON.stringify(sample)}\n`).join('');
  writeFileSync(join(path, 'samples.ndjson'), parquet ? '' : lines);
  if (parquet) writeFileSync(join(path, 'samples.parquet'), parquet);
  for (const [name, text] of Object.entries(sweep.files(run, sweep.summarize(run))))
    writeFileSync(join(path, name), text);
  return path;
}

beforeAll(async () => {
  vi.stubEnv('XDG_STATE_HOME', join(base, 'state'));
  await write(mergedPath, merged, samplesParquet(merged));
  await write(plainPath, plain);
  for (const [place, path] of shardPaths.entries()) {
    const shard = madeUpShard(place + 1, 4);
    await write(path, shard, place === 0 ? samplesParquet(shard) : undefined);
  }
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(base, { recursive: true });
});

test('samples of a merged run by machine have the medians of the samples', async () => {
  const { columns, rows } = await answerOf(
    [mergedPath],
    'SELECT machine, arm, median(read_ms), count(*) FROM reads GROUP BY ALL ORDER BY ALL',
  );
  expect(columns.slice(0, 2)).toEqual(['machine', 'arm']);
  const groups = Map.groupBy(
    usable(merged.samples),
    ({ machine, cell }) => `${machine} ${cell.arm}`,
  );
  expect(rows).toHaveLength(groups.size);
  for (const [machine, arm, middle, count] of rows) {
    const own = groups.get([machine, arm].join(' '))?.map(({ readMs }) => readMs) ?? [];
    expect(middle).toBeCloseTo(median(own) ?? Number.NaN, 9);
    expect(count).toBe(BigInt(own.length));
  }
});

test('runs with and without Parquet are one view, with their names', async () => {
  const { rows } = await answerOf(
    [plainPath, mergedPath],
    'SELECT run, count(*), count(machine), count(DISTINCT machine) FROM samples GROUP BY run ORDER BY count(*)',
  );
  const counts = [plain, merged].map(({ samples }) => BigInt(samples.length));
  expect(rows).toEqual([
    [plainPath, counts[0], 0n, 0n],
    [mergedPath, counts[1], counts[1], 4n],
  ]);
});

test('a file of an older version, whose flags have another name, is read', async () => {
  const path = await write(join(base, 'older'), plain);
  const file = join(path, samplesFile);
  const parquet = join(base, 'renamed.parquet');
  writeFileSync(parquet, samplesParquet(plain));
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  await connection.run(
    `COPY (SELECT * RENAME (sample_flags AS flags) FROM '${parquet}') TO '${file}' (FORMAT parquet)`,
  );
  connection.closeSync();
  const sql = "SELECT count(*) FROM samples WHERE sample_flags = ''";
  const { rows } = await answerOf([path], sql);
  expect(rows).toEqual([[BigInt(plain.samples.filter(({ flags }) => flags.length === 0).length)]]);
});

test('cells, gaps and machines are those of the summary, with unknown values as NULL', async () => {
  const summary = sweep.summarize(merged);
  const cells = await answerOf(
    [mergedPath],
    'SELECT read_median_ms FROM cells ORDER BY storage DESC, requested_delay_ms, arm',
  );
  const expected = summary.points.flatMap(({ arms }) => arms.map(({ medianMs }) => medianMs));
  expect(new Set(cells.rows.flat())).toEqual(new Set(expected));
  const machines = await answerOf(
    [mergedPath],
    "SELECT effect_share, launches FROM machines WHERE machine = 'all' ORDER BY effect_share",
  );
  const pooled = summary.machines?.map(({ pooled: { relative } }) => relative) ?? [];
  expect(machines.rows).toEqual(pooled.toSorted((a, b) => a - b).map((each) => [each, null]));
  const gaps = await answerOf([plainPath, mergedPath], 'SELECT count(*), sum(gap_ms) FROM gaps');
  expect(gaps.rows[0]?.[0]).toBeGreaterThan(0n);
});

test('device reads of traced reads, also as older versions wrote them', async () => {
  const run = { ...plain, traced: [madeUpTraced('br', 0, 3), madeUpTraced('dcb', 10, 10)] };
  const path = await write(join(base, 'traced'), run);
  const countBy = (column: string) =>
    answerOf(
      [path],
      `SELECT arm, kind, ${column}, count(*), sum(bytes) FROM device_reads GROUP BY ALL ORDER BY arm`,
    );
  const counts = [
    ['br', 'hit', 'body', 3n, 3 * 131_072],
    ['dcb', 'hit', 'body', 10n, 10 * 131_072],
  ];
  expect((await countBy('read_kind')).rows).toEqual(counts);
  const file = join(path, 'device-reads.csv');
  writeFileSync(file, readFileSync(file, 'utf8').replace('read_kind', 'kind'));
  expect((await countBy('kind_1')).rows).toEqual(counts);
});

/** The ready queries of the documentation. */
function readyQueries(): string[] {
  const page = readFileSync(join(import.meta.dirname, '../../docs/query.md'), 'utf8');
  return /```sql\n([^`]*)```/.exec(page)?.[1]?.trim().split(/;\s*/).filter(Boolean) ?? [];
}

/** The ready query under a comment. */
function readyQuery(name: string): string {
  return readyQueries().find((each) => each.startsWith(`-- ${name}`)) ?? '';
}

/** The delay of a point in SQL: the control has none. */
function delayIn({ storage, requestedDelayMs }: { storage: string; requestedDelayMs: number }) {
  return storage === 'none' ? null : requestedDelayMs;
}

/** Rows in any order, numbers to nine digits. */
function asSet(rows: readonly (readonly unknown[])[]): string[] {
  const rounded = (value: unknown) =>
    typeof value === 'number' || typeof value === 'bigint' ? Number(value).toPrecision(9) : value;
  return rows.map((row) => row.map((value) => String(rounded(value))).join(' ')).toSorted();
}

test.each([
  ['plain', () => [plainPath, plain] as const],
  ['merged', () => [mergedPath, merged] as const],
])('the ready queries over a %s run give what its summary says', async (_, of) => {
  const [path, run] = of();
  const summary = sweep.summarize(run);
  const answer = async (name: string) => asSet((await answerOf([path], readyQuery(name))).rows);
  const cells = summary.points.flatMap((point) =>
    point.arms.map((cell) => ({ ...cell, point, storage: point.storage, delay: delayIn(point) })),
  );
  expect(await answer('Read times as in the report')).toEqual(
    asSet(
      cells.map(({ workload = null, storage, delay, arm, variant = null, ...cell }) => {
        const times = [cell.medianMs, cell.lowMs, cell.highMs];
        return [path, workload, storage, delay, arm, variant, ...times];
      }),
    ),
  );
  expect(await answer('One cell over many runs')).toEqual(
    asSet(
      cells.flatMap(({ arm, variant, delay, medianMs, lowMs, highMs }) =>
        arm === 'dcb' && variant === undefined && delay === 5
          ? [[path, medianMs, lowMs, highMs]]
          : [],
      ),
    ),
  );
  expect(await answer('Gaps that were decided')).toEqual(
    asSet(
      summary.points.flatMap((point) =>
        point.gaps.flatMap(({ of: one, against, ms, verdict }) => {
          const sides = [one, against].flatMap(({ arm, variant = null }) => [arm, variant]);
          const where = [path, point.storage, delayIn(point)];
          return verdict.outcome === 'DIFFERENT' ? [[...where, ...sides, ms]] : [];
        }),
      ),
    ),
  );
  const timed = run.samples.filter(({ kind }) => kind === 'timed');
  const byFlags = Map.groupBy(timed, ({ flags }) => flags.join(' '));
  expect(await answer('Share of flagged reads')).toEqual(
    asSet(
      Array.from(byFlags, ([flags, own]) => [path, flags, own.length, own.length / timed.length]),
    ),
  );
  const slowest = usable(run.samples).toSorted((a, b) => b.readMs - a.readMs);
  const { rows } = await answerOf([path], readyQuery('Slow reads'));
  expect(rows.map((row) => row[7])).toEqual(slowest.slice(0, 10).map(({ readMs }) => readMs));
});

test('without machines, read times from the samples are those of the summary', async () => {
  const { rows } = await answerOf([plainPath], readyQuery('Read times by machine'));
  const expected = sweep.summarize(plain).points.flatMap((point) =>
    point.arms.map(({ workload = null, arm, variant = null, medianMs, launches }) => {
      const series = [point.storage, delayIn(point), arm, variant];
      return [null, workload, ...series, medianMs, launches];
    }),
  );
  expect(asSet(rows)).toEqual(asSet(expected));
});

test('the machine with the largest effect at each point is that of the summary', async () => {
  const statement = readyQuery('The machine with the largest effect');
  const { rows } = await answerOf([mergedPath], statement);
  const gaps = sweep.summarize(merged).machines ?? [];
  const expected = gaps.map((gap) => {
    const size = ({ relative }: { relative: number }) => Math.abs(relative);
    const [largest] = gap.pooled.machines.toSorted((a, b) => size(b) - size(a));
    return [gap.storage, delayIn(gap), largest?.machine, largest?.relative];
  });
  expect(asSet(rows.map((row) => row.slice(2)))).toEqual(asSet(expected));
});

test.each([
  ['a merged run', () => [mergedPath]],
  ['its shards', () => shardPaths],
])(
  'the effect by machine from the samples of %s in SQL is that of the forest plot',
  async (_, runs) => {
    const statement = readyQuery('Effect of DCB');
    const { rows } = await answerOf(runs(), statement);
    const gaps = sweep.summarize(merged).machines ?? [];
    const expected = gaps.flatMap(({ storage, requestedDelayMs, pooled }) =>
      pooled.machines.map(({ machine, relative, launches }) => {
        const delay = delayIn({ storage, requestedDelayMs });
        const where = [null, storage, delay, null, machine];
        return [...where, expect.closeTo(relative, 9), BigInt(launches)];
      }),
    );
    expect(rows).toHaveLength(expected.length);
    expect(rows).toEqual(expect.arrayContaining(expected));
  },
);

test('rows are fetched while they are read, and no more of them than a table shows', async () => {
  const read: unknown[] = [];
  await ask([plainPath], 'SELECT * FROM range(1000000000000)', 'table', async ({ rows }) => {
    for await (const row of rows) read.push(row);
  });
  expect(read).toHaveLength(maxShownRows + 1);
  await ask([plainPath], 'SELECT * FROM range(1000000000000)', 'json', async ({ rows }) => {
    for await (const [number] of rows) if (number === 5000n) return;
  });
});

test('texts and nested values of a table are cut before they become values of JavaScript', async () => {
  let cells: unknown[] = [];
  const sql = "SELECT repeat('x', 10000000), range(1000000), {'__proto__': 1}, 'short'";
  await ask([plainPath], sql, 'table', async ({ rows }) => {
    for await (const row of rows) cells = row;
  });
  const lengths = [maxShownLength + 1, maxShownLength + 1];
  expect(cells.slice(0, 2).map((cell) => String(cell).length)).toEqual(lengths);
  expect(cells.slice(2)).toEqual(["{'__proto__': 1}", 'short']);
  await expect(answerOf([plainPath], sql)).rejects.toMatchObject({
    code: 'CS_QUERY',
    message: expect.stringContaining('has more than 1048576 bytes'),
  });
});

test('nested values are those of JSON, whatever their names; numbers that JSON cannot hold are text', async () => {
  const sql =
    "SELECT {'__proto__': 1, a: [1.5, NULL]} AS s, [9007199254740993] AS l, ['nan'::DOUBLE] AS n, map {'k': true} AS m";
  const { columns, rows } = await answerOf([plainPath], sql);
  expect(columns).toEqual(['s', 'l', 'n', 'm']);
  const [struct, ...others] = rows[0] ?? [];
  expect(JSON.stringify(struct)).toBe('{"__proto__":1,"a":[1.5,null]}');
  expect(others).toEqual([['9007199254740993'], '[NaN]', { k: true }]);
});

test.each([
  'PIVOT reads ON arm USING count(*) GROUP BY storage ORDER BY storage;',
  'FROM (PIVOT reads ON arm USING count(*) GROUP BY storage) ORDER BY storage',
])('%s counts as one statement', async (sql) => {
  const { columns, rows } = await answerOf([mergedPath], sql);
  expect(columns).toEqual(['storage', 'br', 'dcb']);
  const used = usable(merged.samples);
  const count = (storage: string, arm: string) =>
    used.filter(
      ({ cell }) => (cell.storage === 'none') === (storage === 'none') && cell.arm === arm,
    ).length;
  expect(rows).toEqual(
    rows.map(([storage]) => [
      storage,
      BigInt(count(String(storage), 'br')),
      BigInt(count(String(storage), 'dcb')),
    ]),
  );
});

test.each([
  ['SELECT 1 AS a; -- note', [[1]]],
  ["SELECT ';--' AS a", [[';--']]],
  ['/* c */ VALUES (1), (2)', [[1], [2]]],
  ['SHOW TABLES', [['cells'], ['gaps'], ['launches'], ['reads'], ['samples']]],
  ['FROM cells SELECT count(*) > 0', [[true]]],
])('%s is read', async (sql, rows: unknown[][]) => {
  expect((await answerOf([plainPath], sql)).rows).toEqual(expect.arrayContaining(rows));
});

test('DESCRIBE, SUMMARIZE and EXPLAIN are read', async () => {
  for (const sql of ['DESCRIBE reads', 'SUMMARIZE reads;', 'EXPLAIN ANALYZE FROM reads'])
    expect((await answerOf([plainPath], sql)).rows.length).toBeGreaterThan(0);
});

test.each([
  ["SELECT * FROM read_text('/etc/passwd')", 'disabled by configuration'],
  ["COPY samples TO '/tmp/cachescope-query-test.csv'", 'disabled by configuration'],
  ["ATTACH '/tmp/cachescope-query-test.db'", 'only what reads is run'],
  ['INSTALL httpfs', 'only what reads is run'],
  ["SELECT * FROM 'https://127.0.0.1/x.parquet'", 'disabled by configuration'],
  ['SET enable_external_access = true', 'only what reads is run'],
  ['SELECT 1; SELECT 2', '2 statements; exactly one'],
  ['', '0 statements; exactly one'],
  ['--', '0 statements; exactly one'],
  [' ; /* c */', '0 statements; exactly one'],
  ['CALL pragma_version()', 'only what reads is run'],
  ['CREATE TABLE t AS SELECT 1', 'only what reads is run'],
  ['DROP VIEW samples', 'only what reads is run'],
  ['CREATE TABLE t AS SELECT 1; SELECT 2', '2 statements; exactly one'],
  ["EXPLAIN ANALYZE COPY samples TO '/tmp/cachescope-query-test.csv'", 'disabled by configuration'],
  ['SELECT * FROM nothing', 'nothing does not exist'],
  ['SELEC', 'syntax error'],
])('%s is refused', async (sql, why) => {
  await expect(answerOf([plainPath], sql)).rejects.toMatchObject({
    code: 'CS_QUERY',
    exitCode: 2,
    message: expect.stringContaining(why),
    hint: expect.stringContaining('samples, reads, launches, cells, gaps'),
  });
  expect(existsSync('/tmp/cachescope-query-test.csv')).toBe(false);
});

test('every damaged file of every run is named at once, and nothing is changed', async () => {
  const whole = samplesParquet(merged);
  const cut = await write(join(base, 'cut'), merged, whole.subarray(0, -100));
  const empty = await write(join(base, 'empty'), merged, new Uint8Array());
  const text = await write(join(base, 'text'), plain);
  writeFileSync(
    join(text, 'cells.csv'),
    'storage,requested_delay_ms,read_median_ms\nnone,0,fast\n',
  );
  const link = await write(join(base, 'link'), plain);
  rmSync(join(link, 'gaps.csv'));
  symlinkSync('/etc/passwd', join(link, 'gaps.csv'));
  const gone = join(base, 'gone');
  await mkdir(gone);
  const failed = await answerOf([cut, empty, text, link, gone], 'SELECT 1').catch((error) => error);
  expect(failed).toMatchObject({ code: 'CS_QUERY_DATA', exitCode: 2 });
  const lines = String(failed.message).split('\n  - ').slice(1);
  expect(lines.map((line) => line.slice(base.length + 1).split(/[/: ]/)[0])).toEqual([
    'cut',
    'empty',
    'text',
    'link',
    'gone',
  ]);
  expect(lines[0]).toContain('samples.parquet');
  expect(lines[2]).toContain('fast');
  expect(lines[3]).toContain('symbolic link');
  expect(readFileSync(join(cut, 'samples.parquet'))).toEqual(Buffer.from(whole.subarray(0, -100)));
});

test('runs that need more memory than a query may have are not called damaged', async () => {
  const directory = join(base, 'small');
  await mkdir(directory);
  using database = await openDatabase(directory);
  const refusing = {
    ...database,
    file: database.file.bind(database),
    rows: (sql: string) =>
      sql.startsWith('CREATE TABLE')
        ? Promise.reject(new Error('Out of Memory Error: failed to allocate data of size 32 MB'))
        : database.rows(sql),
  };
  await expect(
    loadViews(refusing, directory, [plainPath], new AbortController().signal),
  ).rejects.toMatchObject({ code: 'CS_QUERY_MEMORY', exitCode: 2 });
});

test('samples that no memory is left to read are not called damaged', async () => {
  const directory = join(base, 'full');
  await mkdir(directory);
  using database = await openDatabase(directory);
  const full = {
    ...database,
    rows: () => Promise.reject(new Error('Out of Memory Error: Failed to allocate block of 8192')),
  };
  await expect(checkSamples(full, [plainPath])).resolves.toBeUndefined();
  const damaged = { ...database, rows: () => Promise.reject(new Error('Invalid Input Error')) };
  await expect(checkSamples(damaged, [plainPath])).rejects.toMatchObject({ code: 'CS_QUERY_DATA' });
});

test('a damaged page is found when it is read, and the file is named', async () => {
  const bytes = Uint8Array.from(samplesParquet(merged));
  bytes.fill(7, 100, bytes.length / 2);
  const damaged = await write(join(base, 'damaged'), merged, bytes);
  await expect(
    answerOf([plainPath, damaged], 'SELECT max(read_ms), max(arm), max(sequence) FROM samples'),
  ).rejects.toMatchObject({
    code: 'CS_QUERY_DATA',
    message: expect.stringContaining(join(damaged, 'samples.parquet')),
  });
});

test('samples that a run took after its Parquet was written are in the answer', async () => {
  const half = { ...plain, samples: plain.samples.slice(0, 50) };
  const path = await write(join(base, 'resumed'), half);
  writeFileSync(join(path, 'samples.parquet'), samplesParquet(half));
  const count = () => answerOf([path], 'SELECT count(*) FROM samples');
  expect((await count()).rows).toEqual([[50n]]);
  const lines = plain.samples.map((sample) => `${JSON.stringify(sample)}\n`).join('');
  writeFileSync(join(path, 'samples.ndjson'), lines);
  const run = { ...plain.run, lineCount: plain.samples.length };
  writeFileSync(join(path, 'run.json'), JSON.stringify(run));
  expect((await count()).rows).toEqual([[BigInt(plain.samples.length)]]);
  expect(readFileSync(join(path, 'samples.parquet'))).toEqual(Buffer.from(samplesParquet(half)));
});

test('a changed byte never gives another number: the file is refused, or the byte is not of the answer', async () => {
  const bytes = samplesParquet(merged);
  const path = await write(join(base, 'changed'), merged, bytes);
  const sql =
    'SELECT machine, arm, sum(read_ms), sum(launch) FROM samples GROUP BY ALL ORDER BY ALL';
  const truth = await answerOf([path], sql);
  let refused = 0;
  for (let place = 1; place < 20; place++) {
    const changed = Uint8Array.from(bytes);
    const at = Math.floor((bytes.length * place) / 20);
    changed[at] = (changed[at] ?? 0) ^ 1;
    writeFileSync(join(path, 'samples.parquet'), changed);
    const answer = await answerOf([path], sql).catch((error: CachescopeError) => error.code);
    if (answer === 'CS_QUERY_DATA') refused++;
    else expect(answer).toEqual(truth);
  }
  expect(refused).toBeGreaterThan(0);
});

test('Parquet of another program is refused by its columns', async () => {
  const foreign = await write(join(base, 'foreign'), merged, samplesParquet(merged));
  const { parquetWriteBuffer } = await import('hyparquet-writer');
  const columnData = [{ name: 'read_ms', data: ['fast'], type: 'STRING' as const }];
  const other = new Uint8Array(parquetWriteBuffer({ columnData }));
  writeFileSync(join(foreign, 'samples.parquet'), other);
  await expect(answerOf([foreign], 'SELECT 1')).rejects.toMatchObject({
    code: 'CS_QUERY_DATA',
    message: expect.stringContaining('read_ms is VARCHAR and must be DOUBLE'),
  });
});

test('a file that is no Parquet is refused before it is copied, however large it says it is', async () => {
  const sparse = await write(join(base, 'sparse'), plain, new Uint8Array());
  truncateSync(join(sparse, 'samples.parquet'), 900 * 1024 ** 2);
  const larger = await write(join(base, 'larger'), plain, new Uint8Array());
  truncateSync(join(larger, 'samples.parquet'), 15 * 1024 ** 3);
  const footer = await write(
    join(base, 'footer'),
    plain,
    Buffer.from('PAR1....\xff\xff\xff\x7fPAR1', 'latin1'),
  );
  const failed = await answerOf([sparse, larger, footer], 'SELECT 1').catch((error) => error);
  expect(String(failed.message).split('\n  - ').slice(1)).toEqual([
    expect.stringContaining('does not begin and end with PAR1'),
    expect.stringContaining('at most 1073741824 are read'),
    expect.stringContaining('is cut: its footer has 2147483647 bytes'),
  ]);
});

test('an interrupt ends the copying, and nothing is left', async () => {
  const temporary = join(base, 'copied');
  await mkdir(temporary);
  vi.stubEnv('TMPDIR', temporary);
  const large = await write(join(base, 'large'), plain, Buffer.from('PAR1'));
  const file = join(large, 'samples.parquet');
  truncateSync(file, 900 * 1024 ** 2);
  appendFileSync(file, Buffer.from('\x01\0\0\0PAR1', 'latin1'));
  const answer = answerOf([large], 'SELECT 1');
  const copied = () =>
    readdirSync(temporary, { recursive: true }).some((name) => String(name).endsWith('.parquet'));
  await vi.waitUntil(copied, { timeout: hangLimitMs, interval: 1 });
  process.emit('SIGINT');
  await expect(answer).rejects.toMatchObject({ code: 'CS_QUERY', exitCode: 130 });
  expect(readdirSync(temporary)).toEqual([]);
});

test('an interrupt ends the statement, and its copies are removed', async () => {
  const temporary = join(base, 'interrupted');
  await mkdir(temporary);
  vi.stubEnv('TMPDIR', temporary);
  const before = process.listenerCount('SIGINT');
  const answer = answerOf([plainPath], 'SELECT count(*) FROM range(1000000) a, range(1000000) b');
  await vi.waitUntil(() => process.listenerCount('SIGINT') > before, { timeout: hangLimitMs });
  const pressing = setInterval(() => process.emit('SIGINT'), 10);
  await expect(answer)
    .rejects.toMatchObject({ code: 'CS_QUERY', exitCode: 130 })
    .finally(() => clearInterval(pressing));
  expect(readdirSync(temporary)).toEqual([]);
});
