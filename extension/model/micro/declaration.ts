import { declared } from '../page/declared.ts';
import type { Page, Section, Term } from '../page/page.ts';
import { count, seconds } from '../quantity.ts';
import { microCacheLabels, microCacheNotes } from './cache.ts';
import { microCharts } from './charts.ts';
import { microHistorySource } from './history.ts';
import { pivotParts } from './pivot.ts';
import { microRowLabels, microRowNotes, microRows } from './row.ts';
import { type MicroRun, type MicroRunDocument, savedMicro } from './run.ts';
import { figuresOf, type MicroSummary, summarizeMicro, verdictSentences } from './summary.ts';
import { crossoverTable, pivotTable, valueTable } from './tables.ts';

/** Micro-benchmarks of each cache alone. */
export const micro = declared(savedMicro, {
  summarize: ({ run, slices }) => summarizeMicro(run, slices),
  page,
});

function page({ run }: MicroRunDocument, summary: MicroSummary): Page {
  const { plan, environment } = run;
  const measured = pivotParts.filter((part) => figuresOf(summary, part).length > 0);
  return {
    title: 'Each cache alone: calls, misses, hits and searches',
    facts: [
      environment.chromium.version,
      `${seconds(plan.timeMs)} a row over ${plan.launches} launches`,
      plan.delaysMs.length === 0 ? 'no slow device' : plan.storage,
    ],
    finding: [...summary.finding, ...verdictSentences(summary.hitVerdicts)],
    charts: microCharts(summary, plan.crossoverMargin),
    sections: [
      ...measured.map((part): Section => ({ tables: [pivotTable(plan, part, summary.figures)] })),
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
    notes: measured.length > 0 ? ['Medians, ms; report.txt and report.html have intervals.'] : [],
  };
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
