import { median } from '@cachescope/model/statistics/quantile.ts';
import type { SweepRun } from '@cachescope/model/sweep/run.ts';
import { summarize, type SweepSummary } from '@cachescope/model/sweep/summary.ts';
import { expect, test } from 'vitest';
import { madeUpRun } from '@cachescope/model/fixtures/made-up-run.ts';
import { cellsCsv, classicCsv, gapsCsv } from './csv.ts';
import { sweepPage } from '@cachescope/model/sweep/page.ts';
import { pageText } from '../../results/page-text.ts';
import { screenText } from '../../results/screen.ts';
import { stopNote } from './finish.ts';
import { textReport } from './text-report.ts';

const plain = madeUpRun(10);
const varied = madeUpRun(10, [
  { name: 'disk-cache=simple', slowerBy: 0 },
  { name: 'disk-cache=blockfile', slowerBy: 0.4 },
]);
const three = madeUpRun(10, [], true);
const summaries = [plain, varied, three].map(({ run, samples }) => summarize(run, samples));
const [plainSummary, variedSummary, threeSummary] = summaries;
if (!plainSummary || !variedSummary || !threeSummary) throw new Error('three summaries');

const screen = (run: SweepRun, summary: SweepSummary) =>
  screenText(sweepPage(run, summary), run, summary.trust);

const header = 'Delay_ms,Throughput,DCB_Read_ms,Brotli_Read_ms,Gap_ms';

test('the classic CSV keeps its columns; variants add one column, and each variant adds a row', () => {
  const lines = classicCsv(plainSummary).trim().split('\n');
  expect(lines[0]).toBe(`${header},Delay_off_ms,DCB_Recompressed_Read_ms`);
  expect(lines).toHaveLength(13);
  expect(lines[1]).toMatch(/^0 \(control\),1 GB\/s,\d+\.\d\d,\d+\.\d\d,-?\d+\.\d\d,,$/);
  // The measured delay was 9.32 ms where 7 ms was requested: the delay stays a number.
  expect(lines.map((line) => line.split(',')[0])).toContain('7');
  expect(lines.find((line) => line.startsWith('7,'))).toMatch(/,9\.32,$/);
  const variedLines = classicCsv(variedSummary).trim().split('\n');
  expect(variedLines[0]).toBe(`${header},Variant,Delay_off_ms,DCB_Recompressed_Read_ms`);
  expect(variedLines).toHaveLength(25);
  expect(variedLines[2]).toMatch(/,disk-cache=blockfile,,$/);
});

