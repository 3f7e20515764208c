import type { Experiment, Kinds } from '../experiments/experiment.ts';
import { drawnCharts } from '../results/drawn-charts.ts';
import { htmlReport } from '../results/html-report.ts';
import type { ResultFiles, Results, ResultTools } from '../results/results.ts';
import { closingLines } from '../results/status.ts';

/** The document of a run that the panel opens by its summary, because it has too many samples. */
const bySummaryFile = 'run-by-summary.json';

/**
 * Writes everything that is derived from a run: summary.json, the experiment's own files, report.html and its charts.
 */
export async function writeOutputs<K extends Kinds>(
  experiment: Experiment<K>,
  files: ResultFiles,
  document: K['document'],
  { extensionDirectory, chromiumPath }: ResultTools,
): Promise<Results> {
  const summary = experiment.summarize(document);
  await files.write('summary.json', `${JSON.stringify(summary, null, 2)}\n`);
  for (const [name, content] of Object.entries(experiment.files(document, summary)))
    await files.write(name, content);
  const shown = experiment.bySummary?.(document, summary) ?? null;
  if (shown) await files.write(bySummaryFile, JSON.stringify(shown.document));
  const page = await htmlReport(extensionDirectory, shown?.document ?? document);
  const html = await files.write('report.html', page);
  const { hasCharts = true } = experiment;
  const problem = hasCharts ? await drawnCharts(html, files.path, chromiumPath || null) : null;
  return {
    summary,
    text: experiment.text(document, summary),
    status: [
      ...(experiment.status?.(document, summary) ?? []),
      ...(shown ? [`${shown.sentence} The panel opens ${bySummaryFile}.`] : []),
      ...closingLines(document.run, files.path, html),
      ...(problem === null ? [] : [`No charts: ${problem}.`]),
    ],
  };
}
