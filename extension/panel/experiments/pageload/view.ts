import { type PageloadRun, type PageloadRunDocument } from '@cachescope/model/pageload/run.ts';
import { type PageloadSummary, summarizePageload } from '@cachescope/model/pageload/summary.ts';
import { byteSize, counted, digits } from '@cachescope/model/quantity.ts';
import type { Trust } from '@cachescope/model/run/trust.ts';
import { html, nothing, type TemplateResult } from 'lit';
import { pageloadFigures, shownLoads } from './figures.ts';
import { cellTable, resourceTable } from './tables.ts';
import { oncePer } from '../../once-per.ts';
import {
  chartSection,
  conclusion,
  conditions,
  runHeader,
  sentenceList,
  type Term,
} from '../../run/sections.ts';
import type { Theme } from '../../run/view-tools.ts';

/** Shows page loads from the answer to the evidence: finding, load times, waterfalls, tables, conditions. */
export function view(document: PageloadRunDocument, { isDark }: Theme): TemplateResult {
  const { run } = document;
  const summary = summaryOf(document);
  const shown = shownLoads(document, summary);
  const figures = pageloadFigures(document, summary, shown);
  return html`<article>
    ${title(run, summary.trust)} ${conclusion(summary.finding, [...run.warnings, ...run.notes])}
    ${chartSection(figures, [summary, isDark])}
    <section>
      <h2>Each kind of load</h2>
      ${cellTable(summary.figures)}
    </section>
    ${verdicts(summary)}
    <details>
      <summary><h2>Each resource</h2></summary>
      ${resourceTable(run.page, shown)}
    </details>
    ${conditions(run, terms(run))}
  </article>`;
}

/** Cached because intervals and resampling are slow. */
const summaryOf = oncePer(({ run, pageloads }: PageloadRunDocument) =>
  summarizePageload(run, pageloads),
);

function title(run: PageloadRun, trust: Trust): TemplateResult {
  const { page, plan, environment } = run;
  const bytes = page.resources.reduce((sum, { bodyBytes }) => sum + bodyBytes, 0);
  return runHeader(`Page loads: ${page.source}`, run, trust, [
    counted(page.resources.length, 'resource'),
    `${byteSize(bytes)} decoded, ${page.bodies} bodies`,
    `${counted(plan.passes, 'load')} of each kind`,
    environment.chromium.version,
    plan.delaysMs.length === 0 ? 'no slow device' : plan.storage,
  ]);
}
function verdicts({ verdicts: all }: PageloadSummary): TemplateResult | typeof nothing {
  if (all.length === 0) return nothing;
  return html`<details>
    <summary><h2>Verdicts, pair by pair</h2></summary>
    ${sentenceList(all.map(({ outcome, sentence }) => `${outcome}: ${sentence}`))}
  </details>`;
}

function terms({ plan }: PageloadRun): Term[] {
  return [
    ['Empty cache', 'the first load in a fresh profile; the cache’s back end has started'],
    [
      'Warm',
      'the page again in the same browser, in a new tab, when the cache files no longer change',
    ],
    ['Relaunched', 'the browser was closed and started again'],
    ['Cold', 'the same, with the kernel’s page cache dropped just before the load'],
    [
      'With dictionaries',
      'scripts and style sheets were first stored as dcb (RFC 9842), with the previous version as dictionary',
    ],
    [
      'Origin',
      `all of the page’s hosts are one origin on this machine, by HTTP/1.1: six connections; ${plan.serverDelayMs === 0 ? 'no wait' : `${digits(plan.serverDelayMs)} ms`} before each response`,
    ],
    [
      'Load time',
      'from the navigation to the load event; each load has a new tab, so the start of its renderer is included',
    ],
    ['Scripts', 'replay the recorded requests when they run, and run no other code'],
    ['Seed', `${plan.seed}`],
  ];
}
