import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { isRunOf } from '@cachescope/model/run/run.ts';
import { savedSweep } from '@cachescope/model/sweep/run.ts';
import { fileWriter } from 'hyparquet-writer';
import { CachescopeError, messageOf } from '../../error.ts';
import { LargeSweep } from '../../experiments/sweep/large-sweep.ts';
import {
  sampleColumns,
  samplesFile,
  SamplesParquet,
  samplesParquet,
} from '../../results/formats/parquet.ts';
import { areLarge, readRunDirectory } from '../../results/run-directory.ts';
import { copyRunFile, parquetFault } from './copied-file.ts';
import { type Database, databaseMessage, sqlText } from './database.ts';

/** The CSV files of a run that become views, and their columns that are no numbers. */
const tables: Readonly<Record<string, { file: string; texts: readonly string[] }>> = {
  cells: {
    file: 'cells.csv',
    texts: ['storage', 'delay_off', 'arm', 'variant', 'workload'],
  },
  gaps: {
    file: 'gaps.csv',
    texts: [
      'storage',
      'delay_off',
      'of_arm',
      'of_variant',
      'against_arm',
      'against_variant',
      'verdict',
      'direction',
      'workload',
    ],
  },
  device_reads: {
    file: 'device-reads.csv',
    // Files of older versions have two columns `kind`: DuckDB names the second `kind_1`.
    texts: [
      'storage',
      'arm',
      'workload',
      'variant',
      'kind',
      'read_kind',
      'kind_1',
      'machine',
      'read_ahead',
      'file',
    ],
  },
  machines: { file: 'machines.csv', texts: ['of', 'against', 'storage', 'machine'] },
};

/** Names of the tables' columns with the requested delay. */
const delayColumns = ['delay_ms', 'requested_delay_ms'];

/** The control has no delay, and a profile has many: 0 would be one. */
const delayOf = (column: string, isNone = "storage = 'none'"): string =>
  `CASE WHEN ${isNone} THEN NULL ELSE ${column} END`;

/** Views of the samples that the statistics use. */
const derived: Readonly<Record<string, string>> = {
  reads: "FROM samples WHERE kind = 'timed' AND sample_flags = ''",
  launches: `SELECT run, machine, launch, workload, storage, profile, delay_ms, arm, variant, kind,
      count(*) AS reads, median(read_ms) AS read_ms FROM reads GROUP BY ALL`,
};

/** Names of all views. */
export const viewNames = ['samples', ...Object.keys(derived), ...Object.keys(tables)];

/** Size limit of a CSV file, bytes. */
const mostTableBytes = 256 * 1024 ** 2;
/** Size limit of the samples, bytes: 5 million of them have 64 MB. */
const mostSampleBytes = 1024 ** 3;
/** Samples between two looks at the signal. */
const samplesAtOnce = 10_000;

/** A run that is copied into the directory of a database. */
interface Copy {
  database: Database;
  /** Directory of the database. */
  directory: string;
  /** Directory of the run, as named: the column `run`. */
  run: string;
  /** Number of the run: names of its files begin with it. */
  place: number;
  /** Ends the loading. */
  signal: AbortSignal;
}

/**
 * Loads runs into views with a column `run`. Returns the names of the views that have data. Files are copied, so that
 * no SQL can change a run.
 *
 * @throws CachescopeError CS_QUERY_DATA with every problem of every run.
 */
