import type { MicroRunDocument } from '@cachescope/model/micro-run.ts';
import { summarizeMicro } from '@cachescope/model/micro-summary.ts';
import { drawnCharts } from './drawn-charts.ts';
import { htmlReport } from './html-report.ts';
import { microCsv } from './micro-csv.ts';
import { microFinishText, microLines, microTextReport } from './micro-text.ts';
import type { ResultFiles, Results, ResultTools } from './results.ts';
import { compactTime } from './run-directory.ts';
import { closingLines } from './status.ts';

/** The outputs of the micro-benchmarks: summary.json, cells.csv, a text report, report.html with its charts as PNG too. */
export async function writeMicroResults(
  files: ResultFiles,
  document: MicroRunDocument,
  tools: ResultTools,
): Promise<Results> {
  const { run, slices } = document;
  const summary = summarizeMicro(run, slices);
  await files.write('summary.json', `${JSON.stringify(summary, null, 2)}\n`);
  await files.write('cells.csv', microCsv(summary));
  const time = compactTime(run.startedAt);
  await files.write(`micro-report-${time}.txt`, microTextReport(run, summary));
  const page = await htmlReport(tools.extensionDirectory, document);
  const html = await files.write('report.html', page);
  const problem = await drawnCharts(html, files.path, tools.chromiumPath);
  const charts = problem === null ? [] : [`No charts: ${problem}.`];
  return {
    summary,
    text: microFinishText(run, summary),
    status: [...microLines(run, summary), ...closingLines(run, files.path, html), ...charts],
  };
}
