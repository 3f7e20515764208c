import type { ComparisonDocument } from '@cachescope/model/compare/run.ts';
import { summarizeComparison } from '@cachescope/model/compare/summary.ts';
import { comparisonCsv } from './csv.ts';
import { comparisonText } from './text.ts';
import { htmlReport } from '../../results/html-report.ts';
import type { ResultFiles, Results, ResultTools } from '../../results/results.ts';
import { closingLines } from '../../results/status.ts';

/** A comparison's outputs: compare.json, compare.csv, compare.txt, and compare.html with the distributions. */
export async function writeComparisonResults(
  files: ResultFiles,
  document: ComparisonDocument,
  tools: ResultTools,
): Promise<Results> {
  const summary = summarizeComparison(document);
  const text = comparisonText(document.run, summary);
  await files.write('compare.json', `${JSON.stringify(summary, null, 2)}\n`);
  await files.write('compare.csv', comparisonCsv(document.run, summary));
  await files.write('compare.txt', text);
  const page = await htmlReport(tools.extensionDirectory, document);
  const html = await files.write('compare.html', page);
  return { summary, text, status: closingLines(document.run, files.path, html) };
}
