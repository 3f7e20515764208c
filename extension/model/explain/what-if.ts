import type { Coding } from '../coding.ts';
import { createRandom } from '../statistics/random.ts';
import { compareFamily } from '../statistics/comparison.ts';
import { scopeOf } from '../statistics/launch-scope.ts';
import { levelOfReadings } from '../statistics/launch-level.ts';
import type { Reading } from '../statistics/readings.ts';
import { judge, type Verdict } from '../statistics/verdict.ts';
import { readTimes, verdictSentence } from '../statistics/verdict-sentence.ts';
import type { SweepReads } from '../sweep/reads.ts';
import { recompressed } from '../sweep/recompressed.ts';
import type { SweepPoint } from '../sweep/result.ts';
import type { PlannedWorkload, SweepRun } from '../sweep/run.ts';

/**
 * A form in which a cache could store the same decoded bytes. `decoded` is the form in which Chromium stores DCB today.
 * `recompressed` is the form in which Chromium stores it with its own fix. `zstd`, sent in this coding by the origin,
 * is the emulation of that fix. The last two are calculated from separate measurements: a hit that reads the DCB body,
 * reads its dictionary and decodes.
 */
export const storedForms = [
  'decoded',
  'recompressed',
  'br',
  'gzip',
  'zstd',
  'dcb in turn',
  'dcb at once',
] as const;
export type StoredForm = (typeof storedForms)[number];

/** Names of the forms for people. */
export const storedFormLabels: Readonly<Record<StoredForm, string>> = {
  decoded: 'decoded (today)',
  recompressed: 'Zstandard by Chromium itself',
  br: 'Brotli',
  gzip: 'Gzip',
  zstd: 'Zstandard',
  'dcb in turn': 'DCB, emulated, in turn',
  'dcb at once': 'DCB, emulated, at once',
};

/** Measured or calculated time of a hit in one form at one point. */
export interface WhatIf {
  workload: string;
  storage: SweepPoint['storage'];
  requestedDelayMs: number;
  measuredDelayMs: number | null;
  form: StoredForm;
  /** Calculated from parts, not measured as a whole. */
  emulated: boolean;
  medianMs: number | null;
  /**
   * Difference from today's hit, ms; negative: the form would be faster. null for `decoded` itself, and where unknown.
   */
  differenceMs: number | null;
  lowMs: number | null;
  highMs: number | null;
  /** Tested together with all other what-ifs of the run (Holm); null for `decoded`. */
  verdict: Verdict | null;
  /** null for `decoded`. */
  sentence: string | null;
}

const resamples = 2000;

/** Every form of every workload at every point that the run has data for. */
export function whatIfs(run: SweepRun, points: readonly SweepPoint[], reads: SweepReads): WhatIf[] {
  const { workload, workloads = [workload], variants } = run.plan;
  const variant = variants?.[0]?.name;
  const isNamed = run.plan.workloads !== undefined;
  const own = workloads.filter(({ part }) => part === undefined);
  const readingsAt = (
    point: SweepPoint,
    { name }: PlannedWorkload,
    arm: Coding,
    side = variant,
  ): Reading[] =>
    reads.readingsAt({
      arm,
      storage: point.storage,
      delayMs: point.requestedDelayMs,
      ...(side !== undefined && { variant: side }),
      ...(isNamed && { workload: name }),
    });
  const hits = own.flatMap((each) => {
    const readings = (point: SweepPoint, form: StoredForm): Reading[] => {
      if (form === 'decoded') return readingsAt(point, each, 'dcb');
      if (form === 'recompressed') return readingsAt(point, each, 'dcb', recompressed.name);
      if (form !== 'dcb in turn' && form !== 'dcb at once') return readingsAt(point, each, form);
      const part = (is: 'delta' | 'dictionary'): Reading[] => {
        const found = workloads.find(({ part: of }) => of?.of === each.name && of.is === is);
        return found ? readingsAt(point, found, 'identity') : [];
      };
      const decodeMs = run.codingCosts?.find(
        (cost) => cost.workload === each.name && cost.coding === 'dcb',
      )?.decodeMs;
      if (decodeMs === undefined) return [];
      return emulated(part('delta'), part('dictionary'), decodeMs, form);
    };
    return storedForms.flatMap((form) => hitsIn(each.name, form, points, readings));
  });
  return judged(hits, createRandom(run.plan.seed));
}

/**
 * Hits that read both parts and decode, calculated from reads of the same launch: one part after the other, or both at
 * once, in which case the longer one counts. The browser's own share of a read is in both parts, so the sum is rather
 * too high than too low.
 */
function emulated(
  delta: readonly Reading[],
  dictionary: readonly Reading[],
  decodeMs: number,
  form: 'dcb in turn' | 'dcb at once',
): Reading[] {
  const byLaunch = Map.groupBy(dictionary, ({ launch }) => launch);
  return [...Map.groupBy(delta, ({ launch }) => launch)].flatMap(([launch, own]) => {
    const others = byLaunch.get(launch) ?? [];
    return own.slice(0, others.length).map(({ value }, index) => {
      const other = others[index]?.value ?? Number.NaN;
      const reading = form === 'dcb in turn' ? value + other : Math.max(value, other);
      return { value: reading + decodeMs, launch };
    });
  });
}

/** The readings of a form at a point, and those of today's form. */
interface Hit {
  workload: string;
  form: StoredForm;
  point: SweepPoint;
  of: Reading[];
  against: Reading[];
}

function hitsIn(
  workload: string,
  form: StoredForm,
  points: readonly SweepPoint[],
  readings: (point: SweepPoint, form: StoredForm) => Reading[],
): Hit[] {
  return points.flatMap((point) => {
    const of = readings(point, form);
    const against = readings(point, 'decoded');
    return of.length === 0 || against.length === 0 ? [] : [{ workload, form, point, of, against }];
  });
}

function judged(hits: readonly Hit[], random: () => number): WhatIf[] {
  const others = hits.filter(({ form }) => form !== 'decoded');
  const groups = others.map(({ form, of, against }) => {
    const names = {
      of: `a hit stored as ${storedFormLabels[form]}`,
      against: 'one stored decoded',
    };
    return { of, against, names, scope: scopeOf(of, against) };
  });
  const comparisons = compareFamily(groups, { random, resamples });
  const verdicts = judge(comparisons, { better: 'lower' });
  return hits.map((hit) => {
    const { workload, form, point, of } = hit;
    const index = others.indexOf(hit);
    const [comparison, verdict, group] = [comparisons[index], verdicts[index], groups[index]];
    return {
      workload,
      storage: point.storage,
      requestedDelayMs: point.requestedDelayMs,
      measuredDelayMs: point.measuredDelayMs?.p50 ?? null,
      form,
      emulated: form === 'dcb in turn' || form === 'dcb at once',
      medianMs: levelOfReadings(of),
      differenceMs: comparison?.difference ?? null,
      lowMs: comparison?.differenceInterval?.low ?? null,
      highMs: comparison?.differenceInterval?.high ?? null,
      verdict: verdict ?? null,
      sentence:
        comparison && verdict && group
          ? verdictSentence(comparison, verdict, group.names, readTimes)
          : null,
    };
  });
}
