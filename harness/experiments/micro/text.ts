import { foldedWarnings } from '@cachescope/model/run/folded-warnings.ts';
import {
  type MicroCache,
  microCacheLabels,
  microCacheNotes,
} from '@cachescope/model/micro/cache.ts';
import type { MicroStatistics } from '@cachescope/model/micro/statistics.ts';
import { conditionLabel, loadLabel, rowLabel } from '@cachescope/model/micro/label.ts';
import {
  microHistorySource,
  type PublishedValue,
  publishedValue,
  publishedList,
  publishedTable,
} from '@cachescope/model/micro/history.ts';
import { microRowNotes } from '@cachescope/model/micro/row.ts';
import type { MicroRun } from '@cachescope/model/micro/run.ts';
import type { MicroPart } from '@cachescope/model/micro/slice.ts';
import { figuresOf, type MicroSummary, verdictSentences } from '@cachescope/model/micro/summary.ts';
import { byteSize, digits, seconds, unknownText } from '@cachescope/model/quantity.ts';
import { clock } from '../../lab/progress.ts';
import { bytesText } from '../../results/figures.ts';
import { medianText, microTable } from './text-table.ts';
import { plainTable } from '../../results/plain-table.ts';
import { wrap } from '../../results/wrap.ts';

const columns = 80;
/** Minimum number of entries for which populating is reported. */
const fewestReported = 10_000;

function titled(title: string, summary: MicroSummary, part: MicroPart, body: string): string[] {
  return figuresOf(summary, part).length === 0 ? [] : [wrap(title, columns), '', body, ''];
}

/** The text on stdout at the end: the tables and the finding, for 80 columns. */
export function microFinishText(run: MicroRun, summary: MicroSummary): string {
  const { plan } = run;
  const list = `The list, ms a resource, median: ${plan.listLength} resources loaded first, again in the same browser, in a relaunched one, and cold (relaunched with the page cache dropped):`;
  return [
    `Cache micro-benchmarks, ${run.environment.chromium.version}`,
    '',
    ...titled(
      `The table: ms a run, median; intervals are in the report:`,
      summary,
      'table',
      microTable('table', summary),
    ),
    ...titled(list, summary, 'list', microTable('list', summary)),
    ...titled(
      'The search for one key, ms, median, by entries in the cache; first: the first of a launch, with the page cache dropped; no index: the same, without the index file:',
      summary,
      'search',
      microTable('search', summary),
    ),
    ...summary.finding.map((sentence) => wrap(sentence, columns)),
    ...verdictSentences(summary.hitVerdicts).map((sentence) => wrap(sentence, columns)),
    '',
  ].join('\n');
}

/** The lines on stderr about slices, populating and time. */
export function microLines(run: MicroRun, summary: MicroSummary): string[] {
  const { slices, flagged, launches } = summary.counts;
  const lines = [
    `${slices} slices in ${launches} ${launches === 1 ? 'launch' : 'launches'}; ${flagged === 0 ? 'none flagged' : `${flagged} flagged and excluded`}.`,
  ];
  const fills = run.fills.filter(({ entries }) => entries >= fewestReported);
  for (const { entries, tookMs, cache, backEnd } of fills) {
    const took = `took ${seconds(tookMs)}`;
    lines.push(`Storing ${bytesText(entries)} entries (${backEnd ?? cache}) ${took}.`);
  }
  if (run.timeSpent) {
    const { totalMs, measuringMs } = run.timeSpent;
    const share = ((100 * measuringMs) / totalMs).toFixed(0);
    lines.push(`Took ${clock(totalMs / 1000)}, of which ${share} % inside timed runs.`);
  }
  return lines;
}

function range({ lowMs, highMs }: MicroStatistics): string {
  return lowMs === null || highMs === null ? unknownText : `${digits(lowMs)}..${digits(highMs)}`;
}

const head = ['Total ms', '#runs', 'avg ms', 'median', '95 % interval', 'p95', 'launches'];

function values(figure: MicroStatistics): string[] {
  return [
    figure.runs === 0 ? unknownText : figure.totalMs.toFixed(0),
    bytesText(figure.runs),
    digits(figure.averageMs),
    medianText(figure),
    range(figure),
    digits(figure.p95Ms),
    `${figure.launches}`,
  ];
}

const publishedHead = ['published: total ms', '#runs', 'avg ms'];

/** The published values of comparable runs; there are none for relaunches and slow devices. */
function publishedValues({ cell }: MicroStatistics, old: PublishedValue | undefined): string[] {
  if (!old || cell.state !== 'running' || cell.storage !== 'none')
    return publishedHead.map(() => unknownText);
  return [`${old.totalMs}`, `${old.runs}`, old.averageMs.toFixed(2)];
}

