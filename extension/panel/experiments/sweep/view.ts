import { foldedWarnings } from '@cachescope/model/run/folded-warnings.ts';
import { byteSize } from '@cachescope/model/quantity.ts';
import type { SweepRun, SweepRunDocument } from '@cachescope/model/sweep/run.ts';
import { armLabel, seriesOf } from '@cachescope/model/sweep/series.ts';
import { summarize, type SweepSummary } from '@cachescope/model/sweep/summary.ts';
import { html, nothing, type TemplateResult } from 'lit';
import { circumstances } from './circumstances.ts';
import { hitFigure, tracedSection } from '../explain/hit-figure.ts';
import {
  answerView,
  explanationFigures,
  explanationOf,
  explanationTables,
} from '../explain/view.ts';
import { type Figure, figureView } from '../../charts/figure.ts';
import { sweepFigures } from './figures.ts';
import { pointTable, verdictList } from './point-table.ts';
import { runCompare } from '../../run/comparison.ts';
import { runFacts } from '../../run/facts.ts';
import { stepsFigure } from '../explain/steps-figure.ts';
import { type WorkloadPart, workloadParts } from '../../run/workload-part.ts';
import { oncePer } from '../../once-per.ts';

const list = new Intl.ListFormat('en', { type: 'conjunction' });

/** Shows a sweep from the answer down to the evidence: finding, warnings, charts, every point, circumstances. */
export function runView(document: SweepRunDocument, isDark: boolean): TemplateResult {
  const { run, samples, traced } = document;
  const summary = summaryOf(document);
  const explanation = explanationOf(document, summary);
  const parts = workloadParts(run, summary, samples);
  const figures = [
    ...parts.flatMap((part) =>
      explanation ? explanationFigures(document, explanation, part) : [],
    ),
    ...parts.flatMap(figuresOf),
  ];
  return html`<article>
    ${title(run)}
    <div class="conclusion">
      ${explanation ? answerView(explanation) : finding(summary)} ${warnings(run, summary)}
    </div>
    <section>
      <h2>Charts</h2>
      <div class="figures">
        ${hitFigure(traced)} ${stepsFigure(traced)}
        ${figures.map((figure) => figureView(figure, [summary, isDark]))}
      </div>
    </section>
    ${explanation ? explanationTables(explanation) : nothing}
    <section>
      <h2>Each point</h2>
      ${parts.map(
        (part) =>
          html`${parts.length > 1 ? html`<h3>${part.title}</h3>` : nothing}
          ${pointTable(part.summary, part.name === undefined ? 'Each point' : `Each point, ${part.name}`)}`,
      )}
      ${verdictList(summary)}
    </section>
    ${tracedSection(traced)} ${runCompare(document, isDark)} ${circumstances(run, summary)}
  </article>`;
}

/** All figures of the first workload; of further ones what differs most, by their names. */
function figuresOf({ name, summary, samples }: WorkloadPart, place: number): Figure[] {
  const figures = sweepFigures(summary, samples);
  if (place === 0) return figures;
  return figures.slice(0, 2).map((figure) => ({
    ...figure,
    id: `${figure.id}-${name?.replaceAll(/[^\w-]/g, '-')}`,
    title: `${figure.title}, ${name}`,
  }));
}

/** Intervals and resamples take long. */
const summaryOf = oncePer(({ run, samples }: SweepRunDocument) => summarize(run, samples));

function title(run: SweepRun): TemplateResult {
  const { plan } = run;
  const { arms: codings, recompress } = plan;
  const arms = list.format(seriesOf({ arms: codings, recompress }).map(armLabel));
  return html`<header>
    <h1>${arms}: reads from the disk cache</h1>
    ${runFacts(run, [
      ...(plan.workloads ?? [plan.workload])
        .filter(({ part }) => part === undefined)
        .flatMap(({ title: text, resourceBytes }) => [text, `${byteSize(resourceBytes)} decoded`]),
      run.environment.chromium.version,
      plan.storage === 'none' ? 'no slow device' : plan.storage,
    ])}
  </header>`;
}

function finding({ finding: [answer = '', ...reasons] }: SweepSummary): TemplateResult {
  return html`<section>
    <h2>Finding</h2>
    <p class="answer">${answer}</p>
    <ul>
      ${reasons.map((sentence) => html`<li>${sentence}</li>`)}
    </ul>
  </section>`;
}

function warnings(run: SweepRun, summary: SweepSummary): TemplateResult | typeof nothing {
  const sentences = [...foldedWarnings(run.warnings), ...flagSentence(summary)];
  if (sentences.length === 0) return nothing;
  return html`<section class="warnings">
    <h2>Warnings</h2>
    <ul>
      ${sentences.map((sentence) => html`<li>${sentence}</li>`)}
    </ul>
  </section>`;
}

function flagSentence({ counts }: SweepSummary): string[] {
  const raised = Object.entries(counts.flagged).filter(([, count]) => count > 0);
  if (raised.length === 0) return [];
  const left = counts.samples - counts.companions - counts.used;
  const kinds = list.format(raised.map(([flag, count]) => `${flag} ${count}`));
  return [
    `${left} of ${counts.samples - counts.companions} timed samples are flagged and excluded from the statistics: ${kinds}.`,
  ];
}
