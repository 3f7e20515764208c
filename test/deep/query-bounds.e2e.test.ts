import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { madeUpRun } from '@cachescope/model/fixtures/made-up-run.ts';
import { beforeAll, expect, test } from 'vitest';
import { samplesParquet } from '../../harness/results/formats/parquet.ts';
import { base, expectNothingLeft, start } from '../command-under-test.ts';

const run = join(base, 'run');
const mostMemoryKiB = 1024 ** 2;

beforeAll(() => {
  const document = madeUpRun(6);
  mkdirSync(run);
  writeFileSync(join(run, 'run.json'), JSON.stringify(document.run));
  writeFileSync(join(run, 'samples.parquet'), samplesParquet(document));
});

/** Runs a query and watches the most memory that it ever has. */
async function watched(...args: string[]) {
  const { child, ended } = start(['query', run, ...args]);
  let highKiB = 0;
  const look = () => {
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      highKiB = Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? highKiB);
    } catch {
      // It has ended.
    }
  };
  const looking = setInterval(look, 20);
  return { ...(await ended.finally(() => clearInterval(looking))), highKiB };
}

test.each([
  'SELECT range(1000000000)',
  "SELECT repeat('x', 300000000)",
  'SELECT list(range) FROM range(100000000)',
  "SELECT repeat('x', 1000000) || range FROM range(1000)",
])('%s takes no more memory than a query may have', async (sql) => {
  for (const form of [[], ['--json']]) {
    const { code, stderr, highKiB } = await watched(sql, ...form);
    expect(stderr).not.toMatch(/^\s+at /m);
    if (code !== 0) expect(stderr).toMatch(/CS_QUERY: (Out of Memory|Invalid Input) Error/);
    expect(highKiB).toBeLessThan(mostMemoryKiB);
    expect(highKiB).toBeGreaterThan(0);
  }
});

test('of millions of rows a table shows the first, and JSON has all, within the same memory', async () => {
  const table = await watched('SELECT * FROM range(5000000)');
  expect(table).toMatchObject({ code: 0, stderr: expect.stringContaining('the first 1000 rows') });
  expect(table.stdout.trimEnd().split('\n')).toHaveLength(1001);
  const json = await watched('SELECT * FROM range(2000000)', '--json');
  expect(json.code).toBe(0);
  expect(json.stdout.match(/"range"/g)).toHaveLength(2_000_000);
  expect(json.stdout.trimEnd()).toMatch(/"range": 1999999\n {2}\}\n\]$/);
  expect(Math.max(table.highKiB, json.highKiB)).toBeLessThan(mostMemoryKiB);
});

test('a query ends when nobody reads its rows, and a value that is nested too deep is refused', async () => {
  const { child, ended } = start(['query', run, 'SELECT * FROM range(1000000000)', '--json']);
  child.stdout?.once('data', () => child.stdout?.destroy());
  expect((await ended).code).toBe(0);
  const nested = `SELECT ${'['.repeat(900)}1${']'.repeat(900)}`;
  expect(await watched(nested)).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/CS_QUERY: .*Max expression depth limit/),
  });
  expectNothingLeft();
});

test('the next query removes the copies of a killed one', async () => {
  const sql = 'SELECT count(*) FROM range(1000000) a, range(1000000) b';
  const killed = start(['query', run, sql]);
  await killed.until(() => /"kind":"directory"/.test(journals()));
  killed.child.kill('SIGKILL');
  await killed.ended;
  const next = await watched('SELECT 1');
  expect(next).toMatchObject({ code: 0, stderr: expect.stringContaining('Cleaning up') });
  expectNothingLeft();
});

function journals(): string {
  const directory = join(base, 'state/cachescope/storage');
  return globSync(join(directory, '*'))
    .map((path) => readFileSync(path, 'utf8'))
    .join('');
}
