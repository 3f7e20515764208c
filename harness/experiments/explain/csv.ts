import { type CsvCell, csvText } from '@cachescope/model/csv.ts';
import type { Explanation } from '@cachescope/model/explain/explanation.ts';
import type { Series } from '@cachescope/model/sweep/series.ts';

const seriesColumns = ['arm', 'workload', 'variant'];

function seriesFields({ arm, workload, variant }: Series): CsvCell[] {
  return [arm, workload, variant];
}

/** One row per series and delay: the measured time, the model's time and the residual. An empty cell: unknown. */
export function modelCsv({ models, witnesses }: Explanation): string {
  const header = [
    ...seriesColumns,
    'requested_delay_ms',
    'measured_delay_ms',
    'read_ms_median',
    'model_ms',
    'residual_ms',
    'residual_share',
    'base_ms',
    'base_ms_low',
    'base_ms_high',
    'waits',
    'waits_low',
    'waits_high',
    'serial_reads',
    'busy_waits',
    'verdict',
  ];
  const rows = models.flatMap((model) =>
    model.points.map((point) => [
      ...seriesFields(model.series),
      point.requestedDelayMs,
      point.delayMs,
      point.medianMs,
      point.predictedMs,
      point.residualMs,
      point.residualShare,
      model.baseMs,
      model.baseInterval?.low,
      model.baseInterval?.high,
      model.waits,
      model.waitsInterval?.low,
      model.waitsInterval?.high,
      witnesses[models.indexOf(model)]?.serialReads,
      witnesses[models.indexOf(model)]?.busyWaits,
      model.verdict,
    ]),
  );
  return csvText(header, rows);
}

/**
 * One row per series and disk, of the built-in profiles and of `--disk`. An empty cell: unknown; `why` has the reason.
 */
export function predictionsCsv({ predictions }: Explanation): string {
  const header = [
    ...seriesColumns,
    'disk',
    'disk_delay_ms',
    'disk_bytes_per_second',
    'read_ms',
    'read_ms_low',
    'read_ms_high',
    'why',
    'disk_source',
  ];
  const rows = predictions.map(({ series, disk, readMs, interval, why }) => [
    ...seriesFields(series),
    disk.name,
    disk.delayMs,
    disk.bandwidthBytesPerSecond,
    readMs,
    interval?.low,
    interval?.high,
    why,
    disk.source,
  ]);
  return csvText(header, rows);
}

/** One row per workload, point and stored form. */
export function whatIfCsv({ whatIfs }: Explanation): string {
  const header = [
    'workload',
    'storage',
    'requested_delay_ms',
    'measured_delay_ms',
    'stored_as',
    'emulated',
    'read_ms_median',
    'difference_ms',
    'difference_ms_low',
    'difference_ms_high',
    'verdict',
    'direction',
    'p_holm',
  ];
  const rows = whatIfs.map((each) => [
    each.workload,
    each.storage,
    each.requestedDelayMs,
    each.measuredDelayMs,
    each.form,
    each.emulated,
    each.medianMs,
    each.differenceMs,
    each.lowMs,
    each.highMs,
    each.verdict?.outcome,
    each.verdict?.direction,
    each.verdict?.p,
  ]);
  return csvText(header, rows);
}

/** One row per break-even. */
export function breakEvensCsv({ breakEvens }: Explanation): string {
  const header = [
    ...seriesColumns,
    'against_arm',
    'network_bits_per_second',
    'saved_ms',
    'slower',
    'delay_ms',
    'delay_ms_low',
    'delay_ms_high',
  ];
  const rows = breakEvens.map((each) => [
    ...seriesFields(each.of),
    each.against.arm,
    each.networkBitsPerSecond,
    each.savedMs,
    each.slower,
    each.delayMs,
    each.interval?.low,
    each.interval?.high,
  ]);
  return csvText(header, rows);
}
