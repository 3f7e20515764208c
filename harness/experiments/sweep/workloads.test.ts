import { readClassicCsv } from '@cachescope/model/compare/classic-csv.ts';
import { explainedSweep } from '@cachescope/model/fixtures/explain.ts';
import type { SweepRun } from '@cachescope/model/sweep/run.ts';
import { summarize } from '@cachescope/model/sweep/summary.ts';
import { expect, test } from 'vitest';
import { cellsCsv, classicCsv } from './csv.ts';
import { sweepPage } from '@cachescope/model/sweep/page.ts';
import { screenText } from '../../results/screen.ts';
import { textReport } from './text-report.ts';

const made = explainedSweep({ arms: ['br', 'dcb'], delaysMs: [0, 5, 10] });
const workloads = made.run.plan.workloads ?? [];
const run: SweepRun = { ...made.run, plan: { ...made.run.plan, workloads } };
const names = new Set(workloads.map(({ name }) => name));
const samples = made.samples.filter(({ cell }) => names.has(cell.workload ?? ''));
const summary = summarize(run, samples);

test('a sweep of several workloads has a line for each, and fits 80 columns', () => {
  const text = screenText(sweepPage(run, summary), run, summary.trust);
  expect(text.split('\n').filter((line) => line.length > 80)).toEqual([]);
  expect(text).toMatch(/^big · small · \d+ reads/m);
  expect(text).toMatch(/^10 ms +big +\S+ ±\S+ % +\S+ ±\S+ % +Brotli$/m);
  expect(text).toMatch(/^ +small +\S+ ±/m);
  expect(textReport(run, summary)).toMatch(/^small\n0 \(control\) ms/m);
});

test('compare reads the table of several workloads', () => {
  const table = readClassicCsv({ name: 'x.csv', text: classicCsv(summary) });
  const groups = 'value' in table ? table.value : [];
  expect(groups).toHaveLength(4 * 2 * 2);
  expect(new Set(groups.map(({ factors }) => factors['workload']))).toEqual(names);
});

test('CSV files name the workload in its own column', () => {
  expect(classicCsv(summary).split('\n')[0]).toMatch(
    /,Gap_ms,Workload,Delay_off_ms,DCB_Recompressed_Read_ms$/,
  );
  expect(classicCsv(summary).trimEnd().split('\n')).toHaveLength(1 + 4 * 2);
  expect(cellsCsv(summary).split('\n')[0]).toMatch(/,workload,network_service/);
});
