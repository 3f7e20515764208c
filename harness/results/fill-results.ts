import type { FillRunDocument } from '@cachescope/model/fill-run.ts';
import { summarizeFill } from '@cachescope/model/fill-summary.ts';
import { drawnCharts } from './drawn-charts.ts';
import { fillCsv } from './fill-csv.ts';
import { fillText } from './fill-text.ts';
import { htmlReport } from './html-report.ts';
import type { ResultFiles, Results, ResultTools } from './results.ts';
import { closingLines } from './status.ts';

/** The outputs of concurrent fills: report.txt with the published rows, systems.csv, report.html and its charts. */
export async function writeFillResults(
  files: ResultFiles,
  document: FillRunDocument,
  tools: ResultTools,
): Promise<Results> {
  const { run, lines } = document;
  const summary = summarizeFill(run, lines);
  await files.write('summary.json', `${JSON.stringify(summary, null, 2)}\n`);
  await files.write('systems.csv', fillCsv(summary));
  await files.write('report.txt', fillText(run, summary, true));
  const page = await htmlReport(tools.extensionDirectory, document);
  const html = await files.write('report.html', page);
  const problem = await drawnCharts(html, files.path, tools.chromiumPath || null);
  return {
    summary,
    text: fillText(run, summary, false),
    status: [
      ...closingLines(run, files.path, html),
      ...(problem === null ? [] : [`No charts: ${problem}.`]),
    ],
  };
}
