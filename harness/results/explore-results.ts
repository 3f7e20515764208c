import type { ExploreRunDocument } from '@cachescope/model/explore-run.ts';
import { summarizeExplore } from '@cachescope/model/explore-summary.ts';
import { exploreCsv } from './explore-csv.ts';
import { exploreText } from './explore-text.ts';
import { htmlReport } from './html-report.ts';
import type { ResultFiles, Results, ResultTools } from './results.ts';
import { closingLines } from './status.ts';

/** An exploration's outputs: a text report, a table of all resources as CSV, and report.html with the loads in it. */
export async function writeExploreResults(
  files: ResultFiles,
  document: ExploreRunDocument,
  tools: ResultTools,
): Promise<Results> {
  const { run, loads } = document;
  const summary = summarizeExplore(run, loads);
  const text = exploreText(run, summary);
  await files.write('summary.json', `${JSON.stringify(summary, null, 2)}\n`);
  await files.write('report.txt', text);
  await files.write('resources.csv', exploreCsv(document));
  const page = await htmlReport(tools.extensionDirectory, document);
  const html = await files.write('report.html', page);
  return { summary, text, status: closingLines(run, files.path, html) };
}
