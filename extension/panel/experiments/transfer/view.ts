import { foldedWarnings } from '@cachescope/model/run/folded-warnings.ts';
import { digits } from '@cachescope/model/quantity.ts';
import type { TransferCurve } from '@cachescope/model/transfer/curve.ts';
import { verdictText } from '@cachescope/model/transfer/finding.ts';
import type { TransferRunDocument } from '@cachescope/model/transfer/run.ts';
import {
  clientLabels,
  type TransferCell,
  type TransferSample,
} from '@cachescope/model/transfer/sample.ts';
import { summarizeTransfers, type TransferSummary } from '@cachescope/model/transfer/summary.ts';
import { changeText, sizeText } from '@cachescope/model/transfer/words.ts';
import { Chart } from 'chart.js';
import { html, nothing, type TemplateResult } from 'lit';
import { type Figure, figureView } from '../../charts/figure.ts';
import { runFacts } from '../../run/facts.ts';
import { transferChart } from './charts.ts';
import { transferTable } from './table.ts';
import { oncePer } from '../../once-per.ts';

/** Shows transfers from the answer down to the evidence: finding, what the link cannot show, charts, every size, verdicts. */
export function transferView(document: TransferRunDocument, isDark: boolean): TemplateResult {
  const { run, samples } = document;
  const summary = summaryOf(document);
  const groups = groupsOf(summary);
  return html`<article>
    <header>
      <h1>Transfers: time against size</h1>
      ${runFacts(run, [
        `requests of ${sizeText(run.plan.requestBytes)}`,
        `${run.plan.requestsPerCell} of each size in ${run.plan.launches} launches`,
        run.environment.chromium.version,
        `origin ${run.link.host}`,
      ])}
    </header>
    <div class="conclusion">${finding(summary)} ${doubts(run.warnings, summary)}</div>
    <section>
      <h2>Charts</h2>
      <div class="figures">
        ${groups.map((group) => figureView(figureOf(group, samples), [summary, isDark]))}
      </div>
    </section>
    <section>
      <h2>Each size</h2>
      ${groups.map(({ label, curves, client, connection }) =>
        transferTable(
          label,
          curves,
          summary.verdicts.filter(
            (each) => each.client === client && each.connection === connection,
          ),
        ),
      )}
    </section>
    ${verdictList(summary)}
  </article>`;
}

/** Intervals and resamples take long. */
const summaryOf = oncePer(({ run, samples }: TransferRunDocument) =>
  summarizeTransfers(run, samples),
);

/** The curves that belong in one chart. */
interface Group extends Pick<TransferCell, 'client' | 'connection'> {
  label: string;
  curves: TransferCurve[];
}

function groupsOf({ curves }: TransferSummary): Group[] {
  const groups = Map.groupBy(curves, ({ client, connection }) => `${client} ${connection}`);
  return [...groups.values()].flatMap((own) => {
    const [first] = own;
    if (!first) return [];
    const { client, connection } = first;
    const label = `${clientLabels[client]}, ${connection} connection`;
    return [{ client, connection, label, curves: own }];
  });
}

function figureOf(
  { client, connection, label, curves }: Group,
  samples: readonly TransferSample[],
): Figure {
  const own = samples.filter(
    ({ cell }) => cell.client === client && cell.connection === connection,
  );
  return {
    id: `transfer-${client}-${connection}`,
    title: `${label}: time (ms) against size of the response`,
    caption: `${departureSentence(curves)} Marks are medians, bars 95 % intervals (cut at the frame), faint marks single requests; both axes are logarithmic.`,
    heightPx: 360,
    draw: (canvas) => new Chart(canvas, transferChart(curves, own)),
  };
}

function departureSentence(curves: readonly TransferCurve[]): string {
  const [first] = curves;
  const departing = curves.filter(({ change }) => change.found === 'departs').length;
  if (departing > 0)
    return `${departing} of ${curves.length} curves depart from the trend of their smaller sizes (dashed line).`;
  return first?.change.found === 'unknown'
    ? `Whether a curve departs from its trend is ${changeText(first.change)}.`
    : 'No departure from the trend of the smaller sizes was found.';
}

function finding({ finding: [answer = '', ...reasons] }: TransferSummary): TemplateResult {
  return html`<section>
    <h2>Finding</h2>
    <p class="answer">${answer}</p>
    <ul>
      ${reasons.map((sentence) => html`<li>${sentence}</li>`)}
    </ul>
  </section>`;
}

function doubts(warnings: readonly string[], summary: TransferSummary): TemplateResult {
  const { counts, link, cannotShow } = summary;
  const flagged = Object.entries(counts.flagged).filter(([, count]) => count > 0);
  const kinds = flagged.map(([flag, count]) => `${flag} ${digits(count)}`).join(', ');
  const left =
    flagged.length === 0
      ? []
      : [`${counts.samples - counts.used} of ${counts.samples} requests are excluded: ${kinds}.`];
  return html`<section class="warnings">
    <h2>What to know</h2>
    <ul>
      ${[...foldedWarnings(warnings), ...left, ...link].map((sentence) => html`<li>${sentence}</li>`)}
    </ul>
    ${
      cannotShow.length === 0
        ? nothing
        : html`<p>This link cannot show:</p>
            <ul>
              ${cannotShow.map((effect) => html`<li>${effect}</li>`)}
            </ul>`
    }
  </section>`;
}

function verdictList({ verdicts }: TransferSummary): TemplateResult | typeof nothing {
  if (verdicts.length === 0) return nothing;
  return html`<details>
    <summary><h2>Verdicts, size by size</h2></summary>
    <dl>
      ${verdicts.map(
        (each) =>
          html`<dt>
              ${clientLabels[each.client]}, ${each.connection}, ${sizeText(each.responseBytes)}:
              ${each.verdict.outcome}
            </dt>
            <dd>${verdictText(each)}</dd>`,
      )}
    </dl>
  </details>`;
}
