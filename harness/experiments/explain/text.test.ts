import { explain } from '@cachescope/model/explain/analysis.ts';
import { explainedSweep } from '@cachescope/model/fixtures/explain.ts';
import { readsOf } from '@cachescope/model/sweep/reads.ts';
import { summarize } from '@cachescope/model/sweep/summary.ts';
import { expect, test } from 'vitest';
import { breakEvensCsv, modelCsv, predictionsCsv, formsCsv } from './outputs.ts';
import { explainedPage } from '@cachescope/model/explain/page.ts';
import { sweepPage } from '@cachescope/model/sweep/page.ts';
import { pageText } from '../../results/page-text.ts';
import { screenText } from '../../results/screen.ts';

const { run, samples } = explainedSweep({ arms: ['identity', 'gzip', 'br', 'zstd', 'dcb', 'dcz'] });
const explanation = explain(run, summarize(run, samples), readsOf(samples), []);

test('the screen has the stored forms, the model, and an unknown count as a dash', () => {
  const summary = summarize(run, samples);
  const page = explainedPage(sweepPage(run, summary), explanation, { hasVerdicts: true });
  const screen = screenText(page, run, summary.trust);
  expect(screen).toMatch(/^big +control +4\.\d+ .*7\.\d+/m);
  expect(screen).toMatch(/^(Brotli|Identity) \(big\) +[47]\.\d+ +\d\S* ±/m);
  expect(screen).toMatch(/^DCZ \(big\) +4\.\d+ .*– +– +– +holds$/m);
  const whole = pageText(page, run, summary.trust).replaceAll(/\s+/g, ' ');
  expect(whole).toContain('where a hit is slower than a hit of Brotli; with a network rate');
});

test.each([
  ['model', modelCsv, 12 * 5],
  ['predictions', predictionsCsv, 12 * 6],
  ['stored-forms', formsCsv, 4 * 2 * 6],
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
