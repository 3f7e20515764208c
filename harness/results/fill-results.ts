import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FillRunDocument } from '@cachescope/model/fill-run.ts';
import { summarizeFill } from '@cachescope/model/fill-summary.ts';
import { messageOf } from '../error.ts';
import { drawCharts } from './charts.ts';
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
  const problem = await drawnCharts(html, files.path, tools.chromiumPath);
  return {
    summary,
    text: fillText(run, summary, false),
    status: [
      ...closingLines(run, files.path, html),
      ...(problem === null ? [] : [`No charts: ${problem}.`]),
    ],
  };
}

/** Draws the charts; returns why that was not possible, or null. */
async function drawnCharts(
  html: string,
  directory: string,
  chromiumPath: string | null,
): Promise<string | null> {
  if (!chromiumPath) return 'no Chromium was found to draw them';
  const profile = await mkdtemp(join(tmpdir(), 'cachescope-charts-'));
  try {
    await drawCharts(chromiumPath, html, join(directory, 'charts'), profile);
    return null;
  } catch (error) {
    return messageOf(error);
  } finally {
    await rm(profile, { recursive: true, force: true });
  }
}
