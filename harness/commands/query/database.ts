import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { byteSize } from '@cachescope/model/quantity.ts';
import { messageOf } from '../../error.ts';
import { loadDuckDb } from './duckdb.ts';

/** DuckDB in memory, which reads and writes only in one directory. */
export interface Database extends Disposable {
  connection: DuckDBConnection;
  /** All rows of a statement of this program. */
  rows(sql: string): Promise<unknown[][]>;
  /** Ends the statement that runs, with an error. */
  interrupt(): void;
  /** Path of a file of the directory as an SQL string. */
  file(name: string): string;
}

/** Memory of tables, sorts and joins; more goes to files. */
const memoryLimit = '256MiB';
const temporaryLimit = '4GiB';
/** All data of this process: DuckDB does not count its vectors, and one list may be larger than the machine. */
const processBytes = 960 * 1024 ** 2;

/** Text as an SQL string. */
export function sqlText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Message of a database's error, in one line, without the excerpt of the SQL below it. */
export function databaseMessage(error: unknown): string {
  return (messageOf(error).split('\n\n')[0] ?? '').replaceAll(/\s+/g, ' ');
}

let isLimited = false;

/**
 * Limits the memory of this process: DuckDB then refuses an allocation with an error. `warn` is called where the limit
 * cannot be set.
 */
export function limitMemory(warn: (problem: string) => void): void {
  try {
    execFileSync('prlimit', ['--pid', `${process.pid}`, `--data=${processBytes}:`]);
    isLimited = true;
  } catch (error) {
    warn(
      `prlimit failed, so a statement may take more than ${byteSize(processBytes)}: ${messageOf(error)}`,
    );
  }
}

/** Of this process, for what follows a statement that took all the rest, bytes. */
const reservedBytes = 64 * 1024 ** 2;

/** After a statement that failed: V8 ends this process where it finds no memory to report that. */
export function freeReserve(): void {
  if (!isLimited) return;
  try {
    execFileSync('prlimit', ['--pid', `${process.pid}`, `--data=${processBytes + reservedBytes}:`]);
  } catch {
    // The report is tried with what there is.
  }
}

/**
 * Opens a database for the files of `directory`. Nothing outside is read or written, no extension is loaded, and SQL
 * cannot change that.
 */
export async function openDatabase(directory: string): Promise<Database> {
  const { DuckDBInstance } = await loadDuckDb();
  const instance = await DuckDBInstance.create(':memory:', {
    memory_limit: memoryLimit,
    temp_directory: directory,
    max_temp_directory_size: temporaryLimit,
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    allow_community_extensions: 'false',
    // What is nested 900 deep takes a minute to prepare, and cannot be interrupted.
    max_expression_depth: '100',
    // It computes constants before it runs: a list of a million numbers would be copied in every step of the optimizer.
    disabled_optimizers: 'expression_rewriter',
  });
  const connection = await instance.connect();
  await connection.run(`SET allowed_directories = [${sqlText(directory)}]`);
  await connection.run('SET enable_external_access = false');
  await connection.run('SET lock_configuration = true');
  return {
    connection,
    rows: async (sql) => (await connection.run(sql)).getRowsJS(),
    interrupt: () => connection.interrupt(),
    file: (name) => sqlText(join(directory, name)),
    [Symbol.dispose]() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}
