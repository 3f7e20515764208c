import { constants, copyFileSync, existsSync, lstatSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRunOf } from '@cachescope/model/run/run.ts';
import { readForeignText } from '@cachescope/origin/foreign-file.ts';
import { CachescopeError, messageOf } from '../../error.ts';
import { sampleColumns, samplesFile, samplesParquet } from '../../results/formats/parquet.ts';
import { readRunDirectory } from '../../results/run-directory.ts';
import { type Database, databaseMessage, sqlText } from './database.ts';

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
    texts: ['storage', 'arm', 'workload', 'variant', 'kind', 'read_ahead', 'file'],
  },
  machines: { file: 'machines.csv', texts: ['of', 'against', 'storage', 'machine'] },
};

/** Names of all views. */
export const viewNames = ['samples', ...Object.keys(tables)];

/** Size limit of a CSV file, bytes. */
const mostTableBytes = 256 * 1024 ** 2;

/** The files of one run in the directory of the database. */
interface Loaded {
  /** Directory of the run, as named: the column `run`. */
  run: string;
  /** Number of the run: file names begin with it. */
  place: number;
  /** The views that it has rows for. */
  views: string[];
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
  const loaded: Loaded[] = [];
  for (const [place, run] of runs.entries())
    loaded.push({ run, place, views: await copied(database, directory, run, place, problems) });
  // The copy is named beside the file: its own path says nothing.
  const shown = problems.map((problem) => problem.replaceAll(`${directory}/`, ''));
  if (shown.length > 0) throw unreadable(shown);
  const present = viewNames.filter((name) => loaded.some(({ views }) => views.includes(name)));
  for (const name of present) {
    const own = loaded.filter(({ views }) => views.includes(name));
    const parts = own.map(({ run, place }) => {
      const columns = `SELECT ${sqlText(run)} AS run, *`;
      return name === 'samples'
        ? `${columns} FROM read_parquet(${database.file(`${place}.parquet`)})`
        : `${columns} FROM "${tableName(name, place)}"`;
    });
    await database.run(`CREATE VIEW ${name} AS ${parts.join(' UNION ALL BY NAME ')}`);
  }
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
    const file = database.file(`${place}.parquet`);
    const problem = await problemOf(
      database,
      `SELECT bit_xor(hash(COLUMNS(*))) FROM read_parquet(${file})`,
    );
    if (problem !== null) problems.push(`${join(run, samplesFile)}: ${problem}`);
  }
  if (problems.length > 0) throw unreadable(problems);
}

function unreadable(problems: readonly string[]): CachescopeError {
  return new CachescopeError(
    'CS_QUERY_DATA',
    problems.map((problem) => `\n  - ${problem}`).join(''),
    {
      hint: `No file was changed. Remove a damaged ${samplesFile}: the samples are in samples.ndjson too. npm run report -- DIR writes the CSV files again.`,
    },
  );
}

async function copied(
  database: Database,
  directory: string,
  run: string,
  place: number,
  problems: string[],
): Promise<string[]> {
  const views: string[] = [];
  const before = problems.length;
  await copySamples(database, directory, run, place, problems);
  if (problems.length === before) views.push('samples');
  for (const [name, { file, texts }] of Object.entries(tables)) {
    const path = join(run, file);
    if (!existsSync(path)) continue;
    const problem = await copyTable(database, directory, path, name, place, texts);
    if (problem === null) views.push(name);
    else problems.push(problem);
  }
  return views;
}

async function copySamples(
  database: Database,
  directory: string,
  run: string,
  place: number,
  problems: string[],
): Promise<void> {
  const [source, name] = [join(run, samplesFile), `${place}.parquet`];
  try {
    if (!existsSync(source)) {
      const document = await readRunDirectory(run);
      if (!isRunOf('sweep', document))
        throw new Error(`${run} is a run of ${document.run.experiment}; only a sweep has samples`);
      writeFileSync(join(directory, name), samplesParquet(document));
      return;
    }
    // The file may be from another user: a link could show what only this user may read.
    if (!lstatSync(source).isFile()) throw new Error(`${source} is no regular file`);
    copyFileSync(source, join(directory, name), constants.COPYFILE_FICLONE);
  } catch (error) {
    problems.push(messageOf(error).replaceAll(/\n\s*- /g, ' '));
    return;
  }
  const problem = await schemaProblem(database, name);
  if (problem !== null) problems.push(`${source}: ${problem}`);
}

/** The columns of a Parquet file must be those that this version writes. */
async function schemaProblem(database: Database, name: string): Promise<string | null> {
  try {
    const sql = `DESCRIBE SELECT * FROM read_parquet(${database.file(name)})`;
    const { rows } = await database.run(sql);
    const found = new Map(rows.map(([column, type]) => [String(column), String(type)]));
    const wanted = Object.entries(sampleColumns);
    const wrong = wanted.flatMap(([column, type]) =>
      found.get(column) === type
        ? []
        : [`${column} is ${found.get(column) ?? 'missing'} and must be ${type}`],
    );
    const more = [...found.keys()].filter((column) => !Object.hasOwn(sampleColumns, column));
    const all = [...wrong, ...more.map((column) => `${column} is not known`)];
    return all.length === 0 ? null : `its columns differ: ${all.join(', ')}`;
  } catch (error) {
    return databaseMessage(error);
  }
}

function tableName(view: string, place: number): string {
  return `${view} of run ${place}`;
}

async function copyTable(
  database: Database,
  directory: string,
  path: string,
  view: string,
  place: number,
  texts: readonly string[],
): Promise<string | null> {
  const name = `${place}-${view}.csv`;
  try {
    const rules = { mostBytes: mostTableBytes, refuseLinks: true };
    writeFileSync(join(directory, name), readForeignText(path, rules));
  } catch (error) {
    return messageOf(error);
  }
  const read = `read_csv(${database.file(name)}, header = true, all_varchar = true, nullstr = '', delim = ',', quote = '"', escape = '"')`;
  const problem = await problemOf(
    database,
    `CREATE TABLE "${tableName(view, place)}" AS
     SELECT CAST(COLUMNS(c -> c NOT IN (${texts.map(sqlText).join(', ')})) AS DOUBLE),
            COLUMNS(c -> c IN (${texts.map(sqlText).join(', ')})) FROM ${read}`,
  );
  return problem === null ? null : `${path}: ${problem}`;
}

async function problemOf(database: Database, sql: string): Promise<string | null> {
  try {
    await database.run(sql);
    return null;
  } catch (error) {
    return databaseMessage(error);
  }
}
