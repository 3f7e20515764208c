import { type CsvColumns, csvOf } from '@cachescope/model/csv.ts';
import { explain } from '@cachescope/model/explain/analysis.ts';
import type { Explanation } from '@cachescope/model/explain/explanation.ts';
import type { TracedRead } from '@cachescope/model/explain/traced-read.ts';
import type { Series } from '@cachescope/model/sweep/series.ts';
import type { SweepReads } from '@cachescope/model/sweep/reads.ts';
import type { SweepRun } from '@cachescope/model/sweep/run.ts';
import type { SweepSummary } from '@cachescope/model/sweep/summary.ts';

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

/** Output files that an explanation adds to those of a sweep; none without an explanation. */
export function explanationFiles(explanation: Explanation | undefined): Record<string, string> {
  if (!explanation) return {};
  return {
    'model.csv': modelCsv(explanation),
    'predictions.csv': predictionsCsv(explanation),
    'stored-forms.csv': formsCsv(explanation),
    'break-evens.csv': breakEvensCsv(explanation),
  };
}

type Item<Name extends 'models' | 'witnesses' | 'predictions' | 'formTimes' | 'breakEvens'> =
  Explanation[Name][number];

const seriesColumns: CsvColumns<{ series: Series }> = {
  arm: ({ series }) => series.arm,
  workload: ({ series }) => series.workload,
  variant: ({ series }) => series.variant,
};

interface ModelPoint {
  series: Series;
  model: Item<'models'>;
  point: Item<'models'>['points'][number];
  witness: Item<'witnesses'> | undefined;
}

const modelColumns: CsvColumns<ModelPoint> = {
  ...seriesColumns,
  requested_delay_ms: ({ point }) => point.requestedDelayMs,
  measured_delay_ms: ({ point }) => point.delayMs,
  read_median_ms: ({ point }) => point.medianMs,
  model_ms: ({ point }) => point.predictedMs,
  residual_ms: ({ point }) => point.residualMs,
  residual_share: ({ point }) => point.residualShare,
  base_ms: ({ model }) => model.baseMs,
  base_low_ms: ({ model }) => model.baseInterval?.low,
  base_high_ms: ({ model }) => model.baseInterval?.high,
  waits: ({ model }) => model.waits,
  waits_low: ({ model }) => model.waitsInterval?.low,
  waits_high: ({ model }) => model.waitsInterval?.high,
  serial_reads: ({ witness }) => witness?.serialReads,
  busy_waits: ({ witness }) => witness?.busyWaits,
  verdict: ({ model }) => model.verdict,
};

/** One row per series and delay: the measured time, the model's time and the residual. An empty cell: unknown. */
export function modelCsv({ models, witnesses }: Explanation): string {
  const rows = models.flatMap((model, index) =>
    model.points.map((point) => ({
      series: model.series,
      model,
      point,
      witness: witnesses[index],
    })),
  );
  return csvOf(modelColumns, rows);
}

const predictionColumns: CsvColumns<Item<'predictions'>> = {
  ...seriesColumns,
  disk: ({ disk }) => disk.name,
  disk_delay_ms: ({ disk }) => disk.delayMs,
  disk_bytes_per_second: ({ disk }) => disk.bandwidthBytesPerSecond,
  read_ms: ({ readMs }) => readMs,
  read_low_ms: ({ interval }) => interval?.low,
  read_high_ms: ({ interval }) => interval?.high,
  why: ({ why }) => why,
  disk_source: ({ disk }) => disk.source,
};

/**
 * One row per series and disk, of the built-in profiles and of `--disk`. An empty cell: unknown; `why` has the reason.
 */
export function predictionsCsv({ predictions }: Explanation): string {
  return csvOf(predictionColumns, predictions);
}

const formColumns: CsvColumns<Item<'formTimes'>> = {
  workload: ({ workload }) => workload,
  storage: ({ storage }) => storage,
  requested_delay_ms: ({ requestedDelayMs }) => requestedDelayMs,
  measured_delay_ms: ({ measuredDelayMs }) => measuredDelayMs,
  stored_as: ({ form }) => form,
  read_median_ms: ({ medianMs }) => medianMs,
  difference_ms: ({ differenceMs }) => differenceMs,
  difference_low_ms: ({ lowMs }) => lowMs,
  difference_high_ms: ({ highMs }) => highMs,
  verdict: ({ verdict }) => verdict?.outcome,
  direction: ({ verdict }) => verdict?.direction,
  p_adjusted: ({ verdict }) => verdict?.p,
};

/** One row per workload, point and stored form. */
export function formsCsv({ formTimes }: Explanation): string {
  return csvOf(formColumns, formTimes);
}

const breakEvenColumns: CsvColumns<Item<'breakEvens'> & { series: Series }> = {
  ...seriesColumns,
  against_arm: ({ against }) => against.arm,
  network_bits_per_second: ({ networkBitsPerSecond }) => networkBitsPerSecond,
  saved_ms: ({ savedMs }) => savedMs,
  slower: ({ slower }) => slower,
  delay_ms: ({ delayMs }) => delayMs,
  delay_low_ms: ({ interval }) => interval?.low,
  delay_high_ms: ({ interval }) => interval?.high,
  measured_low_ms: ({ measuredMs }) => measuredMs.low,
  measured_high_ms: ({ measuredMs }) => measuredMs.high,
};

/** One row per break-even; a run over a link names it. */
export function breakEvensCsv({ breakEvens }: Explanation): string {
  const link: typeof breakEvenColumns = { link: (each) => each.link };
  return csvOf(
    { ...breakEvenColumns, ...(breakEvens.some((each) => each.link !== undefined) && link) },
    breakEvens.map((each) => ({ ...each, series: each.of })),
  );
}
