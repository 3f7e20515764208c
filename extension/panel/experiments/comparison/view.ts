import { differenceText, undeclared } from '@cachescope/model/compare/build.ts';
import type { ComparisonDocument, ComparisonRun } from '@cachescope/model/compare/run.ts';
import {
  type ComparisonSummary,
  placeOf,
  summarizeComparison,
} from '@cachescope/model/compare/summary.ts';
import { digits } from '@cachescope/model/quantity.ts';
import { Chart } from 'chart.js';
import { html, nothing, type TemplateResult } from 'lit';
import { differenceChart } from '../../charts/difference-chart.ts';
import { distributionChart } from '../../charts/distribution-chart.ts';
import { type Figure, figureView } from '../../charts/figure.ts';
import { sideStyles } from '../../charts/series-style.ts';
import { trendFigure } from './trend-figure.ts';
import { runHeader, sentenceList, warningSection } from '../../run/sections.ts';
import { oncePer } from '../../once-per.ts';
import type { Theme } from '../../run/view-tools.ts';

/** Maximum number of pairs whose distributions are drawn; the others are in the first chart and in compare.csv. */
const mostDrawn = 60;

/** Shows a saved comparison. */
export function view(document: ComparisonDocument, { isDark }: Theme): TemplateResult {
  const summary = summaryOf(document);
  const { plan } = document.run;
  return html`<article class="comparison">
    ${runHeader(
      {
        headline: answerOf(summary),
        title: `${plan.metric.title}: ${plan.of.name} against ${plan.against.name}`,
        facts: [
          `A, the baseline: ${plan.against.source}, ${plan.against.about}`,
          `B: ${plan.of.source}, ${plan.of.about}`,
        ],
      },
      document.run,
      summary.trust,
    )}
    ${comparisonBody(document, isDark)}
  </article>`;
}

/**
 * The finding, the warnings, the difference of every pair, and the distributions. `heading` makes headings, and shows the
 * answer, where a page has another headline; `variants` are those of a report whose series differ by variant only.
 */
export function comparisonBody(
  document: ComparisonDocument,
  isDark: boolean,
  heading?: (title: string) => TemplateResult,
  variants: readonly string[] = [],
): TemplateResult {
  const summary = summaryOf(document);
  const { run } = document;
  const unmatched = run.unmatched.join('; ');
  const reasons = [
    ...summary.finding.slice(1),
    ...(unmatched ? [`Not compared, because only one side has it: ${unmatched}.`] : []),
  ];
  const figures = [
    ...(run.trend ? [trendFigure(run.trend, run.plan.metric.title)] : []),
    ...(summary.cells.length > 1 ? [differenceFigure(run, summary)] : []),
    ...distributionFigures(document, summary, variants),
  ];
  return html`<div class="conclusion">
      ${
        heading
          ? html`<section>
              ${heading('Finding')}
              <p class="answer">${answerOf(summary)}</p>
              ${sentenceList(reasons)}
            </section>`
          : sentenceList(reasons)
      }
      ${warningSection(warnings(document))}
    </div>
    <section>
      ${heading ? heading('Charts') : nothing}
      <div class="figures">${figures.map((figure) => figureView(figure, [document, isDark]))}</div>
      ${
        document.pairs.length > mostDrawn
          ? html`<p class="hint">${document.pairs.length - mostDrawn} more are not drawn.</p>`
          : nothing
      }
    </section>`;
}

/** With one pair, its sentence; with several, the first sentence of the finding. */
function answerOf({ cells, finding }: ComparisonSummary): string {
  const [only] = cells;
  return cells.length === 1 && only ? only.sentence : (finding[0] ?? '');
}

/** Cached because resampling is slow. */
const summaryOf = oncePer(summarizeComparison);

function warnings(document: ComparisonDocument): string[] {
  const { differences, plan, warnings: told } = document.run;
  const asked = differences.filter(({ condition }) => plan.across.includes(condition));
  return [
    ...undeclared(document).map(
      (difference) =>
        `The runs differ in a condition that may cause the difference: ${differenceText(difference)}.`,
    ),
    ...asked.map((difference) => `Compared across ${differenceText(difference)}.`),
    ...told,
  ];
}

function differenceFigure({ plan }: ComparisonRun, summary: ComparisonSummary): Figure {
  const title = `${plan.of.name} − ${plan.against.name}, % of ${plan.against.name}`;
  const { greater } = plan.metric.measure;
  return {
    id: 'differences',
    title: `Difference of each cell (%)`,
    caption: `Dots are differences of the medians, bars their intervals. Right of 0, ${plan.of.name} is ${greater}. A bar inside the green band of ${digits(100 * plan.margin)} % is SAME. A grey bar is UNKNOWN: the interval is too wide, or the difference is not significant after correction for all cells.`,
    heightPx: 70 + 24 * summary.cells.length,
    draw: (canvas) => new Chart(canvas, differenceChart(summary, plan.margin, title)),
  };
}

function distributionFigures(
  { run: { plan }, pairs }: ComparisonDocument,
  summary: ComparisonSummary,
  variants: readonly string[],
): Figure[] {
  const { unit } = plan.metric.measure;
  const names = { against: plan.against.name, of: plan.of.name };
  return pairs.slice(0, mostDrawn).flatMap((pair, index): Figure[] => {
    const cell = summary.cells[index];
    if (!cell) return [];
    const [against, of] = [plan.against, plan.of].map(({ selection }) => ({
      ...pair.factors,
      ...selection,
    }));
    const styles = sideStyles(against ?? {}, of ?? {}, variants);
    const caption = [
      summary.cells.length === 1 ? '' : cell.sentence,
      ...cell.warnings,
      outlierText(cell),
      'Curves show densities, bars the middle half, faint marks single samples.',
    ].filter((text) => text !== '');
    const axis = `${plan.metric.title}, ${unit}`;
    return [
      {
        id: `distribution-${pair.place}`,
        title: `${placeOf(pair)}: ${cell.verdict.outcome} (${unit})`,
        caption: caption.join(' '),
        heightPx: 260,
        draw: (canvas) => new Chart(canvas, distributionChart(pair, names, styles, axis, unit)),
      },
    ];
  });
}

function outlierText({ against, of, comparison }: ComparisonSummary['cells'][number]): string {
  const count = ({ outliers }: typeof of): number =>
    outliers ? outliers.mild + outliers.severe : 0;
  const [a, b] = [count(against), count(of)];
  if (a + b === 0) return '';
  return `Outliers, hollow and kept: ${a} of ${comparison.against.readings} in A, ${b} of ${comparison.of.readings} in B.`;
}
