import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { madeUpMachines } from '@cachescope/model/fixtures/made-up-machines.ts';
import { usable } from '@cachescope/model/run/sample.ts';
import { median } from '@cachescope/model/statistics/quantile.ts';
import { expect, test } from 'vitest';
import { samplesParquet } from '../../harness/results/formats/parquet.ts';
import { base } from '../command-under-test.ts';

/** The three statements of the page: table, insert, query. */
const page = join(import.meta.dirname, '../../harness/docs/clickhouse.sql');
const statements = readFileSync(page, 'utf8').split(';').slice(0, 3);

/** Runs the statements in one session of ClickHouse, the insert twice, and prints the answer of the last as JSON. */
const program = `
import sys
from chdb import session
create, insert, select = sys.argv[1:]
clickhouse = session.Session()
clickhouse.query('CREATE DATABASE lab')
clickhouse.query('USE lab')
clickhouse.query(create)
clickhouse.query(insert)
clickhouse.query(insert)
print(clickhouse.query(select, 'JSONCompact'))`;

// 180 MB, so it is not installed for this test alone.
const found = spawnSync('python3', ['-c', 'import chdb']);
if (found.status !== 0)
  console.warn('ClickHouse is not tested: python3 has no chdb. Install it: pip install chdb');

test('ClickHouse reads samples.parquet into the table of the page, once, and finds the medians', ({
  skip,
}) => {
  // Not before the test begins: the hooks of a file without a test do not run, and its directory would stay.
  skip(found.status !== 0);
  const whole = madeUpMachines(4);
  const file = join(base, 'samples.parquet');
  writeFileSync(file, samplesParquet(whole));
  const asked = statements.map((text) => text.replace("'samples.parquet'", `'${file}'`));
  const { status, stdout, stderr } = spawnSync('python3', ['-c', program, ...asked], {
    encoding: 'utf8',
  });
  expect(status, stderr).toBe(0);
  const { data } = JSON.parse(stdout) as { data: unknown[][] };
  const used = usable(whole.samples);
  const cells = Map.groupBy(used, ({ machine, cell }) =>
    [machine, cell.arm, cell.storage, cell.delayMs].join(),
  );
  expect(data).toHaveLength(cells.size);
  for (const [machine, arm, storage, delayMs, reads, ms] of data) {
    const times = (cells.get([machine, arm, storage, delayMs].join()) ?? []).map(
      ({ readMs }) => readMs,
    );
    expect(Number(reads)).toBe(times.length);
    expect(ms).toBeCloseTo(median(times) ?? Number.NaN, 9);
  }
});
