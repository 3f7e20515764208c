import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { madeUpRun } from '@cachescope/model/fixtures/made-up-run.ts';
import { median } from '@cachescope/model/statistics/quantile.ts';
import { expect, test } from 'vitest';
import { base } from '../command-under-test.ts';

const cli = join(import.meta.dirname, '../../harness/cli.ts');

/** DuckDB is an independent Parquet reader in another language. */
const packages = join(base, 'packages');
const words = ['-m', 'pip', 'install', '--quiet', '--target', packages, 'duckdb'];
const pip = spawnSync('python3', words, { encoding: 'utf8' });
if (pip.status !== 0) console.warn(`Parquet is not tested: ${pip.error?.message ?? pip.stderr}`);

function query(sql: string): unknown[][] {
  const program = 'import duckdb, json, sys; print(json.dumps(duckdb.sql(sys.argv[1]).fetchall()))';
  const { status, stdout, stderr } = spawnSync('python3', ['-c', program, sql], {
    encoding: 'utf8',
    env: { ...process.env, PYTHONPATH: packages },
  });
  expect(status, stderr).toBe(0);
  return JSON.parse(stdout) as unknown[][];
}

test.skipIf(pip.status !== 0)(
  'DuckDB finds every sample, the column types and the null values',
  () => {
    const whole = madeUpRun(12);
    const samples = whole.samples.map((sample, index) =>
      index % 10 === 0 ? { ...sample, device: null } : { ...sample, pass: index },
    );
    const run = join(base, 'run');
    mkdirSync(run);
    writeFileSync(join(run, 'run.json'), JSON.stringify(whole.run));
    const lines = samples.map((sample) => `${JSON.stringify(sample)}\n`).join('');
    writeFileSync(join(run, 'samples.ndjson'), lines);
    const file = join(base, 'samples.parquet');
    const stdout = openSync(file, 'w');
    const { status } = spawnSync(process.execPath, [cli, 'report', run, '--format', 'parquet'], {
      stdio: ['ignore', stdout, 'ignore'],
    });
    closeSync(stdout);
    expect(status).toBe(0);

    const [types] = query(
      `SELECT typeof(sequence), typeof(read_ms), typeof(taken_at), typeof(device_read_bytes), typeof(sample_flags)
      FROM '${file}' LIMIT 1`,
    );
    expect(types).toEqual(['INTEGER', 'DOUBLE', 'TIMESTAMP', 'BIGINT', 'VARCHAR']);
    const rows = query(
      `SELECT sequence, arm, storage, read_ms, launch, pass, device_reads, sample_flags, epoch_ms(taken_at), chromium
      FROM '${file}' ORDER BY sequence`,
    );
    expect(rows).toEqual(
      samples.map(({ sequence, cell, readMs, launch, pass = null, device, flags, takenAt }) => [
        sequence,
        cell.arm,
        cell.storage,
        readMs,
        launch,
        pass,
        device?.reads ?? null,
        flags.join(' '),
        Date.parse(takenAt),
        whole.run.environment.chromium.version,
      ]),
    );
    const medians = query(
      `SELECT storage || '/' || CAST(delay_ms AS INTEGER) || '/' || arm, median(read_ms)
      FROM '${file}' WHERE kind = 'timed' AND sample_flags = '' GROUP BY ALL`,
    );
    const used = samples.filter(({ kind, flags }) => kind === 'timed' && flags.length === 0);
    const cells = Map.groupBy(used, ({ cell }) => `${cell.storage}/${cell.delayMs}/${cell.arm}`);
    expect(medians).toHaveLength(cells.size);
    for (const [key, value] of medians) {
      const expected = median((cells.get(String(key)) ?? []).map(({ readMs }) => readMs));
      expect(value).toBeCloseTo(expected ?? Number.NaN, 9);
    }
    const [[json] = []] = query(`SELECT decode(value) FROM parquet_kv_metadata('${file}')
    WHERE decode(key) = 'cachescope.run'`);
    expect(JSON.parse(String(json))).toEqual(JSON.parse(JSON.stringify(whole.run)));
  },
);
