import { type CsvColumns, csvOf } from '@cachescope/model/csv.ts';
import { byteSize } from '@cachescope/model/quantity.ts';
import { storingMeasureNames, storingMeasures } from '@cachescope/model/storing/measure.ts';
import type { StoringRun } from '@cachescope/model/storing/run.ts';
import {
  changeText,
  type StoringRow,
  type StoringSummary,
  storingValue,
} from '@cachescope/model/storing/summary.ts';
import { plainTable } from '../../results/plain-table.ts';
import { wrap } from '../../results/wrap.ts';

const columns = 80;

/** The text on stdout: a table of each measure and the finding. */
export function storingText({ plan, environment }: StoringRun, summary: StoringSummary): string {
  const [baseline, ...others] = plan.variants.map(({ name }) => name);
  const tables = others.flatMap((variant) =>
    storingMeasureNames.flatMap((measure) => {
      const rows = summary.rows.filter((row) => row.variant === variant && row.measure === measure);
      if (rows.length === 0) return [];
      return [storingMeasures[measure].label, table(rows, baseline ?? '', variant), ''];
    }),
  );
  const { flagged, readings, passes } = summary.counts;
  return [
    `${passes} passes, ${readings} readings, ${flagged} flagged; ${environment.chromium.version}`,
    '',
    ...tables,
    ...summary.finding.map((sentence) => wrap(sentence, columns)),
    '',
  ].join('\n');
}

function table(rows: readonly StoringRow[], baseline: string, variant: string): string {
  const head = ['body', 'size', 'arm', baseline, variant, 'change, % (95 % interval)', 'verdict'];
  const cells = rows.map((row) => [
    row.body,
    byteSize(row.bytes),
    row.coding,
    storingValue(row.measure, row.baseline),
    storingValue(row.measure, row.value),
    changeText(row),
    row.outcome,
  ]);
  return plainTable(head, 3, cells);
}

const csvColumns: CsvColumns<StoringRow> = {
  measure: ({ measure }) => measure,
  unit: ({ measure }) => storingMeasures[measure].unit,
  body: ({ body }) => body,
  bytes: ({ bytes }) => bytes,
  coding: ({ coding }) => coding,
  variant: ({ variant }) => variant,
  baseline: ({ baseline }) => baseline,
  value: ({ value }) => value,
  difference: ({ difference }) => difference,
  low: ({ interval }) => interval?.low,
  high: ({ interval }) => interval?.high,
  relative: ({ relative }) => relative,
  outcome: ({ outcome }) => outcome,
  p: ({ p }) => p,
  passes: ({ passes }) => passes,
};

/** All values, one line for each measure of a cell; an empty field: unknown. */
export function storingCsv({ rows }: StoringSummary): string {
  return csvOf(csvColumns, rows, { precision: 6 });
}
