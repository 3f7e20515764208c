import { milliseconds } from '../quantity.ts';
import { levelOfReadings } from '../statistics/launch-level.ts';
import type { GroupNames, GroupPair } from '../statistics/comparison.ts';
import type { Reading } from '../statistics/readings.ts';
import { type Judged, judgedFamilies, type Verdict } from '../statistics/verdict.ts';
import { readTimes, verdictSentence } from '../statistics/verdict-sentence.ts';
import { delayOf } from '../sweep/delay-checks.ts';
import { gapBetween } from '../sweep/gap-outcomes.ts';
import { cellAt, type Place, type SweepReads } from '../sweep/reads.ts';
import { recompressed } from '../sweep/recompressed.ts';
import type { SweepPoint } from '../sweep/result.ts';
import { marginOf, type SweepRun } from '../sweep/run.ts';
import type { Series } from '../sweep/series.ts';
import type { Trust } from '../run/trust.ts';

/**
 * A form in which the same decoded bytes are stored. `decoded` is the form in which Chromium stores DCB today,
 * `recompressed` the one in which it stores DCB with its own fix. The others are stored in the coding that the origin sent.
 */
const storedForms = ['decoded', 'recompressed', 'br', 'gzip', 'zstd'] as const;
export type StoredForm = (typeof storedForms)[number];

/** Names of the forms for people. */
export const storedFormLabels: Readonly<Record<StoredForm, string>> = {
  decoded: 'decoded (today)',
  recompressed: 'Zstandard by Chromium itself',
  br: 'Brotli',
  gzip: 'Gzip',
  zstd: 'Zstandard',
};

/** Time of a hit in one form at one point. */
export interface FormTime {
  workload: string;
  storage: SweepPoint['storage'];
  requestedDelayMs: number;
  measuredDelayMs: number | null;
  form: StoredForm;
  medianMs: number | null;
  /**
   * Difference from today's hit, ms; negative: the form would be faster. null for `decoded` itself, and where unknown.
   */
  differenceMs: number | null;
  lowMs: number | null;
  highMs: number | null;
  /** null for `decoded`. */
  verdict: Verdict | null;
  /** null for `decoded`. */
  sentence: string | null;
}

/** Every form of every workload at every point that the run has data for. */
export function formTimes(
  run: SweepRun,
  { points, trust }: { points: readonly SweepPoint[]; trust: Trust },
  reads: SweepReads,
): FormTime[] {
  const { workload, workloads, variants } = run.plan;
  const hits = (workloads ?? [workload]).flatMap(({ name }) => {
    const today: Series = {
      arm: 'dcb',
      ...(variants?.[0] && { variant: variants[0].name }),
      ...(workloads && { workload: name }),
    };
    const readingsOf = (series: Series, point: SweepPoint) =>
      reads.readingsAt(cellAt(point, series));
    return storedForms.flatMap((form) =>
      points.flatMap((point): Hit[] => {
        const series = seriesOf(form, today);
        const [of, against] = [readingsOf(series, point), readingsOf(today, point)];
        if (of.length === 0 || against.length === 0) return [];
        return [{ workload: name, form, point, series, today, of, against }];
      }),
    );
  });
  return judged(hits, { margin: marginOf(run.plan), inconclusive: trust.inconclusive });
}

function seriesOf(form: StoredForm, today: Series): Series {
  if (form === 'decoded') return today;
  return form === 'recompressed'
    ? { ...today, variant: recompressed.name }
    : { ...today, arm: form };
}

/** The readings of a form at a point, and those of today's form. */
interface Hit {
  workload: string;
  form: StoredForm;
  point: SweepPoint;
  /** The series of the form. */
  series: Series;
  /** The series of today's form. */
  today: Series;
  of: Reading[];
  against: Reading[];
}

/** What is shown of a comparison with today's form. */
type Shown = Pick<FormTime, 'differenceMs' | 'lowMs' | 'highMs' | 'verdict' | 'sentence'>;

const unknown: Shown = {
  differenceMs: null,
  lowMs: null,
  highMs: null,
  verdict: null,
  sentence: null,
};

/** A pair that the sweep itself compares has the sweep's gap; the others of each form are a family. */
function judged(
  hits: readonly Hit[],
  options: { margin: number; inconclusive: string | null },
): FormTime[] {
  const pairs = hits
    .filter((hit) => hit.form !== 'decoded' && gapOfSweep(hit) === null)
    .map((hit) => ({
      hit,
      question: hit.form,
      of: hit.of,
      against: hit.against,
      names: { of: `a hit stored as ${storedFormLabels[hit.form]}`, against: 'one stored decoded' },
    }));
  const family = judgedFamilies(pairs, { ...options, better: 'lower' });
  const found = new Map(family.map((each) => [each.hit, shownOf(each)]));
  return hits.map((hit) => {
    const { workload, form, point, series, of } = hit;
    return {
      workload,
      storage: point.storage,
      requestedDelayMs: point.requestedDelayMs,
      measuredDelayMs: delayOf(point, series),
      form,
      medianMs: levelOfReadings(of),
      ...(found.get(hit) ?? gapOfSweep(hit) ?? unknown),
    };
  });
}

function shownOf({ comparison, verdict, names }: Judged<GroupPair & { names: GroupNames }>): Shown {
  return {
    differenceMs: comparison.difference,
    lowMs: comparison.differenceInterval?.low ?? null,
    highMs: comparison.differenceInterval?.high ?? null,
    verdict,
    sentence: verdictSentence(comparison, verdict, names, readTimes),
  };
}

/** The sweep's gap of the form from today's; null where the sweep does not compare them. */
function gapOfSweep({ form, series, today, point }: Hit): Shown | null {
  if (form === 'decoded') return null;
  const gap = gapBetween(point, series, today);
  if (!gap) return null;
  const { ms, lowMs, highMs, verdict, sentence } = gap;
  return { differenceMs: ms, lowMs, highMs, verdict, sentence };
}

/** The times of one workload at one point, in the order of the forms of their table. */
export interface FormTimeRow {
  workload: string;
  /** `control`, `5 ms`. */
  point: string;
  /** undefined: the run has no data for the form here. */
  cells: (FormTime | undefined)[];
}

/** The times as a table with a column for each form that the run has; no rows with fewer than two forms. */
export function formTimeTable(all: readonly FormTime[]): {
  forms: StoredForm[];
  rows: FormTimeRow[];
} {
  const forms = storedForms.filter((form) => all.some((each) => each.form === form));
  if (forms.length < 2) return { forms, rows: [] };
  const places = Map.groupBy(
    all,
    (each) => `${each.workload} ${each.storage} ${each.requestedDelayMs}`,
  );
  const rows = [...places.values()].flatMap((at): FormTimeRow[] => {
    const [first] = at;
    if (!first) return [];
    const cells = forms.map((form) => at.find((each) => each.form === form));
    return [{ workload: first.workload, point: pointName(first), cells }];
  });
  return { forms, rows };
}

/** `control`, `5 ms`: a point of a sweep by its requested delay. */
export function pointName({ storage, requestedDelayMs }: Place): string {
  return storage === 'none' ? 'control' : milliseconds(requestedDelayMs);
}
