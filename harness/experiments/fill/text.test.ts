import { madeUpFillRun, madeUpQuestion, madeUpTrial } from '@cachescope/model/fixtures/fill.ts';
import { fillSystems } from '@cachescope/model/fill/plan.ts';
import { expect, test } from 'vitest';
import { screenText } from '../../results/screen.ts';
import { fill } from './experiment.ts';

const run = madeUpFillRun(fillSystems);
const trials = fillSystems.map((system, sequence) => madeUpTrial(system, { sequence }));
const document = { run, lines: [...trials, madeUpQuestion('attach', [{}, {}])] };
const summary = fill.summarize(document);
const files = fill.files(document, summary);
const report = files['report.txt'] ?? '';

test('the report fits 80 columns with the published rows, which the screen leaves out', () => {
  const lines = report.split('\n');
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(80);
  expect(report).toMatch(
    /published by the nginx tempfiles benchmark[^]*nginx-tempfiles +3,000 +24,528 +30 +245 +0.5 s/,
  );
  expect(screenText(fill.page(document, summary), run, summary.trust)).not.toContain('published');
});

test('the CSV has a cell for each column in each row', () => {
  const rows = (files['systems.csv'] ?? '').trimEnd().split('\n');
  expect(rows).toHaveLength(1 + fillSystems.length);
  const cells = rows.map((row) => row.split(',').length);
  expect(new Set(cells).size).toBe(1);
  expect(rows[1]).toMatch(/^1s,origin,1,16,16000,/);
});
