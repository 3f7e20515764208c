import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { sqlEntries } from './disk-cache.ts';

function directory(): string {
  const path = mkdtempSync(join(tmpdir(), 'cachescope-sql-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

/** The queried columns, as Chromium 156 defines them. */
function makeDatabase(path: string, rows: [key: string, bytes: number, doomed: number][]): void {
  const database = new DatabaseSync(path);
  database.exec(
    'CREATE TABLE resources(last_used INTEGER, bytes_usage INTEGER, doomed INTEGER, cache_key TEXT)',
  );
  const insert = database.prepare('INSERT INTO resources VALUES (13439755658690188, ?, ?, ?)');
  for (const [key, bytes, doomed] of rows) insert.run(bytes, doomed, key);
  database.close();
}

test('live entries of every shard are listed, with Windows time converted to Unix time', async () => {
  const path = directory();
  makeDatabase(join(path, 'sqldb0'), [
    ['1/0/http://a/', 300, 0],
    ['1/0/http://old/', 5, 1],
  ]);
  makeDatabase(join(path, 'sqldb1'), [['1/0/http://b/', 7, 0]]);
  writeFileSync(join(path, 'index'), 'SQLCache');
  const usedAt = Date.parse('2026-11-21T17:27:38.690Z');
  expect(await sqlEntries(path)).toEqual([
    { key: '1/0/http://a/', storedBytes: 300, usedAt },
    { key: '1/0/http://b/', storedBytes: 7, usedAt },
  ]);
});

test('there are none without a cache, or in a cache of another back end', async () => {
  const path = directory();
  expect(await sqlEntries(join(path, 'none'))).toEqual([]);
  writeFileSync(join(path, 'index'), 'x');
  expect(await sqlEntries(path)).toEqual([]);
});

test('a database with another schema is refused, not taken for an empty one', async () => {
  const path = directory();
  new DatabaseSync(join(path, 'sqldb0')).exec('CREATE TABLE other(x)');
  await expect(sqlEntries(path)).rejects.toThrow(/resources/);
});