export async function loadViews(
  database: Database,
  directory: string,
  runs: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  const problems: string[] = [];
  const sources = new Map<string, string[]>();
  const load = async (run: string, view: string, copied: Promise<string>) => {
    const source = await copied.catch((error: unknown) => {
      signal.throwIfAborted();
      if (isOutOfMemory(error))
        throw new CachescopeError('CS_QUERY_MEMORY', problemOf(error), { cause: error });
      problems.push(problemOf(error));
    });
    if (source === undefined) return;
    const link = await linkOf(run);
    const select = `SELECT ${sqlText(run)} AS run, ${link} AS link, * FROM ${source}`;
    sources.set(view, [...(sources.get(view) ?? []), select]);
  };
  for (const [place, run] of runs.entries()) {
    const copy = { database, directory, run, place, signal };
    await load(run, 'samples', copySamples(copy));
    for (const [view, { file, texts }] of Object.entries(tables)) {
      const path = join(run, file);
      if (existsSync(path)) await load(run, view, copyTable(copy, path, view, texts));
    }
  }
  // The copy is named beside the file: its own path says nothing.
  requireReadable(problems.map((problem) => problem.replaceAll(`${directory}/`, '')));
  const view = (name: string, sql: string) => database.rows(`CREATE VIEW ${name} AS ${sql}`);
  for (const [name, selects] of sources) await view(name, selects.join(' UNION ALL BY NAME '));
  for (const [name, sql] of Object.entries(derived)) await view(name, sql);
  return viewNames.filter((name) => sources.has(name) || Object.hasOwn(derived, name));
}

/**
 * Finds the runs whose samples cannot be read to the end. A damaged page is found only when it is read.
 *
 * @throws CachescopeError CS_QUERY_DATA
 */
export async function checkSamples(database: Database, runs: readonly string[]): Promise<void> {
  const problems: string[] = [];
  for (const [place, run] of runs.entries()) {
    const sql = `SELECT bit_xor(hash(COLUMNS(*))) FROM ${parquetOf(database, place)}`;
    await rowsOf(database, join(run, samplesFile), sql).catch((error: unknown) => {
      // The statement that failed may have left no memory for this look.
      if (!isOutOfMemory(error)) problems.push(problemOf(error));
    });
  }
  requireReadable(problems);
}

/** Of DuckDB, or of this process. */
function isOutOfMemory(error: unknown): boolean {
  return /out of memory|failed to allocate|allocation failed/i.test(messageOf(error));
}

/** The emulated link of a run, in SQL; NULL: none, or its run.json cannot be read. */
async function linkOf(run: string): Promise<string> {
  const document = await readRunDirectory(run, 'none').catch(() => null);
  const link = document?.run.environment.link;
  return `CAST(${link === undefined ? 'NULL' : sqlText(link)} AS VARCHAR)`;
}

function requireReadable(problems: readonly string[]): void {
  if (problems.length === 0) return;
  throw new CachescopeError(
    'CS_QUERY_DATA',
    problems.map((problem) => `\n  - ${problem}`).join(''),
    {
      hint: `No file was changed. Remove a damaged ${samplesFile}: the samples are in samples.ndjson too. npm run report -- DIR writes the CSV files again.`,
    },
  );
}

/** The message of an error in one line, also where it is a list. */
function problemOf(error: unknown): string {
  return messageOf(error).replaceAll(/\n\s*- /g, ' ');
}

function parquetOf(database: Database, place: number): string {
  return `read_parquet(${database.file(`${place}.parquet`)})`;
}

/** Copies the samples of a run, or derives them. Returns their source in SQL. */
async function copySamples(copy: Copy): Promise<string> {
  const { database, directory, run, place, signal } = copy;
  const source = join(run, samplesFile);
  if (!existsSync(source)) return derivedSamples(copy);
  const rules = { mostBytes: mostSampleBytes, signal, faultOf: parquetFault };
  await copyRunFile(source, join(directory, `${place}.parquet`), rules);
  const file = parquetOf(database, place);
  const rows = await rowsOf(database, source, `DESCRIBE SELECT * FROM ${file}`);
  const found = new Map(rows.map(([name, type]) => [String(name), String(type)]));
  // Files of older versions have `flags`.
  const oldFlags = found.get('flags');
  if (oldFlags !== undefined) found.set('sample_flags', oldFlags);
  const renamed = found.delete('flags') ? ' RENAME (flags AS sample_flags)' : '';
  const problems = columnProblems(found);
  if (problems.length > 0) throw new Error(`${source}: its columns differ: ${problems.join(', ')}`);
  const counted = await rowsOf(database, source, `SELECT count(*) FROM ${file}`);
  return (await isOutdated(run, Number(counted[0]?.[0])))
    ? derivedSamples(copy)
    : samplesIn(file, renamed);
}

