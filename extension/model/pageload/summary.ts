import { byCell } from '../run/cell.ts';
import { countFlags } from '../run/flags.ts';
import { pageStatistics } from './statistics.ts';
import { pageFinding } from './finding.ts';
import {
  type PageCell,
  pageCellKey,
  type PageFlag,
  pageFlagNotes,
  pageArms,
  type PageLoad,
  pageStates,
  usableLoads,
} from './load.ts';
import type { PageloadRun } from './run.ts';
import { tallyOf } from '../run/tally.ts';
import { trustedFinding, trustOf } from '../run/trust.ts';
import { pageVerdicts } from './verdicts.ts';

/** Summary of page loads; derived only from run.json and pageloads.ndjson. */
export type PageloadSummary = ReturnType<typeof summarizePageload>;

/** Summarizes page loads. Pure: the same input gives the same summary. */
export function summarizePageload(run: PageloadRun, loads: readonly PageLoad[]) {
  const figures = byCell(loads, pageCellKey)
    .flatMap((own) => pageStatistics(own) ?? [])
    .toSorted((one, other) => compareCells(one.cell, other.cell));
  const trust = trustOf(run, tallyOf(loads, tallied));
  const verdicts = pageVerdicts(loads, run.plan.margin, trust.inconclusive);
  return {
    trust,
    figures,
    verdicts,
    /** Short sentences, the answer first. Never empty. */
    finding: trustedFinding(trust, pageFinding(run, figures, verdicts)),
    counts: {
      loads: loads.length,
      used: usableLoads(loads).length,
      launches: new Set(loads.map(({ launch }) => launch)).size,
      /** Number of loads with each flag. */
      flagged: countFlags(loads),
    },
  };
}

function tallied({ cell, launch, loadMs: value, flags }: PageLoad) {
  return { cell: pageCellKey(cell), launch, value, isFlagged: flags.length > 0 };
}

/** The display order. */
function compareCells(one: PageCell, other: PageCell): number {
  return (
    one.delayMs - other.delayMs ||
    pageArms.indexOf(one.arm) - pageArms.indexOf(other.arm) ||
    pageStates.indexOf(one.state) - pageStates.indexOf(other.state)
  );
}

/** Why loads were excluded, with counts: `another program dropped the page cache (4)`; empty when none was. */
export function leftOutText(loads: readonly Pick<PageLoad, 'flags'>[]): string {
  const counts = Object.entries(countFlags(loads)) as [PageFlag, number][];
  return counts.map(([flag, count]) => `${pageFlagNotes[flag]} (${count})`).join(', ');
}
