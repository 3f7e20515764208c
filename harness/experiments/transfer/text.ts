import { digits } from '@cachescope/model/quantity.ts';
import { verdictText } from '@cachescope/model/transfer/finding.ts';
import type { TransferRun } from '@cachescope/model/transfer/run.ts';
import { clientLabels } from '@cachescope/model/transfer/sample.ts';
import type { TransferSummary } from '@cachescope/model/transfer/summary.ts';
import { sizeText } from '@cachescope/model/transfer/words.ts';
import { clock } from '../../lab/progress.ts';
import { indented, legend, transferTables } from './text-table.ts';
import { wrap } from '../../results/wrap.ts';

/** The text on stdout, for 80 columns: tables, finding, and the effects that this link cannot show. */
export function transferText(run: TransferRun, summary: TransferSummary): string {
  const { plan, environment } = run;
  const chromium = plan.clients.includes('chromium') ? `${environment.chromium.version}, ` : '';
  return [
    wrap(
      `Requests of ${sizeText(plan.requestBytes)}, ${plan.requestsPerCell} for each size in ${plan.launches} launches, ${chromium}Node ${environment.node}`,
      80,
    ),
    legend(run),
    '',
    transferTables(run, summary),
    ...summary.finding.map((sentence) => indented(sentence, '- ')),
    '',
    ...summary.link.map((sentence) => indented(sentence, '- ')),
    ...(summary.cannotShow.length > 0 ? ['', 'What this link cannot show:'] : []),
    ...summary.cannotShow.map((effect) => indented(effect, '- ')),
    '',
  ].join('\n');
}

/** The text of stdout, followed by the verdict of each size as a sentence. */
export function transferReport(run: TransferRun, summary: TransferSummary): string {
  const verdicts = summary.verdicts.map((each) =>
    wrap(
      `${clientLabels[each.client]}, ${each.connection}, ${sizeText(each.responseBytes)}: ${each.verdict.outcome}. ${verdictText(each)}`,
      80,
    ),
  );
  return [transferText(run, summary), 'Verdicts, size by size', '', ...verdicts, ''].join('\n');
}

/** The lines on stderr about the requests and the time. */
export function transferLines(run: TransferRun, { counts }: TransferSummary): string[] {
  const flagged = Object.entries(counts.flagged).filter(([, count]) => count > 0);
  const words = flagged.map(([flag, count]) => `${flag} ${count}`).join(', ');
  const left = words === '' ? 'none flagged' : `flagged and excluded: ${words}`;
  const lines = [`Requests: ${counts.used} used of ${counts.samples}, ${left}.`];
  if (run.timeSpent) {
    const { totalMs, measuringMs } = run.timeSpent;
    const share = digits((100 * measuringMs) / totalMs);
    lines.push(`Took ${clock(totalMs / 1000)}, of which ${share} % inside timed requests.`);
  }
  return lines;
}
