import type { Coding } from './coding.ts';
import { createRandom } from './random.ts';
import { cellKey, type Sample } from './sample.ts';
import { compare } from './statistics/comparison.ts';
import { scopeOf } from './statistics/launch-scope.ts';
import { median } from './statistics/quantile.ts';
import type { Reading } from './statistics/readings.ts';
import { judge, type Verdict } from './statistics/verdict.ts';
import { readTimes, verdictSentence } from './statistics/verdict-sentence.ts';
import { readingsByCell } from './sweep-gaps.ts';
import type { SweepPoint } from './sweep-result.ts';
import type { PlannedWorkload, SweepRun } from './sweep-run.ts';

/**
 * A form in which the same decoded bytes could lie in the cache. `decoded` is what Chromium makes of DCB. The last two are
 * put together from what was measured apart: a hit that reads the DCB body, reads its dictionary and decodes.
 */
export const storedForms = ['decoded', 'br', 'gzip', 'zstd', 'dcb in turn', 'dcb at once'] as const;
export type StoredForm = (typeof storedForms)[number];

/** The name a reader knows a form by. */
export const storedFormLabels: Readonly<Record<StoredForm, string>> = {
  decoded: 'decoded (today)',
  br: 'Brotli',
  gzip: 'Gzip',
  zstd: 'Zstandard',
  'dcb in turn': 'DCB, emulated, in turn',
  'dcb at once': 'DCB, emulated, at once',
};

/** What a hit takes, or would take, in one form at one point. */
export interface WhatIf {
  workload: string;
  storage: SweepPoint['storage'];
  requestedDelayMs: number;
  measuredDelayMs: number | null;
  form: StoredForm;
  /** Put together from parts, and not measured as a whole. */
  emulated: boolean;
  medianMs: number | null;
  /** Less the hit of today, ms: below 0 the form would be faster. null for `decoded` itself, and where unknown. */
  differenceMs: number | null;
  lowMs: number | null;
  highMs: number | null;
  /** Judged together with this form's other points (Holm); null for `decoded`. */
  verdict: Verdict | null;
  /** null for `decoded`. */
  sentence: string | null;
}

const resamples = 2000;

/** Every form of every workload at every point, as far as the run has them. */
export function whatIfs(
  run: SweepRun,
  points: readonly SweepPoint[],
  samples: readonly Sample[],
): WhatIf[] {
  const { workload, workloads = [workload], variants } = run.plan;
  const random = createRandom(run.plan.seed);
  const cells = readingsByCell(samples);
  const variant = variants?.[0]?.name;
  const isNamed = run.plan.workloads !== undefined;
  const own = workloads.filter(({ part }) => part === undefined);
  const readingsAt = (point: SweepPoint, { name }: PlannedWorkload, arm: Coding): Reading[] =>
    cells.get(
      cellKey({
        arm,
        storage: point.storage,
        delayMs: point.requestedDelayMs,
        ...(variant !== undefined && { variant }),
        ...(isNamed && { workload: name }),
      }),
    ) ?? [];
  return own.flatMap((each) => {
    const readings = (point: SweepPoint, form: StoredForm): Reading[] => {
      if (form === 'decoded') return readingsAt(point, each, 'dcb');
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
    return storedForms.flatMap((form) => formAt(each.name, form, points, readings, random));
  });
}

/**
 * Hits that read both and decode, from reads of the same launch: one after another, or both at once, in which case the longer
 * one counts. The browser's own share of a read is in both, so the sum is too high rather than too low.
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

function formAt(
  workload: string,
  form: StoredForm,
  points: readonly SweepPoint[],
  readings: (point: SweepPoint, form: StoredForm) => Reading[],
  random: () => number,
): WhatIf[] {
  const taken = points.flatMap((point) => {
    const of = readings(point, form);
    const against = readings(point, 'decoded');
    return of.length === 0 || against.length === 0 ? [] : [{ point, of, against }];
  });
  const names = { of: `a hit stored as ${storedFormLabels[form]}`, against: 'one stored decoded' };
  const comparisons = taken.map(({ of, against }) =>
    compare(of, against, { random, resamples, scope: scopeOf(of, against) }, names),
  );
  const verdicts = form === 'decoded' ? [] : judge(comparisons, { better: 'lower' });
  return taken.map(({ point, of }, index) => {
    const comparison = comparisons[index];
    const verdict = verdicts[index] ?? null;
    const isToday = form === 'decoded' || !comparison;
    return {
      workload,
      storage: point.storage,
      requestedDelayMs: point.requestedDelayMs,
      measuredDelayMs: point.measuredDelayMs?.p50 ?? null,
      form,
      emulated: form === 'dcb in turn' || form === 'dcb at once',
      medianMs: median(of.map(({ value }) => value)),
      differenceMs: isToday ? null : comparison.difference,
      lowMs: isToday ? null : (comparison.differenceInterval?.low ?? null),
      highMs: isToday ? null : (comparison.differenceInterval?.high ?? null),
      verdict,
      sentence: isToday || !verdict ? null : verdictSentence(comparison, verdict, names, readTimes),
    };
  });
}