function samplesIn(file: string, renamed = ''): string {
  const delay = delayOf('delay_ms', "storage = 'none' OR profile IS NOT NULL");
  return `(SELECT * REPLACE (${delay} AS delay_ms)${renamed} FROM ${file})`;
}

/** Derives the samples of a run from its lines. Returns their source in SQL. */
async function derivedSamples({ database, directory, run, place, signal }: Copy): Promise<string> {
  const isLarge = areLarge([run]);
  const document = await readRunDirectory(run, isLarge ? 'none' : 'whole');
  if (!isRunOf('sweep', document))
    throw new Error(`${run} is a run of ${document.run.experiment}; only a sweep has samples`);
  const path = join(directory, `${place}.parquet`);
  if (!isLarge) await writeFile(path, samplesParquet(document));
  else {
    const file = new SamplesParquet(fileWriter(path), document.run);
    let count = 0;
    for (const sample of new LargeSweep(run, document).lines) {
      file.add(sample);
      if (++count % samplesAtOnce > 0) continue;
      await setImmediate();
      signal.throwIfAborted();
    }
    file.finish(document.run);
  }
  return samplesIn(parquetOf(database, place));
}

/**
 * Whether a run has other samples than its Parquet file of so many rows: it continued after the file was written. False
 * where only the file is there.
 */
async function isOutdated(run: string, rows: number): Promise<boolean> {
  if (!existsSync(join(run, savedSweep.lineFile))) return false;
  const { merged, lineCount } = (await readRunDirectory(run, 'none')).run;
  // A merged run never continues. Without a count, the run has not ended.
  return !merged && lineCount !== rows;
}

/** The columns of a Parquet file must be those that this version writes. */
function columnProblems(found: ReadonlyMap<string, string>): string[] {
  const wrong = Object.entries(sampleColumns)
    .filter(([column, type]) => found.get(column) !== type)
    .map(([column, type]) => `${column} is ${found.get(column) ?? 'missing'} and must be ${type}`);
  const more = [...found.keys()].filter((column) => !Object.hasOwn(sampleColumns, column));
  return [...wrong, ...more.map((column) => `${column} is not known`)];
}

/** Copies a CSV file of a run into a table. Returns its source in SQL. */
async function copyTable(
  { database, directory, place, signal }: Copy,
  path: string,
  view: string,
  texts: readonly string[],
): Promise<string> {
  const [file, table] = [`${place}-${view}.csv`, `"${view} of run ${place}"`];
  await copyRunFile(path, join(directory, file), { mostBytes: mostTableBytes, signal });
  const read = `read_csv(${database.file(file)}, header = true, all_varchar = true, nullstr = '', delim = ',', quote = '"', escape = '"')`;
  const names = texts.map(sqlText).join(', ');
  const delays = delayColumns.map(sqlText).join(', ');
  await rowsOf(
    database,
    path,
    `CREATE TABLE ${table} AS
     SELECT CAST(COLUMNS(c -> c NOT IN (${names}, ${delays})) AS DOUBLE),
       CAST(${delayOf(`COLUMNS(c -> c IN (${delays}))`)} AS DOUBLE), COLUMNS(c -> c IN (${names})) FROM ${read}`,
  );
  return table;
}

/** Runs a statement on the copy of a file; an error names the file. */
async function rowsOf(database: Database, path: string, sql: string): Promise<unknown[][]> {
  return database.rows(sql).catch((error: unknown) => {
    throw new Error(`${path}: ${databaseMessage(error)}`, { cause: error });
  });
}
