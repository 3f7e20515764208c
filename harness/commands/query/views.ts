import { constants, copyFileSync, existsSync, lstatSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRunOf } from '@cachescope/model/run/run.ts';
import { savedSweep } from '@cachescope/model/sweep/run.ts';
import { readForeignText } from '@cachescope/origin/foreign-file.ts';
import { CachescopeError, messageOf } from '../../error.ts';
import { sampleColumns, samplesFile, samplesParquet } from '../../results/formats/parquet.ts';
import { readRunDirectory } from '../../results/run-directory.ts';
import { type Database, databaseMessage, type Rows, sqlText } from './database.ts';

/** The CSV files of a run that become views, and their columns that are no numbers. */
const tables: Readonly<Record<string, { file: string; texts: readonly string[] }>> = {
  cells: {
    file: 'cells.csv',
    texts: ['storage', 'delay_off', 'arm', 'variant', 'interval_holds_for', 'workload'],
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
      'interval_holds_for',
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

/** Names of all views. */
export const viewNames = ['samples', ...Object.keys(tables)];

/** Size limit of a CSV file, bytes. */
const mostTableBytes = 256 * 1024 ** 2;
/** Size limit of the samples, bytes. */
const mostSampleBytes = 16 * 1024 ** 3;

/** A run that is copied into the directory of a database. */
interface Copy {
  database: Database;
  /** Directory of the database. */
  directory: string;
  /** Directory of the run, as named: the column `run`. */
  run: string;
  /** Number of the run: names of its files begin with it. */
  place: number;
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
): Promise<string[]> {
  const problems: string[] = [];
  const sources = new Map<string, string[]>();
  const load = async (run: string, view: string, copied: Promise<string>) => {
    const source = await copied.catch((error: unknown) => void problems.push(problemOf(error)));
    const select = `SELECT ${sqlText(run)} AS run, * FROM ${source}`;
    if (source !== undefined) sources.set(view, [...(sources.get(view) ?? []), select]);
  };
  for (const [place, run] of runs.entries()) {
    const copy = { database, directory, run, place };
    await load(run, 'samples', copySamples(copy));
    for (const [view, { file, texts }] of Object.entries(tables)) {
      const path = join(run, file);
      if (existsSync(path)) await load(run, view, copyTable(copy, path, view, texts));
    }
  }
  // The copy is named beside the file: its own path says nothing.
  requireReadable(problems.map((problem) => problem.replaceAll(`${directory}/`, '')));
  const present = viewNames.filter((name) => sources.has(name));
  for (const name of present)
    await database.run(`CREATE VIEW ${name} AS ${sources.get(name)?.join(' UNION ALL BY NAME ')}`);
  return present;
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
    await rowsOf(database, join(run, samplesFile), sql).catch((error: unknown) =>
      problems.push(problemOf(error)),
    );
  }
  requireReadable(problems);
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
  const { database, directory, run, place } = copy;
  const source = join(run, samplesFile);
  if (!existsSync(source)) return derivedSamples(copy);
  // The file may be from another user: a link could show what only this user may read.
  const stat = lstatSync(source);
  if (!stat.isFile()) throw new Error(`${source} is no regular file`);
  if (stat.size > mostSampleBytes)
    throw new Error(`${source} has ${stat.size} bytes; at most ${mostSampleBytes} are read`);
  copyFileSync(source, join(directory, `${place}.parquet`), constants.COPYFILE_FICLONE);
  const file = parquetOf(database, place);
  const { rows } = await rowsOf(database, source, `DESCRIBE SELECT * FROM ${file}`);
  const found = new Map(rows.map(([name, type]) => [String(name), String(type)]));
  // Files of older versions have `flags`.
  const oldFlags = found.get('flags');
  if (oldFlags !== undefined) found.set('sample_flags', oldFlags);
  const table = found.delete('flags')
    ? `(SELECT * RENAME (flags AS sample_flags) FROM ${file})`
    : file;
  const problems = columnProblems(found);
  if (problems.length > 0) throw new Error(`${source}: its columns differ: ${problems.join(', ')}`);
  const counted = await rowsOf(database, source, `SELECT count(*) FROM ${table}`);
  return (await isOutdated(run, Number(counted.rows[0]?.[0]))) ? derivedSamples(copy) : table;
}

/** Derives the samples of a run from its lines. Returns their source in SQL. */
async function derivedSamples({ database, directory, run, place }: Copy): Promise<string> {
  const document = await readRunDirectory(run);
  if (!isRunOf('sweep', document))
    throw new Error(`${run} is a run of ${document.run.experiment}; only a sweep has samples`);
  writeFileSync(join(directory, `${place}.parquet`), samplesParquet(document));
  return parquetOf(database, place);
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
  { database, directory, place }: Copy,
  path: string,
  view: string,
  texts: readonly string[],
): Promise<string> {
  const [file, table] = [`${place}-${view}.csv`, `"${view} of run ${place}"`];
  const rules = { mostBytes: mostTableBytes, refuseLinks: true };
  writeFileSync(join(directory, file), readForeignText(path, rules));
  const read = `read_csv(${database.file(file)}, header = true, all_varchar = true, nullstr = '', delim = ',', quote = '"', escape = '"')`;
  const names = texts.map(sqlText).join(', ');
  await rowsOf(
    database,
    path,
    `CREATE TABLE ${table} AS
     SELECT CAST(COLUMNS(c -> c NOT IN (${names})) AS DOUBLE), COLUMNS(c -> c IN (${names})) FROM ${read}`,
  );
  return table;
}

/** Runs a statement on the copy of a file; an error names the file. */
async function rowsOf(database: Database, path: string, sql: string): Promise<Rows> {
  return database.run(sql).catch((error: unknown) => {
    throw new Error(`${path}: ${databaseMessage(error)}`, { cause: error });
  });
}