test('recompressed DCB is the last column of the classic outputs, and its own series', () => {
  const lines = classicCsv(threeSummary).trim().split('\n');
  expect(lines).toHaveLength(13);
  for (const line of lines.slice(1)) expect(line.split(',').at(-1)).toMatch(/^\d+\.\d\d$/);
  const report = textReport(three.run, threeSummary);
  expect(report).toMatch(/^10 ms( +\S+ \S+){5}$/m);
  const text = screen(three.run, threeSummary);
  expect(text).toMatch(/^10 ms +\S+ ±.* DCB.* Brotli$|^10 ms .* Brotli$/m);
  // At 0 ms no verdict is on the other side.
  expect(text).not.toMatch(/Break-even .* ms a read \(/);
});

test('the screen has the headline, and the whole text the whole finding', () => {
  const page = sweepPage(three.run, threeSummary);
  const whole = pageText(page, three.run, threeSummary.trust).replaceAll(/\s+/g, ' ');
  const report = textReport(three.run, threeSummary).replaceAll('\n', ' ');
  for (const sentence of threeSummary.finding) {
    expect(whole).toContain(sentence);
    expect(report).toContain(sentence);
  }
  expect(screen(three.run, threeSummary).split('\n')[0]).toMatch(
    /^DCB is \d\d(\.\d)? ms \(\d+ %\) slower than Brotli at 10 ms of read delay$/,
  );
});

test('intervals of gaps that have another confidence than 95 % say so', () => {
  const texts = (confidence: number) => {
    const points = plainSummary.points.map((point) => ({
      ...point,
      gaps: point.gaps.map((gap) => ({ ...gap, confidence })),
    }));
    const summary = { ...plainSummary, points };
    return [screen(plain.run, summary), textReport(plain.run, summary)];
  };
  const [text, report] = texts(1 - 0.05 / 3);
  expect(text).toContain('98.3 % interval');
  expect(report).toContain('INTERVALS (95 %; gaps 98.3 %)');
  for (const same of texts(0.95)) expect(same).not.toContain('98.3 %');
});

test('the end says which limit ended the sampling of a stop rule, and nothing where its goal was reached', () => {
  const noteAfter = (reason: 'precision reached' | 'max time' | 'max samples') =>
    stopNote({ ...plain.run, stopped: { reason, looks: [] } }).join();
  expect(noteAfter('max samples')).toContain('stopped at 1,000 reads of a cell, the maximum,');
  expect(noteAfter('max time')).toContain('stopped at the time of --max-time,');
  expect(noteAfter('precision reached')).toBe('');
  expect(stopNote(plain.run)).toEqual([]);
});

test.each([
  ['cells', cellsCsv, 12 * 4],
  ['gaps', gapsCsv, 12 * 4],
] as const)(
  '%s.csv has a line for each item, all with the same number of fields',
  (_, csv, rows) => {
    const lines = csv(variedSummary).trim().split('\n');
    expect(lines).toHaveLength(rows + 1);
    expect(new Set(lines.map((line) => line.split(',').length)).size).toBe(1);
  },
);

test('a sweep with and without variants shows no missing value', () => {
  const runs = [
    [plain.run, plainSummary],
    [varied.run, variedSummary],
    [three.run, threeSummary],
  ] as const;
  for (const [run, summary] of runs)
    for (const text of [screen(run, summary), textReport(run, summary)]) {
      expect(text).not.toMatch(/undefined|NaN|null/);
    }
});

test('a read time is named by what it is: the geometric mean of the launches’ medians', () => {
  const [first] = plainSummary.points[0]?.arms ?? [];
  const own = plain.samples.filter(
    ({ kind, cell, flags }) =>
      kind === 'timed' && cell.storage === 'none' && cell.arm === first?.arm && flags.length === 0,
  );
  const medians = [...Map.groupBy(own, ({ launch }) => launch).values()].map(
    (taken) => median(taken.map(({ readMs }) => readMs)) ?? Number.NaN,
  );
  const mean = medians.reduce((product, each) => product * each, 1) ** (1 / medians.length);
  expect(first?.medianMs).toBeCloseTo(mean, 9);
  const named = "geometric mean of the launches' medians";
  expect(textReport(plain.run, plainSummary)).toContain(named);
});

test('each variant has its verdict at each delay', () => {
  expect(screen(varied.run, variedSummary)).toMatch(
    /^DCB \(disk-cache=blockfile\) − DCB \(disk-cache=simple\) .*SLOWER$|DCB.*SLOWER$/m,
  );
  const report = textReport(varied.run, variedSummary).replaceAll('\n', ' ');
  expect(report).toContain(
    'At 10 ms of read delay (measured 10.4 ms): DCB (disk-cache=blockfile) is slower than DCB (disk-cache=simple) by',
  );
});

test('the report counts the samples used among the timed ones', () => {
  const timed = plain.samples.filter(({ kind }) => kind === 'timed');
  const used = timed.filter(({ flags }) => flags.length === 0);
  expect(timed.length).toBeLessThan(plain.samples.length);
  expect(textReport(plain.run, plainSummary)).toContain(
    `Samples:           ${used.length} used of ${timed.length} timed; `,
  );
});

test('the report names each workload, and one delay without an increment', () => {
  const { run } = plain;
  const small = { ...run.plan.workload, title: 'a smaller one', resourceBytes: 4096 };
  const plan = { ...run.plan, delaysMs: [10], workloads: [run.plan.workload, small] };
  const report = textReport({ ...run, plan }, plainSummary);
  expect(report).toContain('a smaller one (4,096 bytes)');
  expect(report).toContain(run.plan.workload.title);
  expect(report).toContain('Delay Range: 10ms\n');
});
