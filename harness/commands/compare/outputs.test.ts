import { sideOf } from '@cachescope/model/compare/side.ts';
import { compareSides } from '@cachescope/model/compare/build.ts';
import { summarizeComparison } from '@cachescope/model/compare/summary.ts';
import type { SweepRunDocument } from '@cachescope/model/sweep/run.ts';
import { expect, test } from 'vitest';
import { madeUpRun } from '@cachescope/model/fixtures/made-up-run.ts';
import { comparisonCsv, shownComparison } from './outputs.ts';

const one = madeUpRun(8);
const longName = `patched-${'x'.repeat(50)}`;
const two = madeUpRun(8, [
  { name: 'stock', slowerBy: 0 },
  { name: longName, slowerBy: 0.3 },
]);

function compared(a: SweepRunDocument, b: SweepRunDocument, selections: [object, object]) {
  const sides = [a, b].map((run, at) =>
    sideOf(`results/${at}`, { run }, { ...selections[at] }, undefined),
  );
  const [first, second] = sides;
  if (!first || !second || 'problems' in first || 'problems' in second) throw new Error('sides');
  const head = { ...a.run, commandLine: [] };
  const found = compareSides(first.value, second.value, { isOneRun: a === b }, head);
  if ('problems' in found) throw new Error(found.problems.join());
  return found.value;
}

const slower = {
  ...one,
  samples: one.samples.map((sample) => Object.assign({}, sample, { readMs: sample.readMs * 2 })),
};

test.each([
  ['two runs', compared(one, slower, [{}, {}])],
  ['two variants', compared(two, two, [{ variant: 'stock' }, { variant: longName }])],
  ['cells with a variant each', compared(two, { ...two }, [{}, {}])],
])('%s fit 80 columns', (_, document) => {
  const text = shownComparison(document).text;
  expect(text.split('\n').filter((line) => line.length > 80)).toEqual([]);
  expect(text).not.toMatch(/undefined|NaN|null/);
});

test('the table shows the direction, and the whole text a sentence for each cell', () => {
  const { text, details } = shownComparison(compared(one, slower, [{}, {}]));
  expect(text).toMatch(/^ +DCB .* \+100 % .* … .* B SLOWER$/m);
  expect(details).toMatch(/^- 10 ms, DCB: B is slower than A by 1\d\d(\.\d)? ms/m);
  expect(details).toContain('Flagged samples, excluded: ');
});

test('a name cannot inject terminal escape codes', () => {
  const document = compared(one, slower, [{}, {}]);
  document.run.plan.of.source = 'evil\u001B[2J';
  expect(shownComparison(document).text).not.toContain('\u001B');
});

test('the CSV has a row per cell and as many values as columns', () => {
  const document = compared(one, slower, [{}, {}]);
  const [header = '', ...rows] = comparisonCsv(document.run, summarizeComparison(document))
    .trim()
    .split('\n');
  expect(rows).toHaveLength(24);
  const names = header.split(',');
  const row =
    rows
      .at(-1)
      ?.replace(/,"[^"]*"$/, ',sentence')
      .split(',') ?? [];
  expect(row).toHaveLength(names.length);
  expect(row[names.indexOf('verdict')]).toBe('DIFFERENT');
  expect(row[names.indexOf('better')]).toBe('a');
  expect(Number(row[names.indexOf('difference_share')])).toBeCloseTo(1, 9);
});
