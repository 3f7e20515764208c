import type { Chart, LookName } from '../page/chart.ts';
import { declared } from '../page/declared.ts';
import { differenceTable } from '../page/differences.ts';
import { openQuestion } from '../page/open-question.ts';
import type { Table } from '../page/table.ts';
import type { PageVerdict } from './verdicts.ts';
import type { Page, Term } from '../page/page.ts';
import { type SingleSeries, steadinessCharts } from '../page/steadiness.ts';
import { byteSize, counted, milliseconds } from '../quantity.ts';
import {
  type PageArm,
  pageArmLabels,
  type PageCell,
  pageCellKey,
  pageCellName,
  type PageLoad,
  type PageState,
  pageStateLabels,
  usableLoads,
} from './load.ts';
import { type PageloadRun, type PageloadRunDocument, savedPageload } from './run.ts';
import { type PageStatistics, representativeLoads } from './statistics.ts';
import { type PageloadSummary, summarizePageload } from './summary.ts';
import { cellTable, resourceTable, sourceTable } from './tables.ts';
import { waterfallTable } from './waterfall-table.ts';

/** Loads of whole pages from caches in each state. */
export const pageload = declared(savedPageload, {
  summarize: ({ run, pageloads }) => summarizePageload(run, pageloads),
  page,
});

function page({ run, pageloads }: PageloadRunDocument, summary: PageloadSummary): Page {
  const { plan, environment, notes } = run;
  const { resources, source, bodies } = run.page;
  const { figures, verdicts, finding, counts } = summary;
  const bytes = resources.reduce((sum, { bodyBytes }) => sum + bodyBytes, 0);
  return {
    title: `Page loads: ${source}`,
    facts: [
      counted(resources.length, 'resource'),
      `${byteSize(bytes)} decoded, ${bodies} bodies`,
      `${counted(plan.passes, 'load')} of each kind`,
      environment.chromium.version,
      ...(plan.link ? [`over ${plan.link.name}`] : []),
      plan.delaysMs.length === 0 ? 'no slow device' : plan.storage,
      `${counts.loads - counts.used} of ${counted(counts.loads, 'load')} excluded`,
    ],
    finding,
    warnings: notes,
    charts: [
      ...timeCharts(figures.filter(({ loadMs }) => loadMs !== null)),
      ...steadinessCharts(run, singleSeries(pageloads), {
        one: 'load',
        group: 'pass',
        groups: 'passes',
      }),
    ],
    sections: [
      { title: 'Each kind of load', tables: [cellTable(figures), sourceTable(figures)] },
      { title: 'Differences', tables: [differencesAtMost(verdicts)] },
      {
        title: 'Verdicts, pair by pair',
        sentences: verdicts.map(({ outcome, sentence }) => `${outcome}: ${sentence}`),
        isDetail: true,
      },
      {
        title: 'Each resource',
        tables: [
          resourceTable(run.page, pageloads, representativeLoads(pageloads, figures)),
          waterfallTable(run.page, pageloads, figures),
        ],
        isDetail: true,
      },
    ],
    conditions: conditions(run),
    notes: [legend(run)],
    closing: openQuestion(
      run,
      verdicts.map(({ judged }) => judged.verdict),
      { launches: plan.passes },
    ),
  };
}

/** The differences at the largest read delay. */
function differencesAtMost(verdicts: readonly PageVerdict[]): Table {
  const delayMs = Math.max(0, ...verdicts.map(({ of }) => of.delayMs));
  const own = verdicts.filter(({ of }) => of.delayMs === delayMs);
  return differenceTable(
    `at ${milliseconds(delayMs)}`,
    own.map(({ of, against, judged }) => ({ name: pairName(of, against), unit: 'ms', ...judged })),
  );
}

/** `cold − empty`, `dcb − plain, cold`. */
function pairName(of: PageCell, against: PageCell): string {
  if (of.arm !== against.arm) return `dcb − plain, ${of.state}`;
  return `${of.state} − ${against.state}${of.arm === 'dictionary' ? ', dcb' : ''}`;
}

const stateNotes: Readonly<Record<PageState, string>> = {
  empty: 'nothing of the page in the cache',
  warm: 'a second load in the same browser',
  relaunched: 'after a restart of the browser',
  cold: 'after a restart of the browser, with the page cache dropped',
};

