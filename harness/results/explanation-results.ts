import { explain } from '@cachescope/model/explain.ts';
import type { Explanation } from '@cachescope/model/explanation.ts';
import type { SweepRunDocument } from '@cachescope/model/sweep-run.ts';
import type { SweepSummary } from '@cachescope/model/sweep-summary.ts';
import { breakEvensCsv, modelCsv, predictionsCsv, whatIfCsv } from './explanation-csv.ts';
import { explanationText } from './explanation-text.ts';
import type { ResultFiles } from './results.ts';
import { workloadTitles } from './sweep-finish.ts';

/** What an explanation adds to a sweep's outputs. */
export interface ExplanationResults {
  /** For summary.json; the resamples are left out. */
  summary: object;
  text: string;
}

/** Explains a run that asked for it, and writes explanation.txt and its CSV files; null for another. */
export async function writeExplanation(
  files: ResultFiles,
  { run, samples, traced = [] }: SweepRunDocument,
  summary: SweepSummary,
): Promise<ExplanationResults | null> {
  if (!run.plan.explain) return null;
  const explanation = explain(run, summary, samples, traced);
  const title = `${workloadTitles(run.plan).join('\n')}\n${run.environment.chromium.version}`;
  const text = `${title}\n\n${explanationText(explanation)}`;
  await files.write('explanation.txt', text);
  await files.write('model.csv', modelCsv(explanation));
  await files.write('predictions.csv', predictionsCsv(explanation));
  await files.write('what-if.csv', whatIfCsv(explanation));
  await files.write('break-evens.csv', breakEvensCsv(explanation));
  return { summary: withoutDraws(explanation), text };
}

function withoutDraws(explanation: Explanation): object {
  const models = explanation.models.map((model) => {
    const { draws: _, ...kept } = model;
    return kept;
  });
  return { ...explanation, models };
}
