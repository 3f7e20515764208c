import type { ComparableGroup, Factors } from '@cachescope/model/compare/group.ts';
import { levelName } from '@cachescope/model/compare/names.ts';
import type {
  ComparedReadings,
  ComparisonDocument,
  Metric,
} from '@cachescope/model/compare/run.ts';
import { comparableExperiments, comparableOf } from '@cachescope/model/compare/runs.ts';
import { readingsOf, summarizeComparison } from '@cachescope/model/compare/summary.ts';
import type { RunBase } from '@cachescope/model/run/base.ts';
import { isRunOf, type RunDocument } from '@cachescope/model/run/run.ts';
import { medianInterval } from '@cachescope/model/statistics/median-interval.ts';
import { valuesOf } from '@cachescope/model/statistics/readings.ts';
import { summarize } from '@cachescope/model/sweep/summary.ts';
import { CachescopeError } from '../../error.ts';

/** The readings of one group, such as an arm at one delay, and the values derived from them. In the metric's unit. */
export interface MeasuredGroup {
  /** Factors that distinguish it from the other groups of its place: arm -> dcb; in a comparison side -> A. */
  factors: Factors;
  /** The same as text: `DCB`. */
  name: string;
  values: readonly number[];
  /** Browser launches that took the readings; each reading of an unknown launch counts as one. */
  launches: number;
  /** Samples that were measured and excluded because of a flag. */
  flagged: number;
  /** null: unknown, for example without readings. */
  median: number | null;
  /** Ends of the median's 95 % interval; null with fewer than 3 launches. */
  low: number | null;
  high: number | null;
  /** Measured read delay of the device, ms; null: not measured. */
  measuredDelayMs: number | null;
}

/** Groups that can be compared: of the same delay and workload. */
export interface MeasuredPlace {
  factors: Factors;
  /** `5 ms`. */
  name: string;
  groups: MeasuredGroup[];
  /** Only in a comparison: DIFFERENT, SAME or UNKNOWN, and its sentence. Absent in a run. */
  verdict?: { outcome: string; sentence: string };
}

/** All groups of a run or a comparison, for one metric. */
export interface MeasuredMetric {
  metric: Metric;
  places: MeasuredPlace[];
}

/** What a format shows of the groups of a run or a comparison. */
export interface Measurements {
  /** In a comparison the environment is that of B. */
  run: RunBase;
  /** `sweep` or `comparison`. */
  experiment: string;
  /** The first one is used where there is room for only one. Never empty. */
  metrics: [MeasuredMetric, ...MeasuredMetric[]];
  /** The finding in sentences. */
  finding: readonly string[];
}

/** Factors that distinguish groups of one place; all others belong to the place. */
const ownFactors: ReadonlySet<string> = new Set(['arm', 'variant']);

/**
 * The measurements of a run or a comparison, by metric, place and group. Metrics without readings are left out.
 *
 * @throws CachescopeError CS_NO_GROUPS for a run of another experiment, CS_NO_READINGS for one without a usable sample.
 */
export function measurementsOf(document: RunDocument): Measurements {
  const measured = isRunOf('comparison', document)
    ? [comparedMetric(document)]
    : runMetrics(document);
  const [first, ...more] = measured.filter(({ places }) =>
    places.some(({ groups }) => groups.some(({ values }) => values.length > 0)),
  );
  const { run } = document;
  if (!first)
    throw new CachescopeError('CS_NO_READINGS', 'the run has no usable sample to export', {
      hint: 'Complete it with --resume, or look up why all samples were flagged.',
    });
  return {
    run,
    experiment: run.experiment,
    metrics: [first, ...more],
    finding: findingOf(document),
  };
}

function findingOf(document: RunDocument): readonly string[] {
  if (isRunOf('comparison', document)) return summarizeComparison(document).finding;
  return isRunOf('sweep', document) ? summarize(document.run, document.samples).finding : [];
}

function runMetrics(document: RunDocument): MeasuredMetric[] {
  const comparable = comparableOf(document);
  if (!comparable) throw withoutGroups(document);
  return comparable.metrics.map((metric) => {
    const groups = comparable.groupsOf(document, metric);
    const places = Map.groupBy(groups, ({ factors }) => JSON.stringify(placeFactors(factors)));
    return {
      metric,
      places: [...places.values()].map((own) => {
        const factors = placeFactors(own[0]?.factors ?? {});
        return { factors, name: nameOf(factors), groups: own.map(measuredGroup) };
      }),
    };
  });
}

/** The error for a run of an experiment that no format exports. */
export function withoutGroups({ run }: RunDocument): CachescopeError {
  return new CachescopeError(
    'CS_NO_GROUPS',
    `a run of ${run.experiment} has no groups of readings to export; runs of ${comparableExperiments.join(', ')} have`,
  );
}

function placeFactors(factors: Factors): Factors {
  return Object.fromEntries(Object.entries(factors).filter(([name]) => !ownFactors.has(name)));
}

function nameOf(factors: Factors): string {
  return Object.values(factors).map(levelName).join(', ') || 'all';
}

function measuredGroup(group: ComparableGroup): MeasuredGroup {
  const own = Object.entries(group.factors).filter(([name]) => ownFactors.has(name));
  const factors = Object.fromEntries(own);
  return { ...estimated(group), factors, name: nameOf(factors) };
}

function estimated({
  readings,
  flagged,
  measuredDelayMs = null,
}: Pick<ComparableGroup, 'readings' | 'flagged' | 'measuredDelayMs'>): Omit<
  MeasuredGroup,
  'factors' | 'name'
> {
  const { median, interval, launches } = medianInterval(readings);
  const { low = null, high = null } = interval ?? {};
  return { values: valuesOf(readings), launches, flagged, median, low, high, measuredDelayMs };
}

function comparedMetric(document: ComparisonDocument): MeasuredMetric {
  const { plan } = document.run;
  const { cells } = summarizeComparison(document);
  const sideOf = (readings: ComparedReadings, side: 'A' | 'B', name: string): MeasuredGroup => ({
    ...estimated({ ...readings, readings: readingsOf(readings) }),
    factors: { side },
    name,
  });
  return {
    metric: plan.metric,
    places: document.pairs.map(({ factors, against, of }, index) => {
      const cell = cells[index];
      return {
        factors,
        name: nameOf(factors),
        groups: [sideOf(against, 'A', plan.against.name), sideOf(of, 'B', plan.of.name)],
        ...(cell && { verdict: { outcome: cell.verdict.outcome, sentence: cell.sentence } }),
      };
    }),
  };
}

/** Labels that a format's reader needs and that no run contains. */
export interface Labels {
  /** Name of the machine in a dashboard. */
  bot: string | undefined;
  /** Commit of the browser that was measured, lower-case hex. */
  gitHash: string | undefined;
}

/** A format in which other programs read a run or a comparison. Pure: the same run gives the same bytes. */
export interface Format {
  /** Programs or people that read it, for the help and the docs. */
  readers: string;
  /** Labels that it requires. */
  needs?: readonly (keyof Labels)[];
  /** A row for each sample: a comparison, which has no samples of its own, is refused. */
  hasSamples?: true;
  /** A text, bytes, or an object that is serialized as JSON. Throws as `measurementsOf` does where it shows groups. */
  render(document: RunDocument, labels: Labels): string | Uint8Array | object;
}
