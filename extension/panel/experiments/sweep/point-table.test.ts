import { madeUpRun } from '@cachescope/model/fixtures/made-up-run.ts';
import { summarize } from '@cachescope/model/sweep/summary.ts';
import { expect, test } from 'vitest';
import { pointTable } from './point-table.ts';

/** The text of a template, with its values inserted. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(' ');
  if (typeof value !== 'object' || value === null || !('strings' in value)) return String(value);
  const { strings, values } = value as { strings: readonly string[]; values: readonly unknown[] };
  return strings.map((text, index) => text + textOf(values[index] ?? '')).join('');
}

test('processor time has columns where it was counted, and a dash where it is unknown', () => {
  const { run, samples } = madeUpRun();
  const table = (counted: typeof samples) => textOf(pointTable(summarize(run, counted)));
  expect(table(samples)).not.toContain('Processor time');
  const counted = samples.map((sample) => {
    const isControl = sample.cell.storage === 'none' && sample.cell.arm === 'br';
    return { ...sample, ...(isControl && { networkServiceMs: 7.25 }) };
  });
  const text = table(counted);
  expect(text).toContain('Processor time, ms');
  expect(text.match(/7\.25<small>7\.25 to 7\.25/g)).toHaveLength(1);
  const columns = (html: string) => html.match(/<th scope="col"/g)?.length;
  expect(columns(text)).toBe((columns(table(samples)) ?? 0) + 2);
});
