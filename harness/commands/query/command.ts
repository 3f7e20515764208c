import { realpathSync } from 'node:fs';
import { Command } from 'commander';
import { unknownText } from '@cachescope/model/quantity.ts';
import { CachescopeError, usageError } from '../../error.ts';
import { onSignals } from '../../lab/interrupt.ts';
import { directoriesOf } from '../../options/directory-pattern.ts';
import { createPrivilege } from '../../privilege.ts';
import { plainTable } from '../../results/plain-table.ts';
import { makeWorkDirectory } from '../../storage/journal/work-directory.ts';
import { say, show, showJson } from '../../terminal.ts';
import { databaseMessage, openDatabase, type Rows } from './database.ts';
import { checkSamples, loadViews, viewNames } from './views.ts';

const examples = `
Examples:
  npm run query -- results/merged 'SELECT machine, arm, median(read_ms) FROM samples GROUP BY ALL ORDER BY ALL'
  npm run query -- 'results/2026-11-*' "SELECT run, arm, read_ms_median FROM cells WHERE storage = 'none'" --json
  npm run query -- results/merged 'DESCRIBE samples'

Views, where a run has the data: ${viewNames.join(', ')}.
Each has the column "run".`;

/** Number of rows that a table shows; --json has all. */
const mostShown = 1000;

/** `cachescope query`: SQL over saved runs. */
export function queryCommand(): Command {
  return new Command('query')
    .summary('run SQL over the samples and tables of saved sweeps')
    .description(
      'Runs one SQL statement (DuckDB) over the samples and tables of any number of sweeps. ' +
        'Needs no root, measures nothing and changes no run: it works on copies.',
    )
    .usage('[options] <dir...> <sql>')
    .argument('<dirs-and-sql...>', 'directories of runs or patterns of them, and last the SQL')
    .option('--json', 'print all rows as JSON', false)
    .addHelpText('after', examples)
    .action(async (words: string[], { json }: { json: boolean }) => {
      const problems: string[] = [];
      const sql = words.at(-1) ?? '';
      const named = words.slice(0, -1);
      if (named.length === 0)
        problems.push('name one run or more, and last the SQL: npm run query -- DIR... SQL');
      const directories = named.flatMap((word) => directoriesOf(word, problems));
      // The same run under two names would count twice.
      const runs = [...new Map(directories.map((path) => [realpathSync(path), path])).values()];
      if (problems.length > 0) throw usageError(problems);
      showRows(await answerOf(runs, sql), json);
    });
}

/**
 * The rows of one statement over runs.
 *
 * @throws CachescopeError CS_QUERY_DATA for a run that cannot be read, CS_QUERY for a statement that fails or is interrupted.
 */
export async function answerOf(runs: readonly string[], sql: string): Promise<Rows> {
  const privilege = createPrivilege({ dryRun: false, say: () => undefined });
  // Journaled: the copies of a program that is killed are removed later.
  await using work = await makeWorkDirectory('query', privilege);
  using database = await openDatabase(work.path);
  using signals = new DisposableStack();
  let isInterrupted = false;
  const interrupt = () => {
    isInterrupted = true;
    database.interrupt();
  };
  signals.defer(onSignals(interrupt));
  let views: string[] = [];
  try {
    views = await loadViews(database, work.path, runs);
    // DuckDB's own message for an empty text does not say what is wrong.
    const statements = sql.trim() === '' ? 0 : await database.statementsIn(sql);
    if (statements !== 1) throw new Error(`${statements} statements; exactly one is run at a time`);
    // DuckDB forgets an interrupt when its next statement begins.
    if (isInterrupted) throw new Error('interrupted');
    return await database.run(sql);
  } catch (error) {
    if (isInterrupted) throw new CachescopeError('CS_QUERY', 'interrupted', { exitCode: 130 });
    if (error instanceof CachescopeError) throw error;
    await checkSamples(database, runs);
    throw new CachescopeError('CS_QUERY', databaseMessage(error), {
      hint: `These runs have the views ${views.join(', ')}. DESCRIBE samples lists its columns.`,
    });
  }
}

function showRows({ columns, rows }: Rows, asJson: boolean): void {
  if (asJson) {
    const objects = rows.map((row) =>
      Object.fromEntries(columns.map((column, place) => [column, row[place]])),
    );
    // Lists, maps and intervals hold such values too.
    return showJson(JSON.parse(JSON.stringify(objects, (_, each: unknown) => jsonValue(each))));
  }
  const shown = rows.slice(0, mostShown).map((row) => row.map(cellText));
  show(`${plainTable(columns, columns.length, shown)}\n`);
  if (rows.length > mostShown)
    say(`The first ${mostShown} of ${rows.length} rows; --json prints all.`);
}

function cellText(value: unknown): string {
  if (value === null) return unknownText;
  if (typeof value === 'string') return value;
  // A computed number has digits that are rounding errors; --json prints them all.
  if (typeof value === 'number')
    return String(Number.isInteger(value) ? value : Number(value.toPrecision(6)));
  if (value instanceof Date) return value.toISOString();
  return JSON.stringify(value, (_, each: unknown) => jsonValue(each));
}

/** Values that JSON lacks: counts become numbers where they are exact. */
function jsonValue(value: unknown): unknown {
  if (typeof value !== 'bigint') return value;
  return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
}
