import { foldedWarnings } from '@cachescope/model/run/folded-warnings.ts';
import { comparisonSentences, type FillComparison } from '@cachescope/model/fill/comparison.ts';
import type { FillRun, FillRunDocument } from '@cachescope/model/fill/run.ts';
import type { FillSuiteSummary } from '@cachescope/model/fill/suite-summary.ts';
import { type FillSummary, summarizeFill } from '@cachescope/model/fill/summary.ts';
import { byteSize } from '@cachescope/model/quantity.ts';
import { html, nothing, type TemplateResult } from 'lit';
import { figureView } from '../../charts/figure.ts';
import { fillFigures } from './charts.ts';
import { distributionTable } from './distribution-table.ts';
import { fillTable } from './table.ts';
import { runFacts } from '../../run/facts.ts';
import { oncePer } from '../../once-per.ts';

/** Concurrent fills: what was found, charts, the benchmark's table, verdicts, and what the browser's cache answered. */
export function fillView(document: FillRunDocument, isDark: boolean): TemplateResult {
  const { run } = document;
  const summary = summaryOf(document);
  return html`<article>
    ${title(run)}
    <div class="conclusion">${finding(summary)} ${warnings(run, summary)}</div>
    <section>
      <h2>Charts</h2>
      <div class="figures">
        ${fillFigures(summary.suites).map((figure) => figureView(figure, [summary, isDark]))}
      </div>
    </section>
    ${summary.suites.map(suiteSection)} ${answers(summary)} ${conditions(run)}
  </article>`;
}

/** Intervals and resamples take long. */
const summaryOf = oncePer(({ run, lines }: FillRunDocument) => summarizeFill(run, lines));

function title(run: FillRun): TemplateResult {
  const { workers, fileBytes, timeMs, rounds } = run.plan;
  return html`<header>
    <h1>Concurrent fills: many readers of files that are still arriving</h1>
    ${runFacts(run, [
      `${workers} readers`,
      `files of ${byteSize(fileBytes)}`,
      `${timeMs / 1000} s a trial`,
      `${rounds} ${rounds === 1 ? 'round' : 'rounds'}`,
      run.nginx.own ?? 'no nginx',
      run.environment.chromium.version,
    ])}
  </header>`;
}

function sentenceList(sentences: readonly string[]): TemplateResult {
  return html`<ul>
    ${sentences.map((sentence) => html`<li>${sentence}</li>`)}
  </ul>`;
}

function finding({ finding: [answer = '', ...reasons] }: FillSummary): TemplateResult {
  return html`<section>
    <h2>Finding</h2>
    <p class="answer">${answer}</p>
    ${sentenceList(reasons)}
  </section>`;
}

function warnings(run: FillRun, summary: FillSummary): TemplateResult | typeof nothing {
  const missing = run.unavailable.map(({ what, why }) => `Not run: ${what}: ${why}.`);
  const sentences = [...foldedWarnings([...run.warnings, ...summary.warnings]), ...missing];
  if (sentences.length === 0) return nothing;
  return html`<section class="warnings">
    <h2>Warnings</h2>
    ${sentenceList(sentences)}
  </section>`;
}

function suiteSection(summary: FillSuiteSummary): TemplateResult {
  const { title: name, comparisons } = summary;
  return html`<section>
    <h2>${name}</h2>
    ${fillTable(summary)}
    <h3>Distributions</h3>
    ${distributionTable(summary)} ${comparisons.length === 0 ? nothing : verdicts(comparisons)}
  </section>`;
}

function verdicts(comparisons: readonly FillComparison[]): TemplateResult {
  return html`<h3>Verdicts</h3>
    ${sentenceList(comparisonSentences(comparisons))}`;
}

function answers({ answers: all }: FillSummary): TemplateResult | typeof nothing {
  if (all.length === 0) return nothing;
  return html`<section>
    <h2>How Chromium’s cache shares a response that is arriving</h2>
    ${sentenceList(all.flatMap(({ sentences }) => sentences))}
  </section>`;
}

function conditions({ plan, nginx, environment }: FillRun): TemplateResult {
  const facts = [
    ['nginx', nginx.own ?? 'none'],
    ['patched nginx', nginx.patched ?? 'none'],
    ['Chromium', environment.chromium.version],
    ['Machine', `${environment.os}, ${environment.cpu}, ${environment.cores} cores`],
    ['Kernel', environment.kernel],
    ['Node', environment.node],
    ['Chunks of a slow origin', `${plan.chunkHz} a second`],
    ['Seed', `${plan.seed}`],
  ];
  return html`<section>
    <h2>Conditions</h2>
    <dl>
      ${facts.map(
        ([name, value]) =>
          html`<dt>${name}</dt>
            <dd>${value}</dd>`,
      )}
    </dl>
  </section>`;
}
