import { unflagged } from '../run/flags.ts';
import { declared } from '../page/declared.ts';
import { differenceTable } from '../page/differences.ts';
import { openQuestion } from '../page/open-question.ts';
import { type SingleSeries, steadinessCharts } from '../page/steadiness.ts';
import type { Table } from '../page/table.ts';
import type { Page, Section, Term } from '../page/page.ts';
import { byteSize, count, counted, seconds } from '../quantity.ts';
import { microCacheLabels, microCacheNotes } from './cache.ts';
import { cacheLooks, microCharts } from './charts.ts';
import { microHistorySource } from './history.ts';
import { type PivotPart, pivotParts } from './pivot.ts';
import { microRowLabels, microRowNotes, microRows } from './row.ts';
import { type MicroRun, type MicroRunDocument, savedMicro } from './run.ts';
import { type MicroSlice, microCellKey } from './slice.ts';
import { figuresOf, type MicroSummary, summarizeMicro, verdictSentences } from './summary.ts';
import { crossoverTable, pivotTable, valueTable } from './tables.ts';

/** Micro-benchmarks of each cache alone. */
export const micro = declared(savedMicro, {
  summarize: ({ run, slices }) => summarizeMicro(run, slices),
  page,
});

function page({ run, slices }: MicroRunDocument, summary: MicroSummary): Page {
  const { plan, environment } = run;
  const tableOf = (part: PivotPart): Section => ({
    tables: [pivotTable(plan, part, summary.figures)],
  });
  const measured = pivotParts.filter((part) => figuresOf(summary, part).length > 0);
  return {
    title: 'Each cache alone: calls, misses, hits and searches',
    facts: [
      environment.chromium.version,
      `${seconds(plan.timeMs)} a row over ${plan.launches} launches`,
      plan.delaysMs.length === 0 ? 'no slow device' : plan.storage,
      `${counted(summary.counts.slices, 'slice')}, ${summary.counts.flagged} flagged`,
    ],
    finding: [...summary.finding, ...verdictSentences(summary.hitVerdicts)],
    charts: [
      ...microCharts(summary, plan.crossoverMargin),
      ...steadinessCharts(run, singleSeries(slices), {
        one: 'slice',
        group: 'launch',
        groups: 'launches',
      }),
    ],
    sections: [
      ...measured.slice(0, 1).map(tableOf),
      { title: 'Hits, disk against memory', tables: [hitDifferences(summary)] },
      ...measured.slice(1).map(tableOf),
      {
        title: 'Size from which the disk is slower than memory',
        tables: [crossoverTable(summary.crossovers)],
      },
      {
        title: 'All values: total, iterations, average and 95th percentile',
        tables: [valueTable(plan, summary.figures)],
        isDetail: true,
      },
    ],
    conditions: conditions(run),
    closing: openQuestion(
      run,
      summary.hitVerdicts.map(({ judged }) => judged.verdict),
      { launches: plan.launches },
    ),
    notes: measured.length > 0 ? ['Medians, ms; report.txt and report.html have intervals.'] : [],
  };
}

/** The time of one run in every slice: a series for each cache, over all rows and sizes. */
function singleSeries(slices: readonly MicroSlice[]): SingleSeries[] {
  return [...Map.groupBy(unflagged(slices), ({ cell }) => cell.cache)].map(([cache, own]) => ({
    label: microCacheLabels[cache],
    look: cacheLooks[cache],
    values: own
      .filter(({ runs }) => runs > 0)
      .map(({ cell, launch, takenAt, totalMs, runs }) => {
        return { cell: microCellKey(cell), launch, takenAt, value: totalMs / runs };
      }),
  }));
}

function hitDifferences({ hitVerdicts }: MicroSummary): Table {
  return differenceTable(
    'hit, disk − memory',
    hitVerdicts.map(({ bytes, judged }) => ({ name: byteSize(bytes), unit: 'ms', ...judged })),
  );
}

function conditions({ plan, quiets, fills }: MicroRun): Term[] {
  const longestMs = Math.max(0, ...quiets.map(({ waitedMs }) => waitedMs));
  return [
    ...plan.caches.map((cache): Term => [microCacheLabels[cache], microCacheNotes[cache]]),
    ...microRows.map((row): Term => [microRowLabels[row], microRowNotes[row]]),
    [
      'All cache I/O',
      `awaited ${quiets.length} times, ${seconds(longestMs)} at most: until the cache files and the slow device’s writes are unchanged for half a second, then sync; the index, which the browser writes 20 s after the last change or when it closes, is not awaited`,
    ],
    ...fills
      .filter(({ entries }) => entries >= 1000)
      .map(({ cache, backEnd, entries, tookMs }): Term => [
        `Populated, ${backEnd ?? cache}`,
        `${count(entries)} entries in ${seconds(tookMs)}`,
      ]),
    ['Published', microHistorySource],
    ['Seed', `${plan.seed}`],
  ];
}
