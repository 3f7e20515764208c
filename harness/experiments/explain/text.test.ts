import { explain } from '@cachescope/model/explain/analysis.ts';
import { explainedSweep } from '@cachescope/model/fixtures/explain.ts';
import { readsOf } from '@cachescope/model/sweep/reads.ts';
import { summarize } from '@cachescope/model/sweep/summary.ts';
import { expect, test } from 'vitest';
import { breakEvensCsv, modelCsv, predictionsCsv, whatIfCsv } from './outputs.ts';
import { explanationText } from './text.ts';

const { run, samples } = explainedSweep({ arms: ['identity', 'gzip', 'br', 'zstd', 'dcb', 'dcz'] });
const explanation = explain(run, summarize(run, samples), readsOf(samples), []);

test('all tables fit 80 columns with every arm', () => {
  const text = explanationText(explanation);
  const long = text.split('\n').filter((line) => line.length > 80);
  expect(long).toEqual([]);
  expect(text).toMatch(/^big +control +4\.\d+ +7\.\d+ \+/m);
  expect(text).toMatch(/^ +Brotli +7\.\d+ +[45]\S* \[/m);
  expect(text).toContain('are emulated');
});

test('an unknown count is a dash, never 0', () => {
  expect(explanationText(explanation)).toMatch(/^ +DCB +4\.\d+ .*– +– +– +holds$/m);
});

test('the notes have the margin and the baseline of the run', () => {
  const text = explanationText(explanation).replaceAll(/\s+/g, ' ');
  expect(text).toContain('= the same within 2 %,');
  expect(text).toContain('where a hit is slower than a hit of Brotli; with a network rate');
  const { run: other, samples: reads } = explainedSweep({ arms: ['zstd', 'dcb'] });
  const wide = { ...other, plan: { ...other.plan, margin: 0.1 } };
  const found = explain(wide, summarize(wide, reads), readsOf(reads), []);
  const changed = explanationText(found).replaceAll(/\s+/g, ' ');
  expect(changed).toContain('= the same within 10 %,');
  expect(changed).toContain('where a hit is slower than a hit of Zstandard; with a network rate');
});

test.each([
  ['model', modelCsv, 16 * 5],
  ['predictions', predictionsCsv, 12 * 6],
  ['what-if', whatIfCsv, 6 * 2 * 6],
  ['break-evens', breakEvensCsv, 4 * 6],
])(
  '%s.csv has a row for each value, and all rows have the same number of cells',
  (_, write, rows) => {
    const lines = write(explanation).trimEnd().split('\n');
    expect(lines).toHaveLength(rows + 1);
    // A field with a comma is quoted.
    const widths = lines.map((line) => line.replaceAll(/"[^"]*"/g, 'text').split(',').length);
    expect(new Set(widths).size).toBe(1);
  },
);
