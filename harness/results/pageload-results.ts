import type { PageloadRunDocument } from '@cachescope/model/pageload-run.ts';
import { summarizePageload } from '@cachescope/model/pageload-summary.ts';
import { drawnCharts } from './drawn-charts.ts';
import { htmlReport } from './html-report.ts';
import { pageloadCellsCsv, pageloadResourcesCsv } from './pageload-csv.ts';
import { pageloadFinishText, pageloadLines, pageloadTextReport } from './pageload-text.ts';
import type { ResultFiles, Results, ResultTools } from './results.ts';
import { compactTime } from './run-directory.ts';
import { closingLines } from './status.ts';

/** The outputs of page loads: summary.json, cells.csv, resources.csv, a text report, report.html with its charts as PNG too. */
export async function writePageloadResults(
  files: ResultFiles,
  document: PageloadRunDocument,
  tools: ResultTools,
): Promise<Results> {
  const { run, pageloads } = document;
  const summary = summarizePageload(run, pageloads);
  await files.write('summary.json', `${JSON.stringify(summary, null, 2)}\n`);
  await files.write('cells.csv', pageloadCellsCsv(summary));
  await files.write('resources.csv', pageloadResourcesCsv(run.page, pageloads));
  const time = compactTime(run.startedAt);
  await files.write(`pageload-report-${time}.txt`, pageloadTextReport(run, summary, pageloads));
  const page = await htmlReport(tools.extensionDirectory, document);
  const html = await files.write('report.html', page);
  const problem = await drawnCharts(html, files.path, tools.chromiumPath);
  const charts = problem === null ? [] : [`No charts: ${problem}.`];
  return {
    summary,
    text: pageloadFinishText(run, summary),
    status: [...pageloadLines(run, summary), ...closingLines(run, files.path, html), ...charts],
  };
}
