import { microCacheLabels, microCacheNotes } from '@cachescope/model/micro/cache.ts';
import {
  microHistorySource,
  publishedList,
  publishedTable,
} from '@cachescope/model/micro/history.ts';
import { microRowLabels, microRowNotes, microRows } from '@cachescope/model/micro/row.ts';
import type { MicroRun, MicroRunDocument } from '@cachescope/model/micro/run.ts';
import type { MicroPart } from '@cachescope/model/micro/slice.ts';
import {
  type MicroSummary,
  summarizeMicro,
  verdictSentences,
} from '@cachescope/model/micro/summary.ts';
import { seconds } from '@cachescope/model/quantity.ts';
import { html, type TemplateResult } from 'lit';
import { microFigures } from './figures.ts';
import { crossoverTable, documentTable, pivotTable, searchTable } from './tables.ts';
import { oncePer } from '../../once-per.ts';
import { chartSection, conclusion, conditions, runHeader, type Term } from '../../run/sections.ts';
import type { Theme } from '../../run/view-tools.ts';

/** Shows the micro-benchmarks from the answer to the evidence: finding, charts, tables, conditions. */
export function view(document: MicroRunDocument, { isDark }: Theme): TemplateResult {
  const { run } = document;
  const summary = summaryOf(document);
  const figures = microFigures(summary, run.plan.crossoverMargin);
  return html`<article>
    ${title(run)}
    ${conclusion([...summary.finding, ...verdictSentences(summary.hitVerdicts)], run.warnings)}
    ${chartSection(figures, [summary, isDark])} ${tables(run, summary)}
    ${conditions(run, terms(run))}
  </article>`;
}

/** Cached because intervals and resampling are slow. */
const summaryOf = oncePer(({ run, slices }: MicroRunDocument) => summarizeMicro(run, slices));

function title(run: MicroRun): TemplateResult {
  const { plan } = run;
  return runHeader('Each cache alone: calls, misses, hits and searches', run, [
    run.environment.chromium.version,
    `${seconds(plan.timeMs)} a row over ${plan.launches} launches`,
    plan.delaysMs.length === 0 ? 'no slow device' : plan.storage,
  ]);
}

/**
 * A part that was not measured has no section. Medians come first; all values and the published ones are in a collapsed
 * section.
 */
function tables({ plan }: MicroRun, { figures, crossovers }: MicroSummary): TemplateResult[] {
  const of = (part: MicroPart) => figures.filter(({ cell }) => cell.part === part);
  const [table, list, search] = [of('table'), of('list'), of('search')];
  const again = 'One resource again and again';
  const lists = `${plan.listLength} resources, loaded and loaded again`;
  const inFull = 'Search in a full cache';
  return [
    section(table.length, again, () => [
      pivotTable(again, 'One run by size of the resource.', 'table', figures),
      everything(documentTable(`${again}: every figure`, table, publishedTable)),
    ]),
    section(list.length, lists, () => [
      pivotTable(
        lists,
        'One resource by its size; again: in the same browser; cold: relaunched, with the page cache dropped.',
        'list',
        figures,
      ),
      everything(documentTable(`${lists}: every figure`, list, publishedList)),
    ]),
    section(search.length, inFull, () => [
      pivotTable(
        inFull,
        'One search by entries in the cache; first: the first of a launch, with the page cache dropped, perhaps before the index is read; no index: the same, without the index file.',
        'search',
        figures,
      ),
      everything(searchTable(search)),
    ]),
    section(crossovers.length, 'Size from which the disk is slower than memory', () => [
      crossoverTable(crossovers),
    ]),
  ].flat();
}

function section(taken: number, heading: string, views: () => TemplateResult[]): TemplateResult[] {
  if (taken === 0) return [];
  return [
    html`<section>
      <h2>${heading}</h2>
      ${views()}
    </section>`,
  ];
}

function everything(table: TemplateResult): TemplateResult {
  return html`<details>
    <summary>All values: total, runs, average and 95th percentile</summary>
    ${table}
  </details>`;
}
function terms({ plan, quiets, fills }: MicroRun): Term[] {
  const longest = Math.max(0, ...quiets.map(({ waitedMs }) => waitedMs));
  return [
    ...plan.caches.map((cache): Term => [microCacheLabels[cache], microCacheNotes[cache]]),
    ...microRows.map((row): Term => [microRowLabels[row], microRowNotes[row]]),
    [
      'All cache I/O',
      `awaited ${quiets.length} times, ${seconds(longest)} at most: until the cache files and the slow device’s writes are unchanged for half a second, then sync`,
    ],
    ...fills
      .filter(({ entries }) => entries >= 1000)
      .map(({ cache, backEnd, entries, tookMs }): Term => [
        `Populated, ${backEnd ?? cache}`,
        `${entries.toLocaleString('en-US')} entries in ${seconds(tookMs)}`,
      ]),
    ['Published', microHistorySource],
    ['Seed', `${plan.seed}`],
  ];
}
