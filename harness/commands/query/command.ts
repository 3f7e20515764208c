import { once } from 'node:events';
import { realpathSync } from 'node:fs';
import { Command } from 'commander';
import { printableJson } from '@cachescope/model/printable.ts';
import { unknownText } from '@cachescope/model/quantity.ts';
import { CachescopeError } from '../../error.ts';
import { onSignals } from '../../lab/interrupt.ts';
import { directoriesOf } from '../../options/directory-pattern.ts';
import { runWith, tableOptions } from '../../options/table-command.ts';
import { createPrivilege } from '../../privilege.ts';
import { plainTable } from '../../results/plain-table.ts';
import { reap } from '../../storage/journal/reaper.ts';
import { makeWorkDirectory } from '../../storage/journal/work-directory.ts';
import { requireStdout, say, show } from '../../terminal.ts';
import type { Answer, AnswerForm } from './answer.ts';
import { databaseMessage, freeReserve, limitMemory, openDatabase } from './database.ts';
import { loadDuckDb } from './duckdb.ts';
import { checkSamples, loadViews, viewNames } from './views.ts';

const examples = `
Examples:
  npm run query -- results/merged 'SELECT machine, storage, delay_ms, arm, variant, median(read_ms) FROM launches GROUP BY ALL ORDER BY ALL'
  npm run query -- 'results/2026-11-*' "SELECT run, arm, variant, read_median_ms FROM cells WHERE storage = 'none'" --json
  npm run query -- results/merged 'DESCRIBE samples'

Views, where a run has the data:
${viewNames.join(', ')}.
Each has the column "run". "reads" are the samples that the statistics use, and
"launches" the median of each launch.`;

/** `cachescope query`: SQL over saved runs. */
export function queryCommand(): Command {
  const command = new Command('query')
    .summary('run SQL over the samples and tables of saved sweeps')
    .description(
      'Runs one SQL statement (DuckDB) over the samples and tables of any number of sweeps. ' +
        'Needs no root, measures nothing and changes no run: it works on copies.',
    )
    .addHelpText('after', examples);
  return runWith(command, options, query);
}

const table = {
  'dirs-and-sql': {
    isArgument: true,
    isRequired: true,
    isRepeatable: true,
    value: '<dir>',
    description: 'directories of runs or patterns of them, and last the SQL',
  },
  json: { description: 'print all rows as JSON' },
} as const;

const options = tableOptions(table, ({ 'dirs-and-sql': words, json }, problems) => {
  const named = words.slice(0, -1);
  if (words.length === 1)
    problems.push('name one run or more, and last the SQL: npm run query -- DIR... SQL');
  const directories = named.flatMap((word) => directoriesOf(word, problems));
  // The same run under two names would count twice.
  const runs = [...new Map(directories.map((path) => [realpathSync(path), path])).values()];
  return { runs, sql: words.at(-1) ?? '', json };
});

async function query({ runs, sql, json }: ReturnType<typeof options.read>['asked']): Promise<void> {
  requireStdout();
  await reap(createPrivilege({ dryRun: false, say }), say);
  // npm, which may fetch it, takes more memory than a query may.
  await loadDuckDb();
  limitMemory((problem) => say(`Warning: ${problem}`));
  if (json) await ask(runs, sql, 'json', printJson);
  else await ask(runs, sql, 'table', printTable);
}

/**
 * Runs one statement over runs; `read` gets its answer, whose rows are fetched while they are read.
 *
 * @throws CachescopeError CS_QUERY_DATA for a run that cannot be read, CS_QUERY for a statement that fails or is interrupted.
 */
export async function ask(
  runs: readonly string[],
  sql: string,
  form: AnswerForm,
  read: (answer: Answer) => Promise<void>,
): Promise<void> {
  const interruption = new AbortController();
  const { signal } = interruption;
  using signals = new DisposableStack();
  signals.defer(onSignals(() => interruption.abort()));
  const privilege = createPrivilege({ dryRun: false, say: () => undefined });
  // Journaled: the copies of a program that is killed are removed later.
  await using work = await makeWorkDirectory('query', privilege);
  using database = await openDatabase(work.path);
  signal.addEventListener('abort', () => database.interrupt());
  let views: string[] = [];
  try {
    views = await loadViews(database, work.path, runs, signal);
    const { answerTo } = await import('./answer.ts');
    // DuckDB forgets an interrupt when its next statement begins.
    signal.throwIfAborted();
    const answer = await answerTo(database.connection, sql, form);
    await read({ ...answer, rows: until(signal, answer.rows) });
  } catch (error) {
    freeReserve();
    if (signal.aborted) throw new CachescopeError('CS_QUERY', 'interrupted', { exitCode: 130 });
    if (error instanceof CachescopeError) throw error;
    await checkSamples(database, runs);
    throw new CachescopeError('CS_QUERY', databaseMessage(error), {
      hint: `These runs have the views ${views.join(', ')}. DESCRIBE samples lists its columns.`,
    });
  }
}

/** All rows of one statement over runs. */
export async function answerOf(runs: readonly string[], sql: string) {
  const all = { columns: [] as string[], rows: [] as unknown[][] };
  await ask(runs, sql, 'json', async ({ columns, rows }) => {
    Object.assign(all, { columns, rows: await collected(rows) });
  });
  return all;
}

async function* until(signal: AbortSignal, rows: Answer['rows']): Answer['rows'] {
  for await (const row of rows) {
    signal.throwIfAborted();
    yield row;
  }
}

async function printTable({ columns, rows }: Answer): Promise<void> {
  const { maxShownLength, maxShownRows } = await import('./answer.ts');
  const all = await collected(rows);
  const shown = all
    .slice(0, maxShownRows)
    .map((row) => row.map((cell) => cut(cellText(cell), maxShownLength)));
  show(`${plainTable(columns, columns.length, shown)}\n`);
  if (all.length > maxShownRows)
    say(`Only the first ${maxShownRows} rows are shown; --json prints all.`);
}

async function collected(rows: Answer['rows']): Promise<unknown[][]> {
  const all = [];
  for await (const row of rows) all.push(row);
  return all;
}

/** Characters of JSON that are written at once. */
const blockLength = 64 * 1024;

/** Prints the rows as a list of objects, while they are fetched; none that nobody reads. */
async function printJson({ columns, rows }: Answer): Promise<void> {
  let hasReader = true;
  process.stdout.once('error', () => (hasReader = false));
  let block = '[';
  let isFirst = true;
  for await (const row of rows) {
    const object = Object.fromEntries(columns.map((column, place) => [column, row[place]]));
    const text = JSON.stringify(object, (_, each: unknown) => jsonValue(each), 2);
    block += `${isFirst ? '' : ','}\n  ${text.replaceAll('\n', '\n  ')}`;
    isFirst = false;
    if (block.length < blockLength) continue;
    await print(block);
    if (!hasReader) return;
    block = '';
  }
  await print(`${block}${isFirst ? ']' : '\n]'}\n`);
}

/** Writes to stdout, and waits until it takes more or its reader has gone. */
async function print(json: string): Promise<void> {
  const { stdout } = process;
  if (stdout.write(printableJson(json))) return;
  const waiting = new AbortController();
  const happens = (event: string) => once(stdout, event, { signal: waiting.signal });
  // A failed write is reported where the program ends.
  await Promise.race([happens('drain'), happens('close')]).catch(() => undefined);
  waiting.abort();
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
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
