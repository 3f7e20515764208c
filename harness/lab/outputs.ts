import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { printable } from '@cachescope/model/printable.ts';
import { foldedWarnings } from '@cachescope/model/run/folded-warnings.ts';
import { commandText } from '../privilege.ts';
import { CachescopeError, messageOf } from '../error.ts';
import type { Experiment, Kinds } from '../experiments/experiment.ts';
import { drawnCharts } from '../results/drawn-charts.ts';
import { htmlReport } from '../results/html-report.ts';
import type { ResultFiles, Results, ResultTools, Writer } from '../results/results.ts';
import { pageText } from '../results/page-text.ts';
import { screenText } from '../results/screen.ts';
import { unfinishedText } from '../results/status.ts';
import { screenColumns } from '../terminal.ts';

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
  const report = await htmlReport(extensionDirectory, shown?.document ?? document);
  const html = await files.write('report.html', report);
  const { hasCharts = true } = experiment;
  const { run } = document;
  const shownPage = experiment.page(document, summary);
  const unfinished = unfinishedText(run);
  const problem = hasCharts ? await drawnCharts(html, files.path, chromiumPath || null) : null;
  return {
    summary,
    text: screenText(shownPage, run, summary.trust, screenColumns()),
    details: pageText(shownPage, run, summary.trust),
    warnings: foldedWarnings([...run.warnings, ...(shownPage.warnings ?? [])]),
    report: html,
    status: [
      ...(shown ? [`${shown.sentence} The panel opens ${bySummaryFile}.`] : []),
      ...(unfinished === null ? [] : [unfinished]),
      ...(problem === null ? [] : [`No charts: ${problem}.`]),
    ],
  };
}

/**
 * Writes the outputs of a run that has ended. When that fails, for example on a full disk, the results are derived
 * again without writing, so that they can be shown without a new measurement: `isWritten` is then false, and `say` is
 * called with what to do.
 *
 * @throws CachescopeError CS_RUN_MOVED: what has the path is another run.
 * Where nothing has it, the results are shown too.
 */
export async function writtenResults<Document>(
  write: Writer<Document>,
  files: ResultFiles,
  document: Document,
  tools: ResultTools,
  say: (line: string) => void,
): Promise<{ results: Results; isWritten: boolean }> {
  try {
    return { results: await write(files, document, tools), isWritten: true };
  } catch (error) {
    const { path } = files;
    const isGone = !existsSync(path);
    if (error instanceof CachescopeError && error.code === 'CS_RUN_MOVED' && !isGone) throw error;
    const nowhere = { path, write: (name: string) => Promise.resolve(join(path, name)) };
    const results = await write(nowhere, document, { ...tools, chromiumPath: null });
    say(
      isGone
        ? `CS_RUN_MOVED: ${printable(path)} was removed during the run: this is all that is left of it`
        : `CS_SYSTEM: the results could not be written: ${messageOf(error)}\nThe measurements are saved: run npm run report -- ${commandText([path])} when there is room.`,
    );
    // There is no report, and no chart was looked for.
    const status = results.status.filter((line) => !line.startsWith('No charts: '));
    return { results: { ...results, report: null, status }, isWritten: false };
  }
}
