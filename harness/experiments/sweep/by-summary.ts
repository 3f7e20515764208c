import { count } from '@cachescope/model/quantity.ts';
import type { SweepRunDocument } from '@cachescope/model/sweep/run.ts';
import { savedSummarySchema } from '@cachescope/model/sweep/saved-summary.ts';
import type { SweepSummary } from '@cachescope/model/sweep/summary.ts';
import type { BySummary } from '../experiment.ts';

/** Most samples that a report holds: about 65 MB of text. */
const mostSamples = 40_000;

/** A sweep with its summary in place of its samples; null for one whose samples a report can hold. */
export function bySummary(
  { run, samples, traced, summary: saved }: SweepRunDocument,
  summary: SweepSummary & { explanation?: unknown },
  most = mostSamples,
): BySummary<SweepRunDocument> | null {
  if (!saved && samples.length <= most) return null;
  // The panel draws an explanation over single reads.
  const { explanation, ...shown } = summary;
  const without = explanation === undefined ? '' : ', the explanation (it is in explanation.txt)';
  const sentence = `Report and panel show the summary of ${count(summary.counts.samples)} samples, too many to hold: single reads${without} and the comparison of groups are left out.`;
  return {
    document: {
      run: { ...run, warnings: [...run.warnings, sentence] },
      samples: [],
      ...(traced && { traced }),
      summary: savedSummarySchema.parse(shown),
    },
    sentence,
  };
}
