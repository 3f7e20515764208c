import { comparisonSentences } from '@cachescope/model/fill/comparison.ts';
import type { FillRun, FillRunDocument } from '@cachescope/model/fill/run.ts';
import {
  type FillSuiteSummary,
  type FillSummary,
  summarizeFill,
} from '@cachescope/model/fill/summary.ts';
import { byteSize, counted } from '@cachescope/model/quantity.ts';
import { html, nothing, type TemplateResult } from 'lit';
import { fillFigures } from './charts.ts';
import { distributionTable, fillTable } from './tables.ts';
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

/** Concurrent fills: finding, charts, the benchmark's table, verdicts, and the answers of the browser's cache. */
export function view(document: FillRunDocument, { isDark }: Theme): TemplateResult {
  const { run } = document;
  const summary = summaryOf(document);
  const missing = run.unavailable.map(({ what, why }) => `Not run: ${what}: ${why}.`);
  return html`<article>
    ${title(run)} ${conclusion(summary.finding, [...run.warnings, ...summary.warnings, ...missing])}
    ${chartSection(fillFigures(summary.suites), [summary, isDark])}
    ${summary.suites.map(suiteSection)} ${answersSection(summary)} ${conditions(run, terms(run))}
  </article>`;
}

/** Cached because intervals and resampling are slow. */
const summaryOf = oncePer(({ run, lines }: FillRunDocument) => summarizeFill(run, lines));

function title(run: FillRun): TemplateResult {
  const { workers, fileBytes, timeMs, rounds } = run.plan;
  return runHeader('Concurrent fills: many readers of files that are still arriving', run, [
    `${workers} readers`,
    `files of ${byteSize(fileBytes)}`,
    `${timeMs / 1000} s a trial`,
    counted(rounds, 'round'),
    run.nginx.own ?? 'no nginx',
    run.environment.chromium.version,
  ]);
}

function suiteSection(summary: FillSuiteSummary): TemplateResult {
  const sentences = comparisonSentences(summary.comparisons);
  return html`<section>
    <h2>${summary.title}</h2>
    ${fillTable(summary)}
    <h3>Distributions</h3>
    ${distributionTable(summary)}
    ${
      sentences.length === 0
        ? nothing
        : html`<h3>Verdicts</h3>
            ${sentenceList(sentences)}`
    }
  </section>`;
}

function answersSection({ answers }: FillSummary): TemplateResult | typeof nothing {
  if (answers.length === 0) return nothing;
  return html`<section>
    <h2>How Chromium’s cache shares a response that is arriving</h2>
    ${sentenceList(answers.flatMap(({ sentences }) => sentences))}
  </section>`;
}

function terms({ plan, nginx }: FillRun): Term[] {
  return [
    ['nginx', nginx.own ?? 'none'],
    ['patched nginx', nginx.patched ?? 'none'],
    ['Chunks of a slow origin', `${plan.chunkHz} a second`],
    ['Seed', `${plan.seed}`],
  ];
}
