import type { VariantPair } from '../features/variant-pair.ts';
import type { Trust } from '../run/trust.ts';
import type { StoringReading } from '../storing/run.ts';
import {
  type StoringRow,
  storingRows,
  storingSentences,
  trustOfReadings,
} from '../storing/summary.ts';
import type { JudgeRun } from './run.ts';

/**
 * `COSTS MORE`, `COSTS LESS`: a measure is worse, or better, and none the other way. `MORE AND LESS`: both. `SAME COST`:
 * neither was shown. `NO VERDICT`: the run or the pair permits none.
 */
type CostVerdict = 'COSTS MORE' | 'COSTS LESS' | 'MORE AND LESS' | 'SAME COST' | 'NO VERDICT';

/** What the candidate costs and brings. */
export interface JudgedCost {
  verdict: CostVerdict;
  /** Why there is no verdict, as a clause; null: there is one. */
  withheld: string | null;
  trust: Trust;
  /** Every measure of every cell. */
  rows: StoringRow[];
  /** Sentences, those with a shown difference first. */
  finding: string[];
}

/** Judges the readings of the cost part; null: it is not in the plan. */
export function costOf(
  run: JudgeRun,
  readings: readonly StoringReading[],
  pair: VariantPair,
): JudgedCost | null {
  if (!run.plan.cost) return null;
  const trust = trustOfReadings(run, readings);
  const rows = storingRows(readings, [pair], trust);
  const withheld =
    rows.length === 0 ? 'nothing was measured' : (pair.inconclusive ?? trust.inconclusive);
  return {
    verdict: withheld === null ? verdictOf(rows) : 'NO VERDICT',
    withheld,
    trust,
    rows,
    finding: withheld === null ? storingSentences(rows, `${pair.of}`, `${pair.against}`) : [],
  };
}

function verdictOf(rows: readonly StoringRow[]): CostVerdict {
  const has = (better: StoringRow['better']) => rows.some((row) => row.better === better);
  if (has('of') && has('against')) return 'MORE AND LESS';
  if (has('against')) return 'COSTS MORE';
  return has('of') ? 'COSTS LESS' : 'SAME COST';
}

/** `COSTS MORE: slow is worse in 3 and better in 0 of 24 comparisons.` */
export function costHeadline({ verdict, withheld, rows }: JudgedCost, of: string): string {
  if (withheld !== null) return `${verdict} on the cost: ${withheld}.`;
  const count = (better: StoringRow['better']) =>
    rows.filter((row) => row.better === better).length;
  return `${verdict}: ${of} is worse in ${count('against')} and better in ${count('of')} of ${rows.length} comparisons.`;
}
