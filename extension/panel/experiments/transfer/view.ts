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
import { transferChart } from './charts.ts';
import { transferTable } from './table.ts';
import { oncePer } from '../../once-per.ts';
import {
  chartSection,
  conclusion,
  conditions,
  runHeader,
  sentenceList,
  type Term,
  termList,
} from '../../run/sections.ts';
import type { Figure } from '../../charts/figure.ts';
import type { Theme } from '../../run/view-tools.ts';

/** Shows transfers from the answer to the evidence: finding, limits of the link, charts, every size, verdicts. */
export function view(document: TransferRunDocument, { isDark }: Theme): TemplateResult {
  const { run, samples } = document;
  const summary = summaryOf(document);
  const groups = groupsOf(summary);
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
    ${verdictList(summary)} ${conditions(run, [['Seed', `${run.plan.seed}`]])}
  </article>`;
}

/** Cached because intervals and resampling are slow. */
const summaryOf = oncePer(({ run, samples }: TransferRunDocument) =>
  summarizeTransfers(run, samples),
);

/** The curves of one chart. */
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
function flagSentence({ counts }: TransferSummary): string[] {
  const flagged = Object.entries(counts.flagged).filter(([, count]) => count > 0);
  if (flagged.length === 0) return [];
  const kinds = flagged.map(([flag, count]) => `${flag} ${digits(count)}`).join(', ');
  return [`${counts.samples - counts.used} of ${counts.samples} requests are excluded: ${kinds}.`];
}

function limits({ cannotShow }: TransferSummary): TemplateResult | typeof nothing {
  if (cannotShow.length === 0) return nothing;
  return html`<p>This link cannot show:</p>
    ${sentenceList(cannotShow)}`;
}

function verdictList({ verdicts }: TransferSummary): TemplateResult | typeof nothing {
  if (verdicts.length === 0) return nothing;
  const terms = verdicts.map((each): Term => {
    const place = [clientLabels[each.client], each.connection, sizeText(each.responseBytes)];
    return [`${place.join(', ')}: ${each.verdict.outcome}`, verdictText(each)];
  });
  return html`<details>
    <summary><h2>Verdicts, size by size</h2></summary>
    ${termList(terms)}
  </details>`;
}
