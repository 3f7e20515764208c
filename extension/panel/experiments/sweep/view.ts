import { pageCacheStateWords } from '@cachescope/model/run/page-cache-state.ts';
import { atConstantDelay } from '@cachescope/model/run/sample.ts';
import { byteSize } from '@cachescope/model/quantity.ts';
import { explainedHead } from '@cachescope/model/explain/head.ts';
import { headlineOf, type Term } from '@cachescope/model/page/page.ts';
import type { Chart } from '@cachescope/model/page/chart.ts';
import { stepCharts } from '@cachescope/model/explain/step-charts.ts';
import { breakEvenCharts, sweepSteadiness } from '@cachescope/model/sweep/charts.ts';
import { sweepHead } from '@cachescope/model/sweep/head.ts';
import type { SweepRun, SweepRunDocument } from '@cachescope/model/sweep/run.ts';
import { summaryOf as summaryFrom, type SweepSummary } from '@cachescope/model/sweep/summary.ts';
import { html, nothing, type TemplateResult } from 'lit';
import { hitFigure, tracedSection } from '../explain/hit-figure.ts';
import { explanationFigures, explanationOf } from '../explain/sections.ts';
import { explanationTables } from '../explain/tables.ts';
import type { Figure } from '../../charts/figure.ts';
import { figureOf } from '../../page/figure.ts';
import { flagCaption, shownPairs } from './captions.ts';
import { sweepFigures } from './figures.ts';
import { machinesPart } from './machines.ts';
import { pointTable, verdictList } from './point-table.ts';
import { runCompare } from '../../run/comparison.ts';
import { traceButton } from './trace-button.ts';
import { stepsFigure } from '../explain/steps-figure.ts';
import { type WorkloadPart, workloadParts } from '../../run/workload-part.ts';
import { oncePer } from '../../once-per.ts';
import { conclusion, conditions, runHeader } from '../../run/sections.ts';
import type { Theme } from '../../run/view-tools.ts';

/** Shows a sweep from the answer to the evidence: finding, warnings, charts, every point, conditions. */
export function view(document: SweepRunDocument, { isDark }: Theme): TemplateResult {
  const { run, traced } = document;
  const samples = atConstantDelay(document.samples);
  const summary = summaryOf(document);
  const explanation = explanationOf(document, summary);
  const { trust } = summary;
  const head = {
    ...sweepHead(run, summary),
    ...(explanation && explainedHead(explanation.answer)),
  };
  const parts = workloadParts(run, summary, samples);
  const figures = [
    ...parts.flatMap((part) =>
      explanation ? explanationFigures(document, explanation, part) : [],
    ),
    ...parts.flatMap((part, place) =>
      figuresOf(part, place, explanation ? [] : breakEvensOf(part)),
    ),
    ...otherCharts(document).map(figureOf),
  ];
  return html`<article>
    ${runHeader({ ...head, headline: headlineOf(head, trust) }, run, trust)}
    ${conclusion(head.finding, [...run.warnings, ...flagCaption(summary)], figures, [summary, isDark])}
    ${
      traced && traced.length > 0
        ? html`<details>
            <summary><h2>One cached read, step by step</h2></summary>
            <div class="figures">${hitFigure(traced)} ${stepsFigure(traced)}</div>
          </details>`
        : nothing
    }
    ${
      summary.machines
        ? html`<section>
            <h2>Each machine</h2>
            ${parts.map((part) => html`${heading(parts, part)} ${machinesPart(part, isDark)}`)}
          </section>`
        : nothing
    }
    ${explanation ? explanationTables(explanation) : nothing}
    <section>
      <h2>Each point</h2>
      ${parts.map(
        (part) =>
          html`${heading(parts, part)}
          ${pointTable(part.summary, part.name === undefined ? 'Each point' : `Each point, ${part.name}`)}`,
      )}
      ${verdictList(summary)}
    </section>
    ${traceButton(document)} ${tracedSection(traced)}
    ${document.summary ? nothing : runCompare(document, isDark)}
    ${conditions(run, terms(run, summary))}
  </article>`;
}

function heading(
  parts: readonly WorkloadPart[],
  { title: text }: WorkloadPart,
): TemplateResult | typeof nothing {
  return parts.length > 1 ? html`<h3>${text}</h3>` : nothing;
}

/** All figures of the first workload; for each further workload the first two, with its name in the title. */
function figuresOf(
  { name, summary, samples }: WorkloadPart,
  place: number,
  breakEvens: readonly Chart[],
): Figure[] {
  const figures = sweepFigures(summary, samples, breakEvens);
  if (place === 0) return figures;
  return figures.slice(0, 2).map((figure) => ({
    ...figure,
    id: `${figure.id}-${name?.replaceAll(/[^\w-]/g, '-')}`,
    title: `${figure.title}, ${name}`,
  }));
}

function breakEvensOf({ name, summary }: WorkloadPart): Chart[] {
  return breakEvenCharts(summary, shownPairs(summary), name);
}

/** Cached because intervals and resampling are slow. */
const summaryOf = oncePer(summaryFrom);

/** What each step of a hit reads, and whether the reads were steady. Cached because a run may have many reads. */
const otherCharts = oncePer((document: SweepRunDocument): Chart[] => [
  ...stepCharts(document.traced ?? []),
  ...sweepSteadiness(document.run, summaryOf(document), atConstantDelay(document.samples)),
]);

function terms({ plan }: SweepRun, { counts }: SweepSummary): Term[] {
  const { samplesPerCell, launchesPerPoint, crossed, seed } = plan;
  return [
    [
      'Samples',
      `${counts.used} used, ${counts.companions} confirmation reads with the debugger attached`,
    ],
    [
      'Plan',
      `${samplesPerCell} samples for each cell in ${launchesPerPoint} launches ${crossed ? 'that read at every delay' : 'for each point'}, seed ${seed}`,
    ],
    ['Before a read', pageCacheStateWords[plan.state ?? 'cold']],
    ['Writes', plan.delayWrites ? 'delayed too' : 'not delayed'],
    ['Dictionary', byteSize(plan.workload.dictionaryBytes)],
  ];
}
