import { madeUpMachines } from '@cachescope/model/fixtures/made-up-machines.ts';
import { readRunFiles } from '@cachescope/model/run/document.ts';
import { isRunOf, measured } from '@cachescope/model/run/run.ts';
import { summarize, summaryOf } from '@cachescope/model/sweep/summary.ts';
import { expect, test } from 'vitest';
import { bySummary } from './by-summary.ts';

const whole = madeUpMachines(4);
const summary = summarize(whole.run, whole.samples);
const text = JSON.stringify(bySummary(whole, summary, 100)?.document);

test('a run with too many samples is opened by its summary, with the same results', () => {
  const read = readRunFiles([{ name: 'run-by-summary.json', text }]);
  if ('problems' in read || !isRunOf('sweep', read.value)) throw new Error('not read');
  expect(read.value.samples).toEqual([]);
  expect(summaryOf(read.value)).toEqual(JSON.parse(JSON.stringify(summary)));
  expect(measured(read.value)).toBe(`${whole.samples.length} samples`);
  const count = whole.samples.length.toLocaleString('en-US');
  expect(read.value.run.warnings).toEqual([
    ...whole.run.warnings,
    `Report and panel show the summary of ${count} samples, too many to hold: single reads and the comparison of groups are left out.`,
  ]);
});

test('an explanation is left out by name', () => {
  const shown = bySummary(whole, { ...summary, explanation: {} }, 100);
  expect(shown?.sentence).toContain('single reads, the explanation (it is in explanation.txt) and');
  expect(shown?.document.summary).not.toHaveProperty('explanation');
});

test('a run whose samples a report can hold is shown whole', () => {
  expect(bySummary(whole, summary, whole.samples.length)).toBeNull();
});

test.each([
  ['"medianMs":', '"medianMs":"fast","was":', 'medianMs'],
  ['"outcome":"DIFFERENT"', '"outcome":"PROVED"', 'verdict.outcome'],
  ['"relative":', '"relative":1e99,"was":', 'beyond what can be measured'],
])('a changed summary is refused: %s', (from, to, why) => {
  const read = readRunFiles([{ name: 'x.json', text: text.replace(from, to) }]);
  expect('problems' in read && read.problems.join()).toContain(why);
});
