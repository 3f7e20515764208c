import { madeUpFillRun, madeUpQuestion, madeUpTrial } from '@cachescope/model/fixtures/fill.ts';
import { fillSystems } from '@cachescope/model/fill/plan.ts';
import { summarizeFill } from '@cachescope/model/fill/summary.ts';
import { expect, test } from 'vitest';
import { fillCsv } from './csv.ts';
import { fillText } from './text.ts';

const run = madeUpFillRun(fillSystems);
const trials = fillSystems.map((system, sequence) => madeUpTrial(system, { sequence }));
const summary = summarizeFill(run, [...trials, madeUpQuestion('attach', [{}, {}])]);

test('the tables fit 80 columns, with the published rows and without', () => {
  for (const published of [true, false]) {
    const lines = fillText(run, summary, published).split('\n');
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(80);
  }
  expect(fillText(run, summary, true)).toContain('Published by the nginx tempfiles benchmark');
  expect(fillText(run, summary, true)).toMatch(/nginx-tempfiles +3000 +24,528 +30 +245 +0.50 s/);
});

test('the CSV has a cell for each column in each row', () => {
  const rows = fillCsv(summary).trimEnd().split('\r\n');
  expect(rows).toHaveLength(1 + fillSystems.length);
  const cells = rows.map((row) => row.split(',').length);
  expect(new Set(cells).size).toBe(1);
  expect(rows[1]).toMatch(/^1s,origin,1,8,8000,/);
});
