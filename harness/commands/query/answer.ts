import type {
  DuckDBConnection,
  DuckDBPreparedStatement,
  DuckDBResult,
  DuckDBType,
  DuckDBTypeId,
} from '@duckdb/node-api';
import { sqlText } from './database.ts';
import { loadDuckDb } from './duckdb.ts';

const { DuckDBTypeId: TypeId, JSDuckDBValueConverter, StatementType } = await loadDuckDb();

/** Rows that a table shows. */
export const maxShownRows = 1000;
/** Characters of a cell that a table shows. */
export const maxShownLength = 120;
/** Size limit of a cell in JSON, where no cell is cut, bytes. */
const maxCellBytes = 1024 ** 2;

/**
 * How an answer is read. `table`: one row more than is shown, and texts and nested values as text, with one character
 * more. `json`: everything, nested values as in JSON.
 */
export type AnswerForm = 'table' | 'json';

/** Result of a statement, in JavaScript's types. */
export interface Answer {
  columns: string[];
  rows: AsyncIterable<unknown[]>;
}

/** Types whose values are small. All others are bounded by DuckDB, before they become values of JavaScript. */
const small: ReadonlySet<DuckDBTypeId> = new Set([
  TypeId.BOOLEAN,
  TypeId.TINYINT,
  TypeId.SMALLINT,
  TypeId.INTEGER,
  TypeId.BIGINT,
  TypeId.HUGEINT,
  TypeId.UTINYINT,
  TypeId.USMALLINT,
  TypeId.UINTEGER,
  TypeId.UBIGINT,
  TypeId.UHUGEINT,
  TypeId.FLOAT,
  TypeId.DOUBLE,
  TypeId.DECIMAL,
  TypeId.DATE,
  TypeId.TIMESTAMP,
  TypeId.TIMESTAMP_S,
  TypeId.TIMESTAMP_MS,
  TypeId.TIMESTAMP_NS,
  TypeId.TIMESTAMP_TZ,
]);

const nested: ReadonlySet<DuckDBTypeId> = new Set([
  TypeId.LIST,
  TypeId.STRUCT,
  TypeId.MAP,
  TypeId.ARRAY,
  TypeId.UNION,
]);

/**
 * Runs one statement that reads. Rows are fetched while they are read, so that memory does not grow with their number.
 *
 * @throws Error for a text that is not one such statement; DuckDB's error, also while rows are read.
 */
export async function answerTo(
  connection: DuckDBConnection,
  sql: string,
  form: AnswerForm,
): Promise<Answer> {
  const { statement, source } = await readingStatement(connection, sql);
  if (source === null) return answerOfResult(await statement.stream());
  const places = [...Array(statement.columnCount).keys()];
  const types = places.map((place) => statement.columnType(place));
  const cells = places.map((place) => {
    const name = statement.columnName(place);
    return `${bounded(`c${place}`, name, types[place] as DuckDBType, form)} AS ${quoted(name)}`;
  });
  const limit = form === 'table' ? `LIMIT ${maxShownRows + 1}` : '';
  const result = await connection.stream(
    `SELECT ${cells.join(', ')} FROM ${source} AS answer(${places.map((place) => `c${place}`).join(', ')}) ${limit}`,
  );
  const isParsed = types.map(({ typeId }) => form === 'json' && nested.has(typeId));
  return answerOfResult(result, isParsed);
}

/** A statement that reads, and its text as a source of another; null: it can be none. */
async function readingStatement(
  connection: DuckDBConnection,
  sql: string,
): Promise<{ statement: DuckDBPreparedStatement; source: string | null }> {
  // A text without a statement has no other error.
  const isEmpty = (error: unknown) => String(error).includes('Error in native callback');
  const statements = await connection.extractStatements(sql).catch((error: unknown) => {
    if (isEmpty(error)) return null;
    throw error;
  });
  const count = statements?.count ?? 0;
  if (statements && count === 1) {
    const statement = await statements.prepare(0);
    const { statementType: type } = statement;
    if (type === StatementType.SELECT) return { statement, source: `query(${sqlText(sql)})` };
    if (type === StatementType.EXPLAIN) return { statement, source: null };
    throw new Error(
      'only what reads is run: SELECT, FROM, WITH, VALUES, PIVOT, DESCRIBE, SUMMARIZE, SHOW, EXPLAIN',
    );
  }
  const pivot = count > 1 ? await pivotOf(connection, sql) : null;
  if (pivot === null) throw new Error(`${count} statements; exactly one is run at a time`);
  return pivot;
}

/**
 * DuckDB makes several statements of a PIVOT: first a type of the values that become columns. It is one where it can
 * stand in brackets. null: it is none.
 */
async function pivotOf(connection: DuckDBConnection, sql: string) {
  const source = `(${sql.trim().replace(/;$/, '')}\n)`;
  const parts = await connection.extractStatements(`FROM ${source}`).catch(() => null);
  if (parts === null) return null;
  for (let place = 0; place < parts.count - 1; place++) await (await parts.prepare(place)).run();
  return { statement: await parts.prepare(parts.count - 1), source };
}

/** A column in SQL whose values are no larger than what is shown or printed of them. */
function bounded(column: string, name: string, type: DuckDBType, form: AnswerForm): string {
  if (small.has(type.typeId)) return column;
  if (form === 'table') return `left(CAST(${column} AS VARCHAR), ${maxShownLength + 1})`;
  const text = `CAST(${nested.has(type.typeId) ? `to_json(${column})` : column} AS VARCHAR)`;
  const problem = `a value of ${name} has more than ${maxCellBytes} bytes: select a part of it`;
  return `CASE WHEN strlen(${text}) > ${maxCellBytes} THEN error(${sqlText(problem)}) ELSE ${text} END`;
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function answerOfResult(result: DuckDBResult, isParsed: readonly boolean[] = []): Answer {
  return { columns: result.deduplicatedColumnNames(), rows: rowsOf(result, isParsed) };
}

async function* rowsOf(result: DuckDBResult, isParsed: readonly boolean[]) {
  for (;;) {
    const chunk = await result.fetchChunk();
    if (chunk === null || chunk.rowCount === 0) return;
    for (let row = 0; row < chunk.rowCount; row++)
      yield chunk
        .convertRowValues(row, JSDuckDBValueConverter)
        .map((value, column): unknown => (isParsed[column] ? parsed(value) : value));
  }
}

/** A nested value. DuckDB writes NaN, which JSON lacks: such a value stays text. */
function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value, exactNumber);
  } catch {
    return value;
  }
}

/** Integers that a double does not hold become texts. */
function exactNumber(_: string, value: unknown, context?: { source?: string }): unknown {
  const isInexact = Number.isInteger(value) && !Number.isSafeInteger(value);
  return isInexact && /^-?\d+$/.test(context?.source ?? '') ? context?.source : value;
}
