import { summarize } from '@cachescope/model/sweep-summary.ts';
import type { SweepRunDocument } from '@cachescope/model/sweep-run.ts';
import { drawnCharts } from './drawn-charts.ts';
import { writeExplanation } from './explanation-results.ts';
import { htmlReport } from './html-report.ts';
import type { ResultFiles, Results, ResultTools } from './results.ts';
import { compactTime } from './run-directory.ts';
import { closingLines } from './status.ts';
import { cellsCsv, classicCsv, gapsCsv } from './sweep-csv.ts';
import { finishText, sampleLines } from './sweep-finish.ts';
import { textReport } from './sweep-text-report.ts';
import { writeTraced } from './traced-results.ts';

/**
 * A sweep's outputs: the classic CSV and text report, cells.csv, and report.html with its charts as PNG too; for a run that is
 * to be explained, what explains it.
 */
export async function writeSweepResults(
  files: ResultFiles,
  document: SweepRunDocument,
  tools: ResultTools,
): Promise<Results> {
  const { run, samples, traced } = document;
  const measured = summarize(run, samples);
  const explained = await writeExplanation(files, document, measured);
  const summary = explained ? { ...measured, explanation: explained.summary } : measured;
  const traces = await writeTraced(files, traced);
  const time = compactTime(run.startedAt);
  await files.write('summary.json', `${JSON.stringify(summary, null, 2)}\n`);
  await files.write('cells.csv', cellsCsv(summary));
  await files.write('gaps.csv', gapsCsv(summary));
  await files.write(`cdt-perf-results-${time}.csv`, classicCsv(summary));
  await files.write(`cdt-perf-report-${time}.txt`, textReport(run, summary, traces));
  const page = await htmlReport(tools.extensionDirectory, document);
  const html = await files.write('report.html', page);
  const problem = await drawnCharts(html, files.path, tools.chromiumPath);
  const charts = problem === null ? [] : [`No charts: ${problem}.`];
  return {
    summary,
    text: [explained?.text ?? finishText(run, summary), traces].join('\n').trimEnd() + '\n',
    status: [...sampleLines(run, summary), ...closingLines(run, files.path, html), ...charts],
  };
}
