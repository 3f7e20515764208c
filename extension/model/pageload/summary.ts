import { byPageCell, type PageFigure, pageFigure } from './figure.ts';
import { pageFinding } from './finding.ts';
import {
  type PageCell,
  type PageFlag,
  pageFlagNotes,
  pageArms,
  type PageLoad,
  pageStates,
  soundLoads,
} from './load.ts';
import type { PageloadRun } from './run.ts';
import { type PageVerdict, pageVerdicts } from './verdicts.ts';

/** Everything that follows from page loads; derived from run.json and pageloads.ndjson alone. */
export interface PageloadSummary {
  figures: PageFigure[];
  verdicts: PageVerdict[];
  /** In short sentences, the answer first. Never empty. */
  finding: string[];
  counts: {
    loads: number;
    used: number;
    launches: number;
    /** Loads by what was wrong with them. */
    flagged: Partial<Record<PageFlag, number>>;
  };
}

/** Summarizes page loads. Pure: it can be made again at any time. */
export function summarizePageload(run: PageloadRun, loads: readonly PageLoad[]): PageloadSummary {
  const figures = byPageCell(loads)
    .flatMap((own) => pageFigure(own) ?? [])
    .toSorted((one, other) => compareCells(one.cell, other.cell));
  const verdicts = pageVerdicts(loads, run.plan.margin);
  return {
    figures,
    verdicts,
    finding: pageFinding(run, figures, verdicts),
    counts: {
      loads: loads.length,
      used: soundLoads(loads).length,
      launches: new Set(loads.map(({ launch }) => launch)).size,
      flagged: countFlags(loads),
    },
  };
}

/** The order in which everything is shown. */
function compareCells(one: PageCell, other: PageCell): number {
  return (
    one.delayMs - other.delayMs ||
    pageArms.indexOf(one.arm) - pageArms.indexOf(other.arm) ||
    pageStates.indexOf(one.state) - pageStates.indexOf(other.state)
  );
}

/** Why loads were left out, with how many: `somebody else dropped the page cache (4)`; empty when none was. */
export function leftOutText(loads: readonly Pick<PageLoad, 'flags'>[]): string {
  const counts = Object.entries(countFlags(loads)) as [PageFlag, number][];
  return counts.map(([flag, count]) => `${pageFlagNotes[flag]} (${count})`).join(', ');
}

function countFlags(loads: readonly Pick<PageLoad, 'flags'>[]): Partial<Record<PageFlag, number>> {
  const groups = Map.groupBy(
    loads.flatMap(({ flags }) => flags),
    (flag) => flag,
  );
  return Object.fromEntries([...groups].map(([flag, own]) => [flag, own.length]));
}
