import {
  madeUpPass,
  madeUpReclaimRun,
  madeUpReclaimWindow,
} from '@cachescope/model/fixtures/reclaim.ts';
import { loadReport } from '@cachescope/model/reclaim/report.ts';
import type { ReclaimLine, ReclaimRun } from '@cachescope/model/reclaim/run.ts';
import { goDuration, publishedText, vegetaText } from '@cachescope/model/reclaim/vegeta.ts';
import { expect, test } from 'vitest';
import { screenText } from '../../results/screen.ts';
import { reclaim } from './experiment.ts';

const seconds = Array.from({ length: 30 }, (_, second) => madeUpReclaimWindow(second));
const lines = [...seconds, madeUpPass(20_500)];
const run = madeUpReclaimRun({ timeMs: 30_000 });

/** The outputs of a run; `report` and `stdout` on one line. */
function outputs(own: readonly ReclaimLine[], ofRun: ReclaimRun = run) {
  const document = { run: ofRun, lines: [...own] };
  const summary = reclaim.summarize(document);
  const files = reclaim.files(document, summary);
  const screen = screenText(reclaim.page(document, summary), ofRun, summary.trust);
  const [report = '', stdout] = [files['report.txt'], screen].map((text) =>
    text?.replaceAll(/\s+/g, ' '),
  );
  const rowsOf = (name: string) =>
    (files[name] ?? '')
      .trimEnd()
      .split('\n')
      .map((row) => row.split(','));
  return { files, report, stdout, rowsOf };
}

test('times have the format of vegeta', () => {
  const told = [
    0, 0.1883, 2.307_828, 188.062_311, 1615.765_821, 59_999.9996, 1_199_999.891, 3_661_001,
  ];
  expect(told.map(goDuration)).toEqual([
    '0s',
    '188.3µs',
    '2.308ms',
    '188.1ms',
    '1.616s',
    '1m0s',
    '20m0s',
    '1h1m1.001s',
  ]);
  expect(goDuration(null)).toBe('-');
});

test('the report has vegeta’s lines in vegeta’s order, within 80 columns', () => {
  const text = vegetaText(
    loadReport(
      seconds.map(({ load }) => load),
      3000,
    ),
  );
  expect(text.map((line) => line.split(/ {2,}|\[/)[0]?.trim()).slice(0, 7)).toEqual([
    'Requests',
    'Duration',
    'Latencies',
    'Bytes In',
    'Bytes Out',
    'Success',
    'Status Codes',
  ]);
  expect(text[0]).toContain('[total, rate, throughput] 3000, 100.03, 100.03');
  expect(text[5]).toContain('100.00%');
  expect(text[6]).toContain('200:3000');
  for (const line of [...text, ...publishedText()]) expect(line.length).toBeLessThanOrEqual(80);
});

test('a share below 1 is never shown as 100 %', () => {
  const { load } = madeUpReclaimWindow(0);
  const one = { ...load, sent: 1_000_000, answered: 1_000_000, succeeded: 999_999 };
  const text = vegetaText(loadReport([one], 1_000_000));
  expect(text.find((line) => line.startsWith('Success'))).toContain('99.99%');
});

test('the report shows the hypotheses in 80 columns, and the published values', () => {
  const { files, report, stdout } = outputs(lines);
  for (const part of [
    'at most 1,000 entries and 1 GiB; 30 % is evicted, least recently written first',
    'Hypothesis: cache limit and reclaim stabilise memory usage at 100 requests a second',
    '- yes: the cache stays within its limit: at most 500 of 1,000 entries (50 %)',
    '- ?: memory is stable once the limit is reached: unknown: 24 samples of memory after the first eviction pass are needed; sample longer (--time)',
    '- yes: nothing failed: 3,000 requests',
    'Evictions: 1 pass, first after 20.5 s; 300 entries in total; median pass 300 entries, 2 ms (longest pass 2 ms)',
    'Published: Test Results: cache limit and reclaim',
  ])
    expect(report).toContain(part);
  expect(report).toMatch(/scheduler .*51\.7/);
  for (const line of (files['report.txt'] ?? '').split('\n').filter((row) => !row.includes('  ')))
    expect(line.length).toBeLessThanOrEqual(80);
  expect(stdout).not.toContain('Published');
});

test('CSV files: one row per window, eviction pass or bucket; unknown values are empty', () => {
  const { files, rowsOf } = outputs([
    ...lines,
    madeUpReclaimWindow(30, { entries: null, memoryBytes: null }),
  ]);
  const rows = rowsOf('windows.csv');
  expect(rows).toHaveLength(32);
  expect(new Set(rows.map((row) => row.length)).size).toBe(1);
  const column = (name: string) => rows.map((row) => row[rows[0]?.indexOf(name) ?? -1]);
  expect(column('entries').slice(-2)).toEqual(['500', '']);
  expect(column('memory_bytes').slice(-2)).toEqual(['100000000', '']);
  expect(files['reclaims.csv']).toContain(
    '20500,2,reported,entries,1000,700,1024000,716800,300,307200,1,1,0.5,1,1,2',
  );
  const several = madeUpPass(1, { times: 423, durationMs: 42, longestMs: 7 });
  expect(outputs([...seconds, several]).files['reclaims.csv']).toContain(',423,7\n');
  const latency = rowsOf('histogram.csv').filter(([quantity]) => quantity === 'latency');
  expect(latency.reduce((sum, row) => sum + Number(row[3]), 0)).toBe(3100);
  expect(latency.at(-1)?.[4]).toBe('1');
});

test('entries evicted by a pass are unknown when each line covers several passes', () => {
  expect(outputs([...seconds, madeUpPass(20_500, { times: 3 })]).report).toMatch(
    /Evictions: 3 passes, first after [\d.]+ s; 300 entries in total; median pass – entries/,
  );
});

test('passes that were observed from outside are intervals with evictions', () => {
  const observed = [1000, 31_000].map((atMs) => madeUpPass(atMs, { how: 'observed' }));
  expect(outputs([...seconds, ...observed]).stdout).toContain(
    'Evictions: in 2 sampling intervals, first after 1 s; at least 600 entries in total. An interval may hold several passes.',
  );
});

test('the facts name the storage and its delay', () => {
  const browser = { backEnd: null, storage: 'nbd-live' as const, delayMs: 20 };
  const plan = { ...run.plan, system: 'chromium' as const, browser };
  expect(outputs(lines, { ...run, plan }).report).toContain('nbd-live at 20 ms');
});

test('a maximum that is not of all samples is shown with their number', () => {
  const some = seconds.map((window, second) =>
    second % 10 === 0 ? window : madeUpReclaimWindow(second, { entries: null, bytes: null }),
  );
  const { report } = outputs(some);
  expect(report).toContain(
    'Cache: at most 500 entries of 1,000 in 3 of 30 samples, 500 KiB of 1 GiB in 3 of 30 samples',
  );
  expect(report).toContain('- ?: the cache stays within its limit');
});
