import { byCell } from '../run/cell.ts';
import { unflagged } from '../run/flags.ts';
import { type MicroStatistics, microStatistics, readingsOf } from './statistics.ts';
import { type Crossover, crossovers } from './crossover.ts';
import { microFinding } from './finding.ts';
import type { MicroRun } from './run.ts';
import { microRows } from './row.ts';
import {
  type MicroCell,
  microCellKey,
  type MicroPart,
  microParts,
  type MicroSlice,
  microStates,
} from './slice.ts';
import { microCaches } from './cache.ts';
import { capital } from './label.ts';
import { differenceOf, type JudgedDifference } from '../page/differences.ts';
import { byteSize } from '../quantity.ts';
import { tallyOf } from '../run/tally.ts';
import { type Trust, trustedFinding, trustOf } from '../run/trust.ts';
import { fewestLaunches } from '../statistics/launch-level.ts';
import { judgedFamily, type Verdict } from '../statistics/verdict.ts';
import { readTimes, verdictSentence } from '../statistics/verdict-sentence.ts';
import { diskCacheBackEnds } from '../run/variant.ts';

/** Comparison of hits from disk with hits from memory, of one size, in the same launches. */
export interface HitVerdict {
  bytes: number;
  outcome: Verdict['outcome'];
  reason: Verdict['reason'];
  /** One English sentence. */
  sentence: string;
  judged: JudgedDifference;
}

/** Summary of the micro-benchmarks; derived only from run.json and slices.ndjson. */
export interface MicroSummary {
  trust: Trust;
  figures: MicroStatistics[];
  hitVerdicts: HitVerdict[];
  crossovers: Crossover[];
  /** Short sentences, the answer first. Never empty. */
  finding: string[];
  counts: { slices: number; flagged: number; launches: number };
}

/** The statistics of one part, in display order. */
export function figuresOf(
  summary: Pick<MicroSummary, 'figures'>,
  part: MicroPart,
): MicroStatistics[] {
  return summary.figures.filter(({ cell }) => cell.part === part);
}

/** Summarizes the micro-benchmarks. */
export function summarizeMicro(run: MicroRun, slices: readonly MicroSlice[]): MicroSummary {
  const figures = byCell(slices, microCellKey)
    .flatMap((own) => microStatistics(own) ?? [])
    .toSorted((one, other) => compareCells(one.cell, other.cell));
  const { crossoverMargin: margin, launches: launchesPerRound } = run.plan;
  const found = crossovers(slices, { margin, launchesPerRound });
  const trust = trustOf(run, tallyOf(slices, tallied));
  const measured = { figures, crossovers: found, margin };
  return {
    trust,
    figures,
    hitVerdicts: hitVerdicts(slices, trust),
    crossovers: trust.grade === 'poor' ? [] : found,
    finding: trustedFinding(trust, microFinding(measured)),
    counts: {
      slices: slices.length,
      flagged: slices.length - unflagged(slices).length,
      launches: new Set(slices.map(({ launch }) => launch)).size,
    },
  };
}

function tallied({ cell, launch, totalMs, runs, flags }: MicroSlice) {
  const value = runs > 0 ? totalMs / runs : null;
  return { cell: microCellKey(cell), launch, value, isFlagged: flags.length > 0 };
}

/** Display order: the order of the plan, not the random order of measurement. */
const orders = [
  ({ part }: MicroCell) => microParts.indexOf(part),
  ({ bytes }: MicroCell) => bytes,
  ({ cache }: MicroCell) => microCaches.indexOf(cache),
  ({ backEnd }: MicroCell) => (backEnd ? diskCacheBackEnds.indexOf(backEnd) : -1),
  ({ delayMs }: MicroCell) => delayMs,
  ({ state }: MicroCell) => microStates.indexOf(state),
  ({ row }: MicroCell) => microRows.findIndex((known) => known === row),
  ({ entries = 0 }: MicroCell) => entries,
];

function compareCells(one: MicroCell, other: MicroCell): number {
  const order = orders.find((of) => of(one) !== of(other));
  return order ? order(one) - order(other) : 0;
}

/** The table's hits, disk against memory, judged together. */
function hitVerdicts(slices: readonly MicroSlice[], { inconclusive }: Trust): HitVerdict[] {
  const hits = unflagged(slices).filter(({ cell }) => cell.part === 'table' && cell.row === 'hit');
  const sizes = [...Map.groupBy(hits, ({ cell }) => cell.bytes)].flatMap(([bytes, own]) => {
    const [disk, memory] = ['disk', 'memory'].map((cache) =>
      readingsOf(own.filter(({ cell }) => cell.cache === cache)),
    );
    return disk?.length && memory?.length ? [{ bytes, of: disk, against: memory }] : [];
  });
  const rising = sizes.toSorted((one, other) => one.bytes - other.bytes);
  return judgedFamily(rising, { better: 'lower', inconclusive }).map(
    ({ bytes, comparison, verdict }) => {
      const names = { of: `a hit of ${byteSize(bytes)} on disk`, against: `one in memory` };
      const sentence = capital(verdictSentence(comparison, verdict, names, readTimes));
      const judged = differenceOf({ comparison, verdict });
      return { bytes, outcome: verdict.outcome, reason: verdict.reason, sentence, judged };
    },
  );
}

const reasonWords: Readonly<Record<NonNullable<Verdict['reason']>, string>> = {
  'no usable readings': 'there are no usable iterations',
  'too few launches': `that needs at least ${fewestLaunches} launches`,
  'baseline is 0': 'the median in memory is 0 ms',
  'interval too wide': 'the intervals include 0',
  inconclusive: 'the run permits no verdict',
};

/** The verdicts as sentences: one for each known verdict, and one for all that are unknown for the same reason. */
export function verdictSentences(verdicts: readonly HitVerdict[]): string[] {
  const known = verdicts.filter(({ outcome }) => outcome !== 'UNKNOWN');
  const unknown = Map.groupBy(verdicts, ({ reason }) => reason);
  return [
    ...known.map(({ sentence }) => sentence),
    ...[...unknown].flatMap(([reason, own]) => {
      if (reason === null) return [];
      const sizes = new Intl.ListFormat('en').format(own.map(({ bytes }) => byteSize(bytes)));
      return [
        `Whether hits of ${sizes} are slower on disk than in memory is unknown: ${reasonWords[reason]}.`,
      ];
    }),
  ];
}
