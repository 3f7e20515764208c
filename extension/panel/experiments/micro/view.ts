import { microCacheLabels, microCacheNotes } from '@cachescope/model/micro/cache.ts';
import { microHistorySource } from '@cachescope/model/micro/history.ts';
import { microPivots, pivotParts } from '@cachescope/model/micro/pivot.ts';
import { microRowLabels, microRowNotes, microRows } from '@cachescope/model/micro/row.ts';
import type { MicroRun, MicroRunDocument } from '@cachescope/model/micro/run.ts';
import {
  figuresOf,
  type MicroSummary,
  summarizeMicro,
  verdictSentences,
} from '@cachescope/model/micro/summary.ts';
import { seconds } from '@cachescope/model/quantity.ts';
import type { Trust } from '@cachescope/model/run/trust.ts';
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
    ${title(run, summary.trust)}
    ${conclusion([...summary.finding, ...verdictSentences(summary.hitVerdicts)], run.warnings)}
    ${chartSection(figures, [summary, isDark])} ${tables(run, summary)}
    ${conditions(run, terms(run))}
  </article>`;
}

/** Cached because intervals and resampling are slow. */
const summaryOf = oncePer(({ run, slices }: MicroRunDocument) => summarizeMicro(run, slices));

function title(run: MicroRun, trust: Trust): TemplateResult {
  const { plan } = run;
  return runHeader('Each cache alone: calls, misses, hits and searches', run, trust, [
    run.environment.chromium.version,
    `${seconds(plan.timeMs)} a row over ${plan.launches} launches`,
    plan.delaysMs.length === 0 ? 'no slow device' : plan.storage,
  ]);
}

/**
 * A part that was not measured has no section. Medians come first; all values and the published ones are in a collapsed
 * section.
 */
function tables({ plan }: MicroRun, summary: MicroSummary): TemplateResult[] {
  const { crossovers } = summary;
  const sections = pivotParts.flatMap((part) => {
    const figures = figuresOf(summary, part);
    if (figures.length === 0) return [];
    const heading = microPivots[part].title(plan);
    const all =
      part === 'search' ? searchTable(figures) : documentTable(`${heading}: all values`, figures);
    const pivot = pivotTable(heading, part, figures);
    return [section(heading, html`${pivot} ${everything(all)}`)];
  });
  if (crossovers.length === 0) return sections;
  const heading = 'Size from which the disk is slower than memory';
  return [...sections, section(heading, crossoverTable(crossovers))];
}

function section(heading: string, content: TemplateResult): TemplateResult {
  return html`<section>
    <h2>${heading}</h2>
    ${content}
  </section>`;
}

function everything(table: TemplateResult): TemplateResult {
  return html`<details>
    <summary>All values: total, iterations, average and 95th percentile</summary>
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
