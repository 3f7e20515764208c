import { byCell } from '../run/cell.ts';
import type { Comparable, ComparableGroup } from './group.ts';
import type { Metric } from './run.ts';
import { byteSize } from '../quantity.ts';
import { pageCacheStateWords } from '../run/page-cache-state.ts';
import { type Cell, cellKey, type Sample, usable } from '../run/sample.ts';
import { median } from '../statistics/quantile.ts';
import { readTimes } from '../statistics/verdict-sentence.ts';
import { checksAt } from '../sweep/delay-checks.ts';
import { alphaLeft } from '../sweep/gaps.ts';
import { readsOf } from '../sweep/reads.ts';
import { sweepTrust } from '../sweep/trust.ts';
import { marginOf, type SweepRun, type SweepRunDocument } from '../sweep/run.ts';
import { cachesOf, variantPairOf } from '../sweep/variant-pairs.ts';
import { isSameSeries, seriesOf } from '../sweep/series.ts';

/** A metric with a function for its value in a sample; null: unknown for this sample. */
interface SampleMetric extends Metric {
  valueOf: (sample: Sample) => number | null;
}

/** The counts of a shared device are only an upper bound, so they are unknown. */
function counted(sample: Sample, of: 'reads' | 'readBytes'): number | null {
  return sample.device === null || sample.device.shared ? null : sample.device[of];
}

const countWords = { greater: 'higher', lesser: 'lower', samples: 'cached reads' };

const metrics: readonly SampleMetric[] = [
  {
    name: 'readMs',
    title: 'Read time',
    better: 'lower',
    measure: readTimes,
    valueOf: ({ readMs }) => readMs,
  },
  {
    name: 'deviceReads',
    title: 'Device reads for one cached read',
    better: 'lower',
    measure: { unit: 'reads', ...countWords },
    valueOf: (sample) => counted(sample, 'reads'),
  },
  {
    name: 'deviceReadKiB',
    title: 'Read from the device for one cached read',
    better: 'lower',
    measure: { unit: 'KiB', ...countWords },
    valueOf: (sample) => {
      const bytes = counted(sample, 'readBytes');
      return bytes === null ? null : bytes / 1024;
    },
  },
];

/** A sweep is compared cell by cell. */
export const comparableSweep: Comparable<SweepRunDocument> = {
  metrics,
  groupsOf({ run, samples }, metric) {
    const { valueOf } = metrics.find(({ name }) => name === metric.name) ?? { valueOf: () => null };
    const timed = samples.filter(({ kind }) => kind === 'timed');
    const taken = byCell(timed, cellKey).flatMap((own) =>
      own.slice(0, 1).map(({ cell }) => ({ cell, own })),
    );
    const series = seriesOf(run.plan);
    const placeOf = (cell: Cell) => series.findIndex((each) => isSameSeries(each, cell));
    // Samples of a delay were taken in random order.
    return taken
      .filter(({ cell, own }) => isMeasurable(cell, own, valueOf))
      .toSorted(({ cell: a }, { cell: b }) => rank(a) - rank(b) || placeOf(a) - placeOf(b))
      .map(({ cell, own }) => groupOf(run, cell, own, valueOf));
  },
  alphaOf: ({ run }) => alphaLeft(run),
  trustOf: ({ run, samples }) => sweepTrust(run, readsOf(samples)),
  marginOf: ({ run }) => marginOf(run.plan),
  withheld({ run }, { variant: of }, { variant: against }) {
    if (of === against || run.plan.variants === undefined) return null;
    return variantPairOf(run, of, against).inconclusive;
  },
  presetsOf({ run }, { variant: name }) {
    const variant = run.plan.variants?.find((each) => each.name === name);
    return { settings: { ...run.plan.settings, ...variant }, caches: cachesOf(run, name) };
  },
  conditionsOf({ run: { plan, places = [] } }) {
    const { workload, workloads = [workload], device, slow, settings, variants } = plan;
    const { state = 'cold' } = plan;
    const differing = variants?.map((variant) => {
      const place = places.find((each) => each.variant === variant.name);
      return `${JSON.stringify(variant)} ${place ? `${place.browser} ${place.disk}` : ''}`.trim();
    });
    return {
      ...(differing && { variants: differing.join('; ') }),
      workload: workloads
        .map(
          ({ title, resourceBytes, resourceSha256 }) =>
            `${title}, ${byteSize(resourceBytes)}, ${resourceSha256.slice(0, 12)}`,
        )
        .join('; '),
      'slow device': [
        plan.storage,
        plan.delayWrites ? 'writes delayed too' : '',
        slow ? `slow: ${slow.join(', ')}` : '',
        device ? JSON.stringify(device) : '',
        plan.profile ? JSON.stringify(plan.profile) : '',
      ]
        .filter((part) => part !== '')
        .join('; '),
      // A shown window (`headful`) is among the browser's flags.
      'page cache': pageCacheStateWords[state],
      settings: settings ? JSON.stringify(settings) : 'defaults',
    };
  },
};

/** False for device counts on the control: other programs use its disk too, so no number of samples gives a value. */
function isMeasurable(
  { storage }: Cell,
  taken: readonly Sample[],
  valueOf: SampleMetric['valueOf'],
): boolean {
  return storage !== 'none' || taken.some((sample) => valueOf(sample) !== null);
}

/** Sorts the control first and the profile last. */
function rank({ storage, delayMs, profile }: Cell): number {
  if (profile !== undefined) return Number.POSITIVE_INFINITY;
  return storage === 'none' ? -1 : delayMs;
}

function groupOf(
  run: SweepRun,
  { arm, storage, delayMs, profile, variant, workload }: Cell,
  taken: readonly Sample[],
  valueOf: SampleMetric['valueOf'],
): ComparableGroup {
  const used = usable(taken);
  const place = { storage, requestedDelayMs: delayMs };
  const checks = profile === undefined ? checksAt(run, place, { variant }) : [];
  return {
    factors: {
      delay: storage === 'none' ? 'control' : (profile ?? `${delayMs} ms`),
      arm,
      ...(variant !== undefined && { variant }),
      ...(workload !== undefined && { workload }),
    },
    readings: used.flatMap((sample) => {
      const value = valueOf(sample);
      return value === null ? [] : [{ value, launch: sample.launch }];
    }),
    flagged: taken.length - used.length,
    measuredDelayMs: median(checks.map(({ p50Ms }) => p50Ms)),
  };
}
