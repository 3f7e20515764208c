import { type PageArm, type PageCell, pageCellKey, type PageLoad, type PageState } from './load.ts';
import { differenceOf } from '../page/differences.ts';
import { loadTimesOf } from './statistics.ts';
import { judgedFamilies } from '../statistics/verdict.ts';
import { type Measure, verdictSentence } from '../statistics/verdict-sentence.ts';

/** A comparison of two cells that differ in one factor. */
export type PageVerdict = ReturnType<typeof pageVerdicts>[number];

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

/**
 * The verdicts for all pairs of cells that differ only in the state or only in the arm; those of one question, such as
 * cold against empty, are one family over delays and arms.
 */
export function pageVerdicts(
  loads: readonly PageLoad[],
  margin: number,
  inconclusive: string | null,
) {
  const cells = [...new Map(loads.map(({ cell }) => [pageCellKey(cell), cell])).values()];
  const readings = (cell: PageCell) =>
    loadTimesOf(loads.filter((load) => pageCellKey(load.cell) === pageCellKey(cell)));
  const pairs = pairsOf(cells).map((pair) => ({
    pair,
    question:
      pair.of.arm === pair.against.arm
        ? `${pair.of.state} against ${pair.against.state}`
        : `${pair.of.arm} against ${pair.against.arm}`,
    of: readings(pair.of),
    against: readings(pair.against),
  }));
  return judgedFamilies(pairs, { better: 'lower', margin, inconclusive }).map(
    ({ pair, comparison, verdict }) => {
      const said = verdictSentence(comparison, verdict, namesOf(pair), measure);
      const sentence = said.charAt(0).toUpperCase() + said.slice(1);
      const { outcome } = verdict;
      /** `differenceMs`: level of the first minus that of the second; null: unknown. */
      const judged = differenceOf({ comparison, verdict });
      return { ...pair, outcome, differenceMs: comparison.difference, sentence, judged };
    },
  );
}

interface Pair {
  of: PageCell;
  against: PageCell;
}

function pairsOf(cells: readonly PageCell[]): Pair[] {
  const places = Map.groupBy(cells, ({ storage, delayMs }) => `${storage} ${delayMs}`);
  return [...places.values()].flatMap((own) => [
    ...pairsBy('state', statePairs, 'arm', own),
    ...pairsBy('arm', [['dictionary', 'plain']], 'state', own),
  ]);
}

/** The pairs of cells with the two levels of a factor, each pair with the other factor in common. */
function pairsBy<Factor extends 'state' | 'arm'>(
  factor: Factor,
  levels: readonly (readonly [PageCell[Factor], PageCell[Factor]])[],
  other: 'state' | 'arm',
  cells: readonly PageCell[],
): Pair[] {
  return [...Map.groupBy(cells, (cell) => cell[other]).values()].flatMap((own) =>
    levels.flatMap((pair) => {
      const [of, against] = pair.map((level) => own.find((cell) => cell[factor] === level));
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
