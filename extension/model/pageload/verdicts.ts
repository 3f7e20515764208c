import { type PageArm, type PageCell, pageCellKey, type PageLoad, type PageState } from './load.ts';
import { loadTimesOf } from './statistics.ts';
import { createRandom } from '../statistics/random.ts';
import { compare } from '../statistics/comparison.ts';
import { judge, type Verdict } from '../statistics/verdict.ts';
import { type Measure, verdictSentence } from '../statistics/verdict-sentence.ts';

/** A comparison of two cells that differ in one factor. */
export interface PageVerdict {
  of: PageCell;
  against: PageCell;
  outcome: Verdict['outcome'];
  /** median(of) - median(against), ms; null: unknown. */
  differenceMs: number | null;
  /** One English sentence. */
  sentence: string;
}

/** The pairs of states to compare: each with the one before it, and cold with empty. */
const statePairs: readonly (readonly [PageState, PageState])[] = [
  ['warm', 'empty'],
  ['relaunched', 'warm'],
  ['cold', 'relaunched'],
  ['cold', 'empty'],
];

const measure: Measure = { unit: 'ms', greater: 'slower', lesser: 'faster', samples: 'loads' };

const stateNames: Readonly<Record<PageState, string>> = {
  empty: 'a load of an empty cache',
  warm: 'a second load',
  relaunched: 'a load after a relaunch',
  cold: 'a cold load',
};

const armNames: Readonly<Record<PageArm, string>> = {
  plain: 'as usual',
  dictionary: 'with dictionaries',
};

/** The verdicts for all pairs of cells that differ only in the state or only in the arm, judged together. */
export function pageVerdicts(loads: readonly PageLoad[], margin: number): PageVerdict[] {
  const cells = [...new Map(loads.map(({ cell }) => [pageCellKey(cell), cell])).values()];
  const readings = (cell: PageCell) =>
    loadTimesOf(loads.filter((load) => pageCellKey(load.cell) === pageCellKey(cell)));
  const pairs = pairsOf(cells);
  const comparisons = pairs.map(({ of, against }) =>
    compare(readings(of), readings(against), { random: createRandom(1) }),
  );
  const verdicts = judge(comparisons, { better: 'lower', margin });
  return pairs.flatMap((pair, index) => {
    const [comparison, verdict] = [comparisons[index], verdicts[index]];
    if (!comparison || !verdict) return [];
    const said = verdictSentence(comparison, verdict, namesOf(pair), measure);
    const sentence = said.charAt(0).toUpperCase() + said.slice(1);
    const { outcome } = verdict;
    return [{ ...pair, outcome, differenceMs: comparison.difference, sentence }];
  });
}

type Pair = Pick<PageVerdict, 'of' | 'against'>;

function pairsOf(cells: readonly PageCell[]): Pair[] {
  const places = Map.groupBy(cells, ({ storage, delayMs }) => `${storage} ${delayMs}`);
  return [...places.values()].flatMap((own) => [
    ...pairsOfOne(
      'state',
      statePairs,
      Map.groupBy(own, ({ arm }) => arm),
    ),
    ...pairsOfOne(
      'arm',
      [['dictionary', 'plain']],
      Map.groupBy(own, ({ state }) => state),
    ),
  ]);
}

/** The pairs of levels of one factor, within each group of cells that have all else in common. */
function pairsOfOne<Factor extends 'state' | 'arm'>(
  factor: Factor,
  levels: readonly (readonly [PageCell[Factor], PageCell[Factor]])[],
  groups: ReadonlyMap<unknown, PageCell[]>,
): Pair[] {
  return [...groups.values()].flatMap((cells) =>
    levels.flatMap((pair) => {
      const [of, against] = pair.map((level) => cells.find((cell) => cell[factor] === level));
      return of && against ? [{ of, against }] : [];
    }),
  );
}

/** Names that say what differs, and that give the common conditions once. */
function namesOf({ of, against }: Pair): { of: string; against: string } {
  const where = of.storage === 'none' ? '' : ` at ${of.delayMs} ms of read delay`;
  if (of.arm === against.arm) {
    const how = of.arm === 'plain' ? '' : ` (${armNames[of.arm]})`;
    return { of: `${stateNames[of.state]}${how}${where}`, against: stateNames[against.state] };
  }
  return {
    of: `${stateNames[of.state]}${where}, delivered ${armNames[of.arm]},`,
    against: `one delivered ${armNames[against.arm]}`,
  };
}
