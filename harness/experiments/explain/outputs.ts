import { explain } from '@cachescope/model/explain/analysis.ts';
import type { Explanation } from '@cachescope/model/explain/explanation.ts';
import type { TracedRead } from '@cachescope/model/explain/traced-read.ts';
import type { SweepReads } from '@cachescope/model/sweep/reads.ts';
import type { SweepRun } from '@cachescope/model/sweep/run.ts';
import type { SweepSummary } from '@cachescope/model/sweep/summary.ts';
import { workloadTitles } from '../sweep/finish.ts';
import { breakEvensCsv, modelCsv, predictionsCsv, whatIfCsv } from './csv.ts';
import { explanationText } from './text.ts';

/** The explanation of a run that requested one, without the bootstrap resamples; null: none was requested. */
export function explanationOf(
  run: SweepRun,
  summary: SweepSummary,
  reads: SweepReads,
  traced: readonly TracedRead[],
): Explanation | null {
  if (!run.plan.explain) return null;
  const explanation = explain(run, summary, reads, traced);
  const models = explanation.models.map((model) => {
    const { draws: _, ...kept } = model;
    return kept;
  });
  return { ...explanation, models };
}

/** The explanation as text, printed below the measurements. */
export function explanationReport({ plan, environment }: SweepRun, explanation: Explanation) {
  const title = `${workloadTitles(plan).join('\n')}\n${environment.chromium.version}`;
  return `${title}\n\n${explanationText(explanation)}`;
}

/** Output files that an explanation adds to those of a sweep; none without an explanation. */
export function explanationFiles(
  run: SweepRun,
  explanation: Explanation | undefined,
): Record<string, string> {
  if (!explanation) return {};
  return {
    'explanation.txt': explanationReport(run, explanation),
    'model.csv': modelCsv(explanation),
    'predictions.csv': predictionsCsv(explanation),
    'what-if.csv': whatIfCsv(explanation),
    'break-evens.csv': breakEvensCsv(explanation),
  };
}
