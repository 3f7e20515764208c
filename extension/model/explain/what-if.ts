import type { Coding } from '../coding.ts';
import { milliseconds } from '../quantity.ts';
import { levelOfReadings } from '../statistics/launch-level.ts';
import type { GroupNames, GroupPair } from '../statistics/comparison.ts';
import type { Reading } from '../statistics/readings.ts';
import { type Judged, judgedFamilies, type Verdict } from '../statistics/verdict.ts';
import { readTimes, verdictSentence } from '../statistics/verdict-sentence.ts';
import { delayOf } from '../sweep/delay-checks.ts';
import { gapBetween } from '../sweep/gap-outcomes.ts';
import type { Place, SweepReads } from '../sweep/reads.ts';
import { recompressed } from '../sweep/recompressed.ts';
import type { SweepPoint } from '../sweep/result.ts';
import { marginOf, type SweepRun } from '../sweep/run.ts';
import type { Series } from '../sweep/series.ts';
import type { Trust } from '../run/trust.ts';

/**
 * A form in which a cache could store the same decoded bytes. `decoded` is the form in which Chromium stores DCB today.
 * `recompressed` is the form in which Chromium stores it with its own fix. `zstd`, sent in this coding by the origin,
 * is the emulation of that fix. The last two are calculated from separate measurements: a hit that reads the DCB body,
 * reads its dictionary and decodes.
 */
const storedForms = [
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
  /** null for `decoded`. */
  verdict: Verdict | null;
  /** null for `decoded`. */
  sentence: string | null;
}

/** The forms that are calculated from parts: one part read after the other, or both at once. */
const emulatedForms = ['dcb in turn', 'dcb at once'] as const;
type EmulatedForm = (typeof emulatedForms)[number];

function isEmulated(form: StoredForm): form is EmulatedForm {
  return emulatedForms.some((each) => each === form);
}

/** Every form of every workload at every point that the run has data for. */
export function whatIfs(
  run: SweepRun,
  { points, trust }: { points: readonly SweepPoint[]; trust: Trust },
  reads: SweepReads,
): WhatIf[] {
  const { workload, workloads = [workload], variants } = run.plan;
  const variant = variants?.[0]?.name;
  const isNamed = run.plan.workloads !== undefined;
  const own = workloads.filter(({ part }) => part === undefined);
  const seriesOf = (arm: Coding, name: string): Series => ({
    arm,
    ...(variant !== undefined && { variant }),
    ...(isNamed && { workload: name }),
  });
  const readingsOf = (name: string, form: StoredForm, point: SweepPoint): Reading[] => {
    const at = (arm: Coding, side = variant, resource = name) =>
      reads.readingsAt({
        arm,
        storage: point.storage,
        delayMs: point.requestedDelayMs,
        ...(side !== undefined && { variant: side }),
        ...(isNamed && { workload: resource }),
      });
    if (form === 'decoded') return at('dcb');
    if (form === 'recompressed') return at('dcb', recompressed.name);
    if (!isEmulated(form)) return at(form);
    const part = (is: 'delta' | 'dictionary'): Reading[] => {
      const found = workloads.find(({ part: of }) => of?.of === name && of.is === is);
      return found ? at('identity', variant, found.name) : [];
    };
    const cost = run.codingCosts?.find((each) => each.workload === name && each.coding === 'dcb');
    return cost ? emulated(part('delta'), part('dictionary'), cost.decodeMs, form) : [];
  };
  const hits = own.flatMap(({ name }) =>
    storedForms.flatMap((form) =>
      points.flatMap((point): Hit[] => {
        const of = readingsOf(name, form, point);
        const against = readingsOf(name, 'decoded', point);
        if (of.length === 0 || against.length === 0) return [];
        const side = form === 'recompressed' ? recompressed.name : variant;
        const today = seriesOf('dcb', name);
        const series = isEmulated(form)
          ? null
          : form === 'recompressed'
            ? { ...today, variant: side }
            : seriesOf(form === 'decoded' ? 'dcb' : form, name);
        return [{ workload: name, form, point, variant: side, series, today, of, against }];
      }),
    ),
  );
  return judged(hits, { margin: marginOf(run.plan), inconclusive: trust.inconclusive });
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
  form: EmulatedForm,
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
  variant: string | undefined;
  /** The series of the form; null for an emulated one. */
  series: Series | null;
  /** The series of today's form. */
  today: Series;
  of: Reading[];
  against: Reading[];
}

/** What is shown of a comparison with today's form. */
type Shown = Pick<WhatIf, 'differenceMs' | 'lowMs' | 'highMs' | 'verdict' | 'sentence'>;

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
): WhatIf[] {
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
    const { workload, form, point, variant, of } = hit;
    return {
      workload,
      storage: point.storage,
      requestedDelayMs: point.requestedDelayMs,
      measuredDelayMs: delayOf(point, { variant }),
      form,
      emulated: isEmulated(form),
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
  if (form === 'decoded' || series === null) return null;
  const gap = gapBetween(point, series, today);
  if (!gap) return null;
  const { ms, lowMs, highMs, verdict, sentence } = gap;
  return { differenceMs: ms, lowMs, highMs, verdict, sentence };
}

/** The what-ifs of one workload at one point, in the order of the forms of their table. */
export interface WhatIfRow {
  workload: string;
  /** `control`, `5 ms`. */
  point: string;
  /** undefined: the run has no data for the form here. */
  cells: (WhatIf | undefined)[];
}

/** What-ifs as a table with a column for each form that the run has; no rows with fewer than two forms. */
export function whatIfTable(all: readonly WhatIf[]): { forms: StoredForm[]; rows: WhatIfRow[] } {
  const forms = storedForms.filter((form) => all.some((each) => each.form === form));
  if (forms.length < 2) return { forms, rows: [] };
  const places = Map.groupBy(
    all,
    (each) => `${each.workload} ${each.storage} ${each.requestedDelayMs}`,
  );
  const rows = [...places.values()].flatMap((at): WhatIfRow[] => {
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
