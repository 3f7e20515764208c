import { byteSize } from '@cachescope/model/quantity.ts';
import { storingMeasureNames, storingMeasures } from '@cachescope/model/storing/measure.ts';
import type { StoringRun, StoringRunDocument } from '@cachescope/model/storing/run.ts';
import {
  changeText,
  type StoringRow,
  storingValue,
  summarizeStoring,
} from '@cachescope/model/storing/summary.ts';
import { html, type TemplateResult } from 'lit';
import { plainTable } from '../../charts/plain-table.ts';
import { oncePer } from '../../once-per.ts';
import { conclusion, conditions, runHeader } from '../../run/sections.ts';

/** The cost of storing: finding, a table for each measure, conditions. */
export function view(document: StoringRunDocument): TemplateResult {
  const { run } = document;
  const { rows, finding } = summaryOf(document);
  return html`<article>
    ${title(run)} ${conclusion(finding, run.warnings)}
    ${storingMeasureNames.map((measure) => {
      const own = rows.filter((row) => row.measure === measure);
      return own.length === 0 ? '' : table(storingMeasures[measure].label, run, own);
    })}
    ${conditions(run, [['Seed', `${run.plan.seed}`]])}
  </article>`;
}

/** Cached because intervals are slow. */
const summaryOf = oncePer(({ run, readings }: StoringRunDocument) =>
  summarizeStoring(run, readings),
);

function title(run: StoringRun): TemplateResult {
  const { variants, launches, sizesBytes } = run.plan;
  return runHeader('The cost of storing dictionary-compressed responses', run, [
    variants.map(({ name }) => name).join(' against '),
    launches === 1 ? '1 launch of each' : `${launches} launches of each`,
    sizesBytes.map(byteSize).join(', '),
    run.environment.chromium.version,
  ]);
}

const titles = ['Response', 'Browser', 'Baseline', 'Value', 'Change, % (95 % interval)', 'Verdict'];

function table(label: string, { plan }: StoringRun, rows: readonly StoringRow[]): TemplateResult {
  const caption = `Baseline: ${plan.variants[0]?.name}`;
  return html`<section>
    <h2>${label}</h2>
    ${plainTable({ label, titles, caption, words: [1] }, rows.map(cellsOf))}
  </section>`;
}

function cellsOf(row: StoringRow): string[] {
  return [
    `${row.body}, ${byteSize(row.bytes)}, ${row.coding}`,
    row.variant,
    storingValue(row.measure, row.baseline),
    storingValue(row.measure, row.value),
    changeText(row),
    row.outcome,
  ];
}
