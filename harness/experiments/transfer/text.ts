import { digits } from '@cachescope/model/quantity.ts';
import { verdictText } from '@cachescope/model/transfer-finding.ts';
import type { TransferRun, TransferRunDocument } from '@cachescope/model/transfer-run.ts';
import { clientLabels } from '@cachescope/model/transfer-sample.ts';
import { summarizeTransfers, type TransferSummary } from '@cachescope/model/transfer-summary.ts';
import { sizeText } from '@cachescope/model/transfer-words.ts';
import { clock } from '../runner/progress.ts';
import { drawnCharts } from './drawn-charts.ts';
import { htmlReport } from './html-report.ts';
import type { ResultFiles, Results, ResultTools } from './results.ts';
import { closingLines } from './status.ts';
import { transferCsv } from './transfer-csv.ts';
import { indented, marksLine, transferTables } from './transfer-table.ts';
import { wrap } from './wrap.ts';

/** The outputs of transfers: transfers.csv, report.txt, and report.html with its charts as PNG too. */
export async function writeTransferResults(
  files: ResultFiles,
  document: TransferRunDocument,
  tools: ResultTools,
): Promise<Results> {
  const { run, samples } = document;
  const summary = summarizeTransfers(run, samples);
  await files.write('summary.json', `${JSON.stringify(summary, null, 2)}\n`);
  await files.write('transfers.csv', transferCsv(summary));
  await files.write('report.txt', reportText(run, summary));
  const html = await files.write(
    'report.html',
    await htmlReport(tools.extensionDirectory, document),
  );
  const problem = await drawnCharts(html, files.path, tools.chromiumPath);
  return {
    summary,
    text: terminalText(run, summary),
    status: [
      ...sampleLines(run, summary),
      ...closingLines(run, files.path, html),
      ...(problem === null ? [] : [`No charts: ${problem}.`]),
    ],
  };
}

/** What stdout shows, for 80 columns: tables, finding, and what this link cannot show. */
export function terminalText(run: TransferRun, summary: TransferSummary): string {
  const { plan, environment } = run;
  const chromium = plan.clients.includes('chromium') ? `${environment.chromium.version}, ` : '';
  return [
    wrap(
      `Requests of ${sizeText(plan.requestBytes)}, ${plan.requestsPerCell} for each size in ${plan.launches} launches, ${chromium}Node ${environment.node}`,
      80,
    ),
    marksLine(run),
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

/** What the terminal shows, and behind it the verdict of each size in words. */
function reportText(run: TransferRun, summary: TransferSummary): string {
  const verdicts = summary.verdicts.map((each) =>
    wrap(
      `${clientLabels[each.client]}, ${each.connection}, ${sizeText(each.responseBytes)}: ${each.verdict.outcome}. ${verdictText(each)}`,
      80,
    ),
  );
  return [terminalText(run, summary), 'Verdicts, size by size', '', ...verdicts, ''].join('\n');
}

function sampleLines(run: TransferRun, { counts }: TransferSummary): string[] {
  const flagged = Object.entries(counts.flagged).filter(([, count]) => count > 0);
  const words = flagged.map(([flag, count]) => `${flag} ${count}`).join(', ');
  const left = words === '' ? 'none flagged' : `flagged and left out: ${words}`;
  const lines = [`Requests: ${counts.used} used of ${counts.samples}, ${left}.`];
  if (run.timeSpent) {
    const { totalMs, measuringMs } = run.timeSpent;
    const share = digits((100 * measuringMs) / totalMs);
    lines.push(`Took ${clock(totalMs / 1000)}, of which ${share} % inside timed requests.`);
  }
  return lines;
}
