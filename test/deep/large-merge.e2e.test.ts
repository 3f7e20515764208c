import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readRunFiles } from '@cachescope/model/run/document.ts';
import { isRunOf } from '@cachescope/model/run/run.ts';
import { summaryOf } from '@cachescope/model/sweep/summary.ts';
import { foreignLines } from '@cachescope/origin/foreign-file.ts';
import { expect, test } from 'vitest';
import { answerOf } from '../../harness/commands/query/command.ts';
import { streamedFileRules } from '../../harness/results/run-directory.ts';
import { writeLargeShards } from '../../scripts/bench/large-shards.ts';
import { base, cachescope } from '../command-under-test.ts';

const machines = 6;
const samplesEach = 50_000;
const samples = machines * samplesEach;

test('a merge of more samples than can be held is written whole, and shown by its summary', async () => {
  const directory = join(base, 'shards');
  mkdirSync(directory);
  const shards = writeLargeShards(directory, machines, samplesEach);
  const merged = join(base, 'merged');
  const ended = await cachescope('merge', ...shards, '--out', merged);
  expect(ended.code, ended.stderr).toBe(0);
  expect(ended.stderr).toMatch(
    /summary of 300,000 samples, too many to hold: single reads and .* The panel opens run-by-summary.json/,
  );

  const lines = join(merged, 'samples.ndjson');
  expect(statSync(lines).size).toBeGreaterThan(256 * 1024 ** 2);
  let sequence = 0;
  for (const line of foreignLines(lines, streamedFileRules)) {
    if (line === '') continue;
    // Each machine's own order, and its evidence.
    if (sequence < 1000) {
      const sample = JSON.parse(line) as Record<string, unknown>;
      expect(sample).toMatchObject({ sequence, machine: `m${(sequence % machines) + 1}` });
      expect(sample).toHaveProperty('attribution.reasons.5');
    }
    sequence++;
  }
  expect(sequence).toBe(samples);

  // Its charts are drawn from the page of the report.
  expect(statSync(join(merged, 'report.html')).size).toBeLessThan(1e6);
  expect(existsSync(join(merged, 'charts', 'read-time.png'))).toBe(true);
  const name = 'run-by-summary.json';
  const opened = readRunFiles([{ name, text: readFileSync(join(merged, name), 'utf8') }]);
  if ('problems' in opened || !isRunOf('sweep', opened.value)) throw new Error('not opened');
  const { counts, points } = summaryOf(opened.value);
  expect(counts.samples).toBe(samples);

  // DuckDB counts the same in Parquet, which is written beside.
  const { rows } = await answerOf(
    [merged],
    "SELECT count(*) FROM samples WHERE kind = 'timed' AND sample_flags = '' GROUP BY arm, storage, delay_ms ORDER BY 1",
  );
  const used = points.flatMap(({ arms }) => arms.map((arm) => BigInt(arm.samples)));
  expect(rows.flat()).toEqual(used.toSorted((a, b) => Number(a - b)));
});
