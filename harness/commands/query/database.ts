import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { messageOf } from '../../error.ts';

/** DuckDB in memory, which reads and writes only in one directory. */
export interface Database extends Disposable {
  /** Runs one statement. */
  run(sql: string): Promise<Rows>;
  /** Ends the statement that runs, with an error. */
  interrupt(): void;
  /** Number of statements in a text. */
  statementsIn(sql: string): Promise<number>;
  /** Path of a file of the directory as an SQL string. */
  file(name: string): string;
}

/** Result of a statement, in JavaScript's types. */
export interface Rows {
  columns: string[];
  rows: unknown[][];
}

/** Text as an SQL string. */
export function sqlText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Message of a database's error, in one line, without the excerpt of the SQL below it. */
export function databaseMessage(error: unknown): string {
  return (messageOf(error).split('\n\n')[0] ?? '').replaceAll(/\s+/g, ' ');
}

/**
 * Opens a database for the files of `directory`. Nothing outside is read or written, no extension is loaded, and SQL
 * cannot change that.
 */
export async function openDatabase(directory: string): Promise<Database> {
  // Only this command pays for loading DuckDB.
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const instance = await DuckDBInstance.create(':memory:', {
    memory_limit: '512MiB',
    temp_directory: directory,
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    allow_community_extensions: 'false',
  });
  const connection = await instance.connect();
  await connection.run(`SET allowed_directories = [${sqlText(directory)}]`);
  await connection.run('SET enable_external_access = false');
  await connection.run('SET lock_configuration = true');
  return {
    run: (sql) => rowsOf(connection, sql),
    interrupt: () => connection.interrupt(),
    statementsIn: async (sql) => (await connection.extractStatements(sql)).count,
    file: (name) => sqlText(join(directory, name)),
    [Symbol.dispose]() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

async function rowsOf(connection: DuckDBConnection, sql: string): Promise<Rows> {
  const reader = await connection.runAndReadAll(sql);
  return { columns: reader.deduplicatedColumnNames(), rows: reader.getRowsJS() };
}
