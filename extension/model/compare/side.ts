import { circumstancesOf, type Conditions, conditionsOf } from './conditions.ts';
import type { ComparableGroup, Factors, Metric } from './group.ts';
import { comparableExperiments, comparableOf } from './runs.ts';
import { comparableSweep } from './sweep.ts';
import type { Parsed } from '../parsed.ts';
import type { RunDocument } from '../run/run.ts';

/** Input of a comparison: a run, or the groups of a classic table. */
export type CompareSource = { run: RunDocument } | { table: ComparableGroup[] };

/** One side of a comparison, before pairing. */
export interface CompareSide {
  /** As the user named it. */
  source: string;
  selection: Factors;
  experiment: string;
  metric: Metric;
  groups: readonly ComparableGroup[];
  /**
   * Conditions that affect the values, and circumstances that are only reported; both empty for a table, which contains
   * neither.
   */
  conditions: Conditions;
  circumstances: Conditions;
  /** Description: browser and time of the measurement. */
  about: string;
}

/** Creates a side from a run or a table. Without `metricName`: the first metric of its experiment. */
export function sideOf(
  source: string,
  content: CompareSource,
  selection: Factors,
  metricName: string | undefined,
): Parsed<CompareSide> {
  if ('table' in content) return sideOfTable(source, content.table, selection, metricName);
  const { run } = content.run;
  const comparable = comparableOf(content.run);
  if (!comparable) {
    return {
      problems: [
        `${source} is a run of ${run.experiment}, which has no groups of readings; runs of ${comparableExperiments.join(', ')} can be compared`,
      ],
    };
  }
  const metric = metricOf(comparable.metrics, metricName, source);
  if ('problems' in metric) return metric;
  const started = `${run.startedAt.slice(0, 16).replace('T', ' ')} UTC`;
  return {
    value: {
      source,
      selection,
      experiment: run.experiment,
      metric: metric.value,
      groups: comparable.groupsOf(content.run, metric.value),
      conditions: { ...conditionsOf(run), ...comparable.conditionsOf(content.run) },
      circumstances: circumstancesOf(run),
      about: `${run.environment.chromium.version}, ${started}`,
    },
  };
}

function sideOfTable(
  source: string,
  groups: ComparableGroup[],
  selection: Factors,
  metricName: string | undefined,
): Parsed<CompareSide> {
  const metric = metricOf(comparableSweep.metrics.slice(0, 1), metricName, source);
  if ('problems' in metric) return metric;
  return {
    value: {
      source,
      selection,
      experiment: 'sweep',
      metric: metric.value,
      groups,
      conditions: {},
      circumstances: {},
      about: 'classic table: medians only',
    },
  };
}

function metricOf(
  metrics: readonly Metric[],
  name: string | undefined,
  source: string,
): Parsed<Metric> {
  const metric = metrics.find((each) => name === undefined || each.name === name);
  if (metric) return { value: metric };
  return {
    problems: [
      `${source} has no metric ${JSON.stringify(name)}; it has ${metrics.map((each) => each.name).join(', ')}`,
    ],
  };
}
