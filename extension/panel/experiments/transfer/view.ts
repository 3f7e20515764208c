import { curveGroups, type CurveGroup } from '@cachescope/model/transfer/curve.ts';
import type { TransferRunDocument } from '@cachescope/model/transfer/run.ts';
import type { TransferSample } from '@cachescope/model/transfer/sample.ts';
import { summarizeTransfers, type TransferSummary } from '@cachescope/model/transfer/summary.ts';
import {
  changeText,
  flaggedText,
  sizeText,
  verdictLine,
} from '@cachescope/model/transfer/words.ts';
import { Chart } from 'chart.js';
import { html, nothing, type TemplateResult } from 'lit';
import type { Figure } from '../../charts/figure.ts';
import { oncePer } from '../../once-per.ts';
import {
  chartSection,
  conclusion,
  conditions,
  runHeader,
  sentenceList,
  termList,
} from '../../run/sections.ts';
import type { Theme } from '../../run/view-tools.ts';
import { transferChart } from './charts.ts';
import { transferTable } from './table.ts';

/** Shows transfers from the answer to the evidence: finding, limits of the link, charts, every size, verdicts. */
export function view(document: TransferRunDocument, { isDark }: Theme): TemplateResult {
  const { run, samples } = document;
  const summary = summaryOf(document);
  const groups = curveGroups(summary.curves);
  return html`<article>
    ${runHeader('Transfers: time against size', run, [
      `requests of ${sizeText(run.plan.requestBytes)}`,
      `${run.plan.requestsPerCell} of each size in ${run.plan.launches} launches`,
      run.environment.chromium.version,
      `origin ${run.link.host}`,
    ])}
    ${conclusion(
      summary.finding,
      [...run.warnings, ...flagSentence(summary), ...summary.link],
      limits(summary),
    )}
    ${chartSection(
      groups.map((group) => figureOf(group, samples)),
      [summary, isDark],
    )}
    <section>
      <h2>Each size</h2>
      ${groups.map((group) => transferTable(group, summary.verdicts))}
    </section>
    ${verdictList(summary)} ${conditions(run, [['Seed', `${run.plan.seed}`]])}
  </article>`;
}

/** Cached because intervals and resampling are slow. */
const summaryOf = oncePer(({ run, samples }: TransferRunDocument) =>
  summarizeTransfers(run, samples),
);

function figureOf(group: CurveGroup, samples: readonly TransferSample[]): Figure {
  const { client, connection, label, curves } = group;
  const own = samples.filter(
    ({ cell }) => cell.client === client && cell.connection === connection,
  );
  return {
    id: `transfer-${client}-${connection}`,
    title: `${label}: time (ms) against size of the response`,
    caption: `${departureSentence(group)} Marks are medians, bars 95 % intervals (cut at the frame), faint marks single requests (beyond the frame, at its edge); both axes are logarithmic.`,
    heightPx: 360,
    draw: (canvas) => new Chart(canvas, transferChart(curves, own)),
  };
}

function departureSentence({ curves }: CurveGroup): string {
  const [first] = curves;
  const departing = curves.filter(({ change }) => change.found === 'departs').length;
  if (departing > 0)
    return `${departing} of ${curves.length} curves depart from the trend of their smaller sizes (dashed line).`;
  return first?.change.found === 'unknown'
    ? `Whether a curve departs from its trend is ${changeText(first.change)}.`
    : 'No departure from the trend of the smaller sizes was found.';
}

function flagSentence({ counts: { samples, used, flagged } }: TransferSummary): string[] {
  const kinds = flaggedText(flagged);
  return kinds === '' ? [] : [`${samples - used} of ${samples} requests are excluded: ${kinds}.`];
}

function limits({ cannotShow }: TransferSummary): TemplateResult | typeof nothing {
  if (cannotShow.length === 0) return nothing;
  return html`<p>This link cannot show:</p>
    ${sentenceList(cannotShow)}`;
}

function verdictList({ verdicts }: TransferSummary): TemplateResult | typeof nothing {
  if (verdicts.length === 0) return nothing;
  return html`<details>
    <summary><h2>Verdicts, size by size</h2></summary>
    ${termList(verdicts.map(verdictLine))}
  </details>`;
}
