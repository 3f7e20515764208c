import { circumstancesOf, type Conditions, conditionsOf } from './conditions.ts';
import type { ComparableGroup, Factors } from './group.ts';
import type { Metric } from './run.ts';
import { comparableExperiments, comparableOf } from './runs.ts';
import { comparableSweep } from './sweep.ts';
import type { PresetSide } from '../features/effect.ts';
import type { Parsed } from '../parsed.ts';
import type { RunDocument } from '../run/run.ts';
import type { Trust } from '../run/trust.ts';

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
  /** Significance level for verdicts within this run; absent: 5 %. */
  alpha?: number | undefined;
  /** Grade of its run; absent for a table: unknown. */
  trust?: Trust | undefined;
  /** Equivalence margin that its run was judged with, as a share; absent: unknown. */
  margin?: number | undefined;
  /** Why two groups of this run get no verdict, as a clause; null: they get one. */
  withheld: (of: Factors, against: Factors) => string | null;
  /** The settings of the selected browser, with what its run saw of their effect; absent for a table: unknown. */
  presets?: PresetSide;
}

/** Creates a side from a run or a table. Without `metricName`: the first metric of its experiment. */
export function sideOf(
  source: string,
  content: CompareSource,
  selection: Factors,
  metricName: string | undefined,
): Parsed<CompareSide> {
  const found = 'table' in content ? tableContent(content.table) : runContent(content.run);
  if (typeof found === 'string') return { problems: [`${source} ${found}`] };
  const { metrics, groupsOf, presetsOf, ...side } = found;
  const metric = metrics.find(({ name }) => metricName === undefined || name === metricName);
  if (metric) {
    const presets = presetsOf?.(selection);
    const groups = groupsOf(metric);
    return { value: { source, selection, metric, groups, ...(presets && { presets }), ...side } };
  }
  const names = metrics.map(({ name }) => name).join(', ');
  return {
    problems: [`${source} has no metric ${JSON.stringify(metricName)}; it has ${names}`],
  };
}

/** The side of any metric. */
interface Content extends Pick<
  CompareSide,
  | 'experiment'
  | 'conditions'
  | 'circumstances'
  | 'about'
  | 'alpha'
  | 'trust'
  | 'margin'
  | 'withheld'
> {
  metrics: readonly Metric[];
  groupsOf: (metric: Metric) => readonly ComparableGroup[];
  presetsOf?: (selection: Factors) => PresetSide;
}

function tableContent(groups: readonly ComparableGroup[]): Content {
  return {
    metrics: comparableSweep.metrics.slice(0, 1),
    groupsOf: () => groups,
    experiment: 'sweep',
    conditions: {},
    circumstances: {},
    about: 'classic table: medians only',
    withheld: () => null,
  };
}

/** Why a run cannot be compared, in words, in place of its content. */
function runContent(document: RunDocument): Content | string {
  const { run } = document;
  const comparable = comparableOf(document);
  if (!comparable)
    return `is a run of ${run.experiment}, which has no groups of readings; runs of ${comparableExperiments.join(', ')} can be compared`;
  const trust = comparable.trustOf(document);
  const startedAt = run.startedAt.slice(0, 16).replace('T', ' ');
  return {
    metrics: comparable.metrics,
    groupsOf: (metric) => comparable.groupsOf(document, metric),
    presetsOf: (selection) => comparable.presetsOf(document, selection),
    experiment: run.experiment,
    conditions: { ...conditionsOf(run), ...comparable.conditionsOf(document) },
    circumstances: { ...circumstancesOf(run), trust: trust.grade },
    trust,
    about: `${run.environment.chromium.version}, ${startedAt} UTC`,
    alpha: comparable.alphaOf?.(document),
    margin: comparable.marginOf?.(document),
    withheld: (of, against) => comparable.withheld?.(document, of, against) ?? null,
  };
}
