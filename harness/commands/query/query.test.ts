import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
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
import { answerOf } from './command.ts';

const base = mkdtempSync(join(tmpdir(), 'cachescope-query-test-'));
const merged = madeUpMachines(4);
const plain = madeUpRun(6);
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
    "SELECT machine, arm, median(read_ms), count(*) FROM samples WHERE kind = 'timed' AND sample_flags = '' GROUP BY ALL ORDER BY ALL",
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
    'SELECT read_ms_median FROM cells ORDER BY storage DESC, requested_delay_ms, arm',
  );
  const expected = summary.points.flatMap(({ arms }) => arms.map(({ medianMs }) => medianMs));
  expect(new Set(cells.rows.flat())).toEqual(new Set(expected));
  const machines = await answerOf(
    [mergedPath],
    "SELECT relative, launches FROM machines WHERE machine = 'all' ORDER BY relative",
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

test('every ready query of the documentation has an answer', async () => {
  const statements = readyQueries();
  expect(statements.length).toBeGreaterThan(5);
  for (const statement of statements)
    expect((await answerOf([mergedPath], statement)).rows.length).toBeGreaterThan(0);
});

test.each([
  ['a merged run', () => [mergedPath]],
  ['its shards', () => shardPaths],
])(
  'the effect by machine from the samples of %s in SQL is that of the forest plot',
  async (_, runs) => {
    const statement = readyQueries().find((each) => each.includes('AS launches')) ?? '';
    const { rows } = await answerOf(runs(), statement);
    const gaps = sweep.summarize(merged).machines ?? [];
    const expected = gaps.flatMap(({ storage, requestedDelayMs, pooled }) =>
      pooled.machines.map(({ machine, relative, launches }) => {
        const where = [storage, requestedDelayMs, machine];
        return [...where, expect.closeTo(relative, 9), BigInt(launches)];
      }),
    );
    expect(rows).toHaveLength(expected.length);
    expect(rows).toEqual(expect.arrayContaining(expected));
  },
);

test.each([
  ["SELECT * FROM read_text('/etc/passwd')", 'disabled by configuration'],
  ["COPY samples TO '/tmp/cachescope-query-test.csv'", 'disabled by configuration'],
  ["ATTACH '/tmp/cachescope-query-test.db'", 'disabled by configuration'],
  ['INSTALL httpfs', 'disabled by configuration'],
  ["SELECT * FROM 'https://127.0.0.1/x.parquet'", 'disabled by configuration'],
  ['SET enable_external_access = true', 'configuration has been locked'],
  ['SELECT 1; SELECT 2', '2 statements; exactly one'],
  ['', '0 statements; exactly one'],
  ['SELECT * FROM nothing', 'nothing does not exist'],
  ['SELEC', 'syntax error'],
])('%s is refused', async (sql, why) => {
  await expect(answerOf([plainPath], sql)).rejects.toMatchObject({
    code: 'CS_QUERY',
    exitCode: 2,
    message: expect.stringContaining(why),
    hint: expect.stringContaining('samples, cells, gaps'),
  });
  expect(existsSync('/tmp/cachescope-query-test.csv')).toBe(false);
});

test('every damaged file of every run is named at once, and nothing is changed', async () => {
  const whole = samplesParquet(merged);
  const cut = await write(join(base, 'cut'), merged, whole.subarray(0, -100));
  const empty = await write(join(base, 'empty'), merged, new Uint8Array());
  const text = await write(join(base, 'text'), plain);
  writeFileSync(join(text, 'cells.csv'), 'storage,read_ms_median\nnone,fast\n');
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
