import { readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CachescopeError } from '../../error.ts';
import { samplesParquet } from '../../results/formats/parquet.ts';
import { answerOf } from './command.ts';
import { openDatabase } from './database.ts';
import { merged, plain, runsOnDisk, write } from './made-up-runs.ts';
import { checkSamples, loadViews } from './views.ts';

const { base, plainPath } = runsOnDisk();

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
