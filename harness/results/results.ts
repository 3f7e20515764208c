import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Run } from '@cachescope/model/run.ts';
import type { Sample } from '@cachescope/model/sample.ts';
import { summarize, type SweepSummary } from '@cachescope/model/sweep-summary.ts';
import { drawCharts } from './charts.ts';
import { cellsCsv, classicCsv } from './csv.ts';
import { htmlReport } from './html-report.ts';
import { compactTime } from './run-directory.ts';
import { textReport } from './text-report.ts';

/** A place that takes files by name: a run directory, while it is written or later. */
export interface ResultFiles {
  path: string;
  write(name: string, content: string | Uint8Array): Promise<string>;
}

export interface Results {
  summary: SweepSummary;
  /** Paths of what was written. */
  csv: string;
  report: string;
  html: string;
  /** Empty when the charts could not be drawn. */
  charts: string[];
  /** Why there are no charts; null when there are. */
  chartsProblem: string | null;
}

/**
 * Derives everything that a run shows from its samples: summary.json, the classic CSV and text report, cells.csv,
 * report.html and its charts as PNG. Needs no storage and takes no sample; can be repeated at any time.
 */
export async function writeResults(
  files: ResultFiles,
  run: Run,
  samples: readonly Sample[],
  tools: { extensionDirectory: string; chromiumPath: string | null },
): Promise<Results> {
  const summary = summarize(run, samples);
  const time = compactTime(run.startedAt);
  await files.write('summary.json', `${JSON.stringify(summary, null, 2)}\n`);
  await files.write('cells.csv', cellsCsv(summary));
  const csv = await files.write(`cdt-perf-results-${time}.csv`, classicCsv(summary));
  const report = await files.write(`cdt-perf-report-${time}.txt`, textReport(run, summary));
  const document = await htmlReport(tools.extensionDirectory, { run, samples: [...samples] });
  const html = await files.write('report.html', document);
  const drawn = await chartsOf(html, files.path, tools.chromiumPath);
  return { summary, csv, report, html, ...drawn };
}

async function chartsOf(
  html: string,
  directory: string,
  chromiumPath: string | null,
): Promise<Pick<Results, 'charts' | 'chartsProblem'>> {
  if (chromiumPath === null)
    return { charts: [], chartsProblem: 'no Chromium was found to draw them' };
  const profile = await mkdtemp(join(tmpdir(), 'cachescope-charts-'));
  try {
    return {
      charts: await drawCharts(chromiumPath, html, join(directory, 'charts'), profile),
      chartsProblem: null,
    };
  } catch (error) {
    return { charts: [], chartsProblem: error instanceof Error ? error.message : String(error) };
  } finally {
    await rm(profile, { recursive: true, force: true });
  }
}