/**
 * A part in the layout of the published benchmarks, one block per size, with the published values beside the measured
 * ones.
 */
function documentTable(
  figures: readonly MicroStatistics[],
  published: readonly PublishedValue[],
  nameOf: (figure: MicroStatistics) => string,
): string {
  const blocks = [...Map.groupBy(figures, ({ cell }) => cell.bytes)].map(([bytes, own]) => {
    const rows = own.map((figure) => {
      const old = publishedValue(published, { ...figure.cell, row: figure.cell.row as never });
      return [nameOf(figure), ...values(figure), ...publishedValues(figure, old)];
    });
    return `=== Set datasize ${bytes} bytes\n${plainTable(['', ...head, ...publishedHead], 1, rows)}`;
  });
  return `${blocks.join('\n\n')}\n`;
}

function nameOf({ cell }: MicroStatistics): string {
  return `${rowLabel(cell)} (${microCacheLabels[cell.cache]})`;
}

const crossoverHead = [
  'Size',
  'disk ms',
  'memory ms',
  'disk slower by, %',
  '95 % interval',
  'outcome',
];

function crossoverTable(summary: MicroSummary): string {
  const blocks = summary.crossovers.map((crossover) => {
    const rows = crossover.sizes.map((size) => {
      const { relative, relativeInterval: interval } = size;
      const share = (value: number | null) => digits(value === null ? null : 100 * value);
      return [
        byteSize(size.bytes),
        digits(size.diskMs),
        digits(size.memoryMs),
        share(relative),
        interval ? `${share(interval.low)}..${share(interval.high)}` : unknownText,
        size.outcome,
      ];
    });
    return `=== ${conditionLabel(crossover)}\n${plainTable(crossoverHead, 1, rows)}`;
  });
  return `${blocks.join('\n\n')}\n`;
}

function cacheIoText(run: MicroRun): string {
  const longest = Math.max(0, ...run.quiets.map(({ waitedMs }) => waitedMs));
  return [
    'Between the two loads of a list, and after populating, all cache I/O is awaited: number, bytes and times of the',
    "cache files, and the slow device's write count, are unchanged for half a second; then sync; then the entries are",
    'counted. The index of the cache is not awaited: the browser writes it 20 s after the last change or when',
    `it closes. ${run.quiets.length} waits, the longest ${seconds(longest)}.`,
    '',
  ].join('\n');
}

function section(title: string, body: string): string {
  return `${title}\n${'-'.repeat(title.length)}\n${body}`;
}

/** The whole report, in the layout of Mozilla's published micro-benchmarks. */
export function microTextReport(run: MicroRun, summary: MicroSummary): string {
  const { environment, plan } = run;
  const caches: MicroCache[] = plan.caches;
  const rows = Object.keys(microRowNotes) as (keyof typeof microRowNotes)[];
  const conditions = [
    `Chromium ${environment.chromium.version}`,
    `Flags    ${environment.chromium.flags.join(' ')}`,
    `Machine  ${environment.cpu}, ${environment.cores} cores, ${environment.os}, ${environment.kernel}`,
    `Storage  ${environment.storage}`,
    `Set time ${seconds(plan.timeMs)} a row over ${plan.launches} launches; seed ${plan.seed}`,
    `Status   ${run.status}${run.statusReason ? ` (${run.statusReason})` : ''}`,
    '',
  ].join('\n');
  const table = documentTable(figuresOf(summary, 'table'), publishedTable, nameOf);
  const list = documentTable(
    figuresOf(summary, 'list'),
    publishedList,
    (figure) => `${nameOf(figure)}, ${loadLabel(figure.cell)}`,
  );
  const notes = [
    ...caches.map((cache) => `${microCacheLabels[cache]}: ${microCacheNotes[cache]}`),
    ...rows.map((row) => `${rowLabel({ row })}: ${microRowNotes[row]}`),
    '',
  ].join('\n');
  const verdicts = summary.hitVerdicts.map(({ sentence }) => sentence);
  return [
    section('FINDING', `${[...summary.finding, ...verdicts].join('\n')}\n`),
    section('ONE RESOURCE AGAIN AND AGAIN', table),
    section(`LIST OF ${plan.listLength} RESOURCES`, list),
    section('SEARCH', `${microTable('search', summary)}\n`),
    section('SIZE FROM WHICH THE DISK IS SLOWER THAN MEMORY', crossoverTable(summary)),
    section('HOW ALL CACHE I/O IS AWAITED', cacheIoText(run)),
    section('CACHES AND ROWS', notes),
    section('PUBLISHED FIGURES', `${microHistorySource}.\n`),
    section('CONDITIONS', conditions),
    ...(run.warnings.length > 0
      ? [section('WARNINGS', `${foldedWarnings(run.warnings).join('\n')}\n`)]
      : []),
  ].join('\n');
}
