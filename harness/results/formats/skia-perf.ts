import { quantile } from '@cachescope/model/statistics/quantile.ts';
import { type Format, type MeasuredGroup, measurementsOf } from './measurements.ts';

/**
 * Skia Perf's ingestion format (skia-buildbot, perf/FORMAT.md): a trace for each metric, group and statistic. Its keys
 * contain only properties that are the same for all commits, so the browser's version is not among them: the commit
 * identifies it.
 */
export const skiaPerf: Format = {
  readers: "Skia Perf and Chromium's instance of it: one file for a commit",
  needs: ['gitHash'],
  render(document, { bot, gitHash }) {
    const { run, experiment, metrics } = measurementsOf(document);
    return {
      version: 1,
      git_hash: gitHash,
      key: keys({
        benchmark: `cachescope.${experiment}`,
        bot: bot ?? `${run.environment.cpu}, ${run.environment.cores} cores`,
        os: run.environment.os,
        storage: run.environment.storage,
      }),
      results: metrics.flatMap(({ metric, places }) =>
        places.flatMap(({ factors, groups }) =>
          groups
            .filter(({ values }) => values.length > 0)
            .map((group) => ({
              key: keys({
                ...factors,
                ...group.factors,
                test: metric.name,
                units: metric.measure.unit,
                improvement_direction: metric.better === 'lower' ? 'down' : 'up',
              }),
              measurements: { stat: statistics(group) },
            })),
        ),
      ),
    };
  },
};

/** An unknown statistic is absent, not 0. */
function statistics({ median, low, high, values }: MeasuredGroup) {
  const known = {
    median,
    median_low: low,
    median_high: high,
    min: quantile(values, 0),
    max: quantile(values, 1),
    count: values.length,
  };
  return Object.entries(known).flatMap(([value, measurement]) =>
    measurement === null ? [] : [{ value, measurement }],
  );
}

/** Replaces characters that the format does not allow in a key (perf/go/ingest/format/format.go). */
function keys(named: Readonly<Record<string, string>>): Record<string, string> {
  const word = (text: string): string => text.replaceAll(/\W+/g, '_') || '_';
  return Object.fromEntries(
    Object.entries(named).map(([name, value]) => [word(name), word(value)]),
  );
}
