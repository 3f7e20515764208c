import { inUnit, percent, type Unit, unknownText } from '../quantity.ts';
import { defaultConfidence, type Interval } from '../statistics/interval.ts';
import type { Judged, Verdict } from '../statistics/verdict.ts';
import { type Column, type Table, tableOf } from './table.ts';

/** A judged comparison as a line of a table. */
export interface Difference {
  /** `DCB − Brotli`. */
  name: string;
  /** Levels of the baseline and of the other, where the table shows them in place of the difference; null: unknown. */
  levels?: readonly [against: number | null, of: number | null];
  /** In `unit`; null: unknown. */
  difference: number | null;
  unit?: Unit;
  /** The same as a share of the baseline's level, with its interval; null: unknown. */
  relative: number | null;
  relativeInterval: Interval | null;
  /** Confidence of the interval; absent: 0.95. */
  confidence?: number;
  verdict: Pick<Verdict, 'outcome' | 'direction'>;
  /** What the first is when it is greater, and lesser; absent: slower, faster. */
  words?: readonly [greater: string, lesser: string];
}

/** What a table of differences needs of a judged comparison. */
export type JudgedDifference = Pick<
  Difference,
  'difference' | 'relative' | 'relativeInterval' | 'confidence'
> & {
  verdict: Verdict;
};

/** The same, of a comparison and its verdict. */
export function differenceOf({
  comparison: { difference, relative, relativeInterval, confidence },
  verdict,
}: Pick<Judged<object>, 'comparison' | 'verdict'>): JudgedDifference {
  return { difference, relative, relativeInterval, confidence, verdict };
}

/**
 * Differences, a line each, with interval and verdict. `place`: where they hold, such as `at 10 ms`, or what is compared.
 * `sides`: titles of the levels.
 */
export function differenceTable(
  place: string,
  differences: readonly Difference[],
  sides: readonly string[] = [],
): Table {
  return tableOf<Difference>({
    columns: [
      { key: 'pair', title: place, value: ({ name }) => name, kind: 'name' },
      ...sides.map((title, at): Column<Difference> => ({
        key: title,
        value: ({ levels }) => levels?.[at],
        unit: ({ unit = '' }) => unit,
      })),
      {
        key: 'difference',
        value: ({ difference, levels }) => (levels ? undefined : difference),
        text: ({ difference, unit }) => signed(difference, (value) => inUnit(value, unit)),
      },
      {
        key: 'relative',
        title: 'change',
        value: ({ relative }) => relative,
        text: ({ relative }) => signed(relative, percent),
      },
      {
        key: 'interval',
        title: ({ confidence = defaultConfidence }) => `${percent(confidence)} interval`,
        value: ({ relativeInterval }) => relativeInterval?.low ?? null,
        text: ({ relativeInterval }) => signedRange(relativeInterval),
      },
      { key: 'verdict', title: 'verdict', value: verdictWord, kind: 'word' },
    ],
    rows: differences,
    group: (_, form) => ({ title: form === 'html' ? `Differences, ${place}` : '' }),
    in: ['html', 'text'],
  });
}

function signed(value: number | null, text: (value: number) => string): string {
  if (value === null) return unknownText;
  return value > 0 ? `+${text(value)}` : text(value);
}

/** `-7 … +4 %`: a range of shares with its signs. */
export function signedRange(range: Interval | null): string {
  if (range === null) return unknownText;
  const [low, high] = [range.low, range.high].map((end) => signed(end, percent));
  return `${low?.replace(' %', '')} … ${high}`;
}

/** `SLOWER`, `SAME`, `UNKNOWN`. */
function verdictWord({ verdict, words = ['slower', 'faster'] }: Difference): string {
  if (verdict.direction === null) return verdict.outcome;
  return words[verdict.direction === 'greater' ? 0 : 1].toUpperCase();
}
