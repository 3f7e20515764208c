import type { ReclaimRunDocument } from '@cachescope/model/reclaim-run.ts';
import { linesByKind, summarizeReclaim } from '@cachescope/model/reclaim-summary.ts';
import { drawnCharts } from './drawn-charts.ts';
import { htmlReport } from './html-report.ts';
import { histogramCsv, reclaimsCsv, windowsCsv } from './reclaim-csv.ts';
import { reclaimText } from './reclaim-text.ts';
import type { ResultFiles, Results, ResultTools } from './results.ts';
import { closingLines } from './status.ts';

/**
 * The outputs of a cache under load: report.txt with the published figures, windows.csv, reclaims.csv, histogram.csv,
 * report.html and its charts.
 */
export async function writeReclaimResults(
  files: ResultFiles,
  document: ReclaimRunDocument,
  tools: ResultTools,
): Promise<Results> {
  const { run, lines } = document;
  const { windows, moments } = linesByKind(lines);
  const summary = summarizeReclaim(run, lines);
  await files.write('summary.json', `${JSON.stringify(summary, null, 2)}\n`);
  await files.write('windows.csv', windowsCsv(windows));
  await files.write('reclaims.csv', reclaimsCsv(moments));
  await files.write('histogram.csv', histogramCsv(windows));
  await files.write('report.txt', reclaimText(document, summary, true));
  const page = await htmlReport(tools.extensionDirectory, document);
  const html = await files.write('report.html', page);
  const problem = await drawnCharts(html, files.path, tools.chromiumPath || null);
  return {
    summary,
    text: reclaimText(document, summary, false),
    status: [
      ...closingLines(run, files.path, html),
      ...(problem === null ? [] : [`No charts: ${problem}.`]),
    ],
  };
}