function legend({ plan }: PageloadRun): string {
  const notes = [
    ...plan.states.map((state) => `${state}: ${stateNotes[state]}`),
    ...(plan.arms.includes('dictionary')
      ? ['dcb: scripts and style sheets were delivered with their previous version as dictionary']
      : []),
    'sent: body bytes that the origin sent',
    ...(plan.delaysMs.length > 0
      ? ['read, reads: bytes read from the device, number of device reads']
      : ['requested: resources requested from the origin']),
  ];
  return `${notes.join('; ')}.`;
}

function conditions({ plan }: PageloadRun): Term[] {
  const wait = plan.serverDelayMs === 0 ? 'no wait' : milliseconds(plan.serverDelayMs);
  return [
    ['Empty cache', 'the first load in a fresh profile; the cache’s back end has started'],
    [
      'Warm',
      'the page again in the same browser, in a new tab, when the cache files no longer change',
    ],
    ['Relaunched', 'the browser was closed and started again'],
    ['Cold', 'the same, with the kernel’s page cache dropped just before the load'],
    [
      'With dictionaries',
      'scripts and style sheets were first stored as dcb (RFC 9842), with the previous version as dictionary',
    ],
    [
      'Origin',
      `all of the page’s hosts are one origin on this machine, by HTTP/1.1: six connections; ${wait} before each response`,
    ],
    [
      'Load time',
      'from the navigation to the load event; each load has a new tab, so the start of its renderer is included',
    ],
    ['Scripts', 'replay the recorded requests when they run, and run no other code'],
    ['Seed', `${plan.seed}`],
  ];
}

/** The look of each arm in every chart. */
const looks: Readonly<Record<PageArm, LookName>> = { plain: 'blue', dictionary: 'orange' };

/** Every load: a series for each arm, over all states and delays. */
function singleSeries(loads: readonly PageLoad[]): SingleSeries[] {
  return [...Map.groupBy(usableLoads(loads), ({ cell }) => cell.arm)].map(([arm, own]) => ({
    label: pageArmLabels[arm],
    look: looks[arm],
    values: own.flatMap(({ cell, pass: launch, takenAt, loadMs: value }) =>
      value === null ? [] : [{ cell: pageCellKey(cell), launch, takenAt, value }],
    ),
  }));
}

/** The dash pattern of each kind of load: the lines of one arm differ by it. */
const dashes: Readonly<Record<PageState, number>> = { empty: 2, warm: 3, relaunched: 1, cold: 0 };

/** Load times over the read delay, a line for each kind of load; at one delay, bars. */
function timeCharts(figures: readonly PageStatistics[]): Chart[] {
  if (figures.length === 0) return [];
  // The sweep's main chart has the same id: both take the full width.
  const id = 'read-time';
  const intervals = 'whiskers 95 % intervals where there are enough loads.';
  const time = { title: 'Time to the load event, ms', text: milliseconds };
  if (new Set(figures.map(({ cell }) => cell.delayMs)).size === 1) {
    const bars = figures.map(({ cell, loadMs: value, lowMs: low, highMs: high }) => ({
      label: pageStateLabels[cell.state],
      series: pageArmLabels[cell.arm],
      look: looks[cell.arm],
      value,
      low,
      high,
    }));
    const caption = `Bars are medians, ${intervals}`;
    return [
      { kind: 'bars', id, title: 'Load time by kind of load (ms)', caption, axis: time, bars },
    ];
  }
  const kinds = Map.groupBy(figures, ({ cell }) => pageCellName(cell));
  return [
    {
      kind: 'lines',
      id,
      title: 'Load time against read delay (ms)',
      caption: `Marks are medians, ${intervals}`,
      x: {
        title: 'Read delay of the device, ms',
        text: (ms) => `${milliseconds(ms)} of read delay`,
      },
      y: time,
      lines: [...kinds].flatMap(([label, own]) =>
        own.slice(0, 1).map(({ cell: { arm, state } }) => ({
          label,
          look: looks[arm],
          dash: dashes[state],
          points: own.map(({ cell, loadMs: y, lowMs: low, highMs: high }) => {
            return { x: cell.delayMs, y, low, high };
          }),
        })),
      ),
    },
  ];
}
