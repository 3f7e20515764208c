import { foldedWarnings } from '@cachescope/model/run/folded-warnings.ts';
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
import { byteSize, digits } from '@cachescope/model/quantity.ts';
import { html, nothing, type TemplateResult } from 'lit';
import { figureView } from '../../charts/figure.ts';
import { microFigures } from './figures.ts';
import { crossoverTable, documentTable, pivotTable, searchTable } from './tables.ts';
import { proofTable } from '../../run/proof-table.ts';
import { runFacts } from '../../run/facts.ts';
import { oncePer } from '../../once-per.ts';

/** Shows the micro-benchmarks from the answer down to the evidence: finding, charts, tables, circumstances. */
export function microView(document: MicroRunDocument, isDark: boolean): TemplateResult {
  const { run } = document;
  const summary = summaryOf(document);
  const figures = microFigures(summary, run.plan.crossoverMargin);
  return html`<article>
    ${title(run)}
    <div class="conclusion">${finding(summary)} ${warnings(run)}</div>
    <section>
      <h2>Charts</h2>
      <div class="figures">${figures.map((figure) => figureView(figure, [summary, isDark]))}</div>
    </section>
    ${tables(run, summary)} ${circumstances(run)}
  </article>`;
}

/** Intervals and resamples take long. */
const summaryOf = oncePer(({ run, slices }: MicroRunDocument) => summarizeMicro(run, slices));

function title(run: MicroRun): TemplateResult {
  const { plan } = run;
  return html`<header>
    <h1>Each cache alone: calls, misses, hits and searches</h1>
    ${runFacts(run, [
      run.environment.chromium.version,
      `${digits(plan.timeMs / 1000)} s a row over ${plan.launches} launches`,
      plan.delaysMs.length === 0 ? 'no slow device' : plan.storage,
    ])}
  </header>`;
}

function finding(summary: MicroSummary): TemplateResult {
  const [answer = '', ...reasons] = summary.finding;
  const verdicts = verdictSentences(summary.hitVerdicts);
  return html`<section>
    <h2>Finding</h2>
    <p class="answer">${answer}</p>
    <ul>
      ${[...reasons, ...verdicts].map((sentence) => html`<li>${sentence}</li>`)}
    </ul>
  </section>`;
}

function warnings(run: MicroRun): TemplateResult | typeof nothing {
  if (run.warnings.length === 0) return nothing;
  return html`<section class="warnings">
    <h2>Warnings</h2>
    <ul>
      ${foldedWarnings(run.warnings).map((sentence) => html`<li>${sentence}</li>`)}
    </ul>
  </section>`;
}

/** A part that was not taken has no section. Medians first; every figure, and the published ones, behind a click. */
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

function circumstances(run: MicroRun): TemplateResult {
  return html`<details>
    <summary><h2>How it was measured</h2></summary>
    <dl>
      ${terms(run).map(
        ([term, value]) =>
          html`<dt>${term}</dt>
            <dd>${value}</dd>`,
      )}
    </dl>
    ${run.proofs.length > 0 ? proofTable(run.proofs) : nothing}
  </details>`;
}

function terms(run: MicroRun): [term: string, value: string][] {
  const { plan, environment, quiets, fills, timeSpent } = run;
  const { chromium, timerStepMs } = environment;
  const longest = Math.max(0, ...quiets.map(({ waitedMs }) => waitedMs));
  const rows: [term: string, value: string][] = [
    ...plan.caches.map((cache): [string, string] => [
      microCacheLabels[cache],
      microCacheNotes[cache],
    ]),
    ...microRows.map((row): [string, string] => [microRowLabels[row], microRowNotes[row]]),
    [
      'All cache I/O',
      `awaited ${quiets.length} times, ${digits(longest / 1000)} s at most: until the cache files and the slow device’s writes are unchanged for half a second, then sync`,
    ],
    ...fills
      .filter(({ entries }) => entries >= 1000)
      .map(({ cache, backEnd, entries, tookMs }): [string, string] => [
        `Fill, ${backEnd ?? cache}`,
        `${entries.toLocaleString('en-US')} entries in ${digits(tookMs / 1000)} s`,
      ]),
    ['Published', microHistorySource],
    ['Storage', environment.storage],
    [
      'Page clock',
      timerStepMs === null ? 'step not measured' : `steps of ${digits(timerStepMs * 1000)} µs`,
    ],
    [
      'Machine',
      `${environment.cpu}, ${environment.cores} cores, ${byteSize(environment.memoryBytes)}`,
    ],
    ['System', `${environment.os}, kernel ${environment.kernel}, Node ${environment.node}`],
    ['Chromium', chromium.path],
    ['Flags', chromium.flags.join(' ')],
    ['Command', `cachescope ${run.commandLine.join(' ')}`],
    ['Seed', `${plan.seed}`],
  ];
  if (!timeSpent || timeSpent.totalMs <= 0) return rows;
  const share = Math.round((100 * timeSpent.measuringMs) / timeSpent.totalMs);
  const seconds = digits(timeSpent.totalMs / 1000);
  return [...rows, ['Time', `${seconds} s, ${share} % of it inside timed runs`]];
}
