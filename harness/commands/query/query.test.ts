import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { madeUpTraced } from '@cachescope/model/fixtures/made-up-traced.ts';
import { usable } from '@cachescope/model/run/sample.ts';
import { median } from '@cachescope/model/statistics/quantile.ts';
import { expect, test, vi } from 'vitest';
import { sweep } from '../../experiments/sweep/experiment.ts';
import { samplesFile, samplesParquet } from '../../results/formats/parquet.ts';
import { hangLimitMs } from '../../../test/hang-limit.ts';
import { maxShownLength, maxShownRows } from './answer.ts';
import { answerOf, ask } from './command.ts';
import { loadDuckDb } from './duckdb.ts';
import { merged, plain, runsOnDisk, write } from './made-up-runs.ts';

const { base, mergedPath, plainPath } = runsOnDisk();

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
  const { DuckDBInstance } = await loadDuckDb();
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
