import { foldedWarnings } from '@cachescope/model/run/folded-warnings.ts';
import { microCacheLabels, microCacheNotes } from '@cachescope/model/micro/cache.ts';
import type { MicroStatistics } from '@cachescope/model/micro/statistics.ts';
import { conditionLabel, loadLabel, rowLabel } from '@cachescope/model/micro/label.ts';
import { microHistorySource, publishedValue } from '@cachescope/model/micro/history.ts';
import {
  microPivot,
  microPivots,
  type PivotPart,
  pivotParts,
} from '@cachescope/model/micro/pivot.ts';
import { microRowNotes, microRows } from '@cachescope/model/micro/row.ts';
import type { MicroRun } from '@cachescope/model/micro/run.ts';
import { figuresOf, type MicroSummary, verdictSentences } from '@cachescope/model/micro/summary.ts';
import {
  byteSize,
  count,
  digits,
  percent,
  seconds,
  unknownText,
} from '@cachescope/model/quantity.ts';
import { took } from '../../lab/progress.ts';
import { plainTable } from '../../results/plain-table.ts';
import { wrap } from '../../results/wrap.ts';

const columns = 80;
/** Minimum number of entries for which populating is reported. */
const fewestReported = 10_000;

/** The text on stdout at the end: the tables and the finding, for 80 columns. */
export function microFinishText(run: MicroRun, summary: MicroSummary): string {
  const measured = pivotParts.filter((part) => figuresOf(summary, part).length > 0);
  const sentences = [...summary.finding, ...verdictSentences(summary.hitVerdicts)];
  return [
    `Cache micro-benchmarks, ${run.environment.chromium.version}`,
    '',
    ...measured.flatMap((part) => {
      const { title, caption } = microPivots[part];
      const heading = `${title(run.plan)}. ${caption} Medians, ms; intervals are in the report:`;
      return [wrap(heading, columns), '', microTable(part, summary), ''];
    }),
    ...sentences.map((sentence) => wrap(sentence, columns)),
    '',
  ].join('\n');
}

/** A median for a table; a value below the clock's resolution is shown as an upper bound. */
function medianText(figure: MicroStatistics | undefined): string {
  if (!figure || figure.medianMs === null) return unknownText;
  return figure.belowResolution ? `<${digits(2 * figure.resolutionMs)}` : digits(figure.medianMs);
}

/**
 * The medians of one part, ms: by cache and row, over sizes or numbers of entries. Fits 80 columns with five levels.
 */
function microTable(part: PivotPart, summary: MicroSummary): string {
  const { head, levels, rows } = microPivot(part, summary.figures);
  const cells = rows.map(({ names, figures }) => [...names, ...figures.map(medianText)]);
  return plainTable([...head, ...levels], head.length, cells, 1);
}

/** The lines on stderr about slices, populating and time. */
export function microLines(run: MicroRun, { counts }: MicroSummary): string[] {
  const { slices, flagged, launches } = counts;
  const excluded = flagged === 0 ? 'none flagged' : `${flagged} flagged and excluded`;
  const lines = [
    `${slices} slices in ${launches} ${launches === 1 ? 'launch' : 'launches'}; ${excluded}.`,
  ];
  for (const { entries, tookMs, cache, backEnd } of run.fills)
    if (entries >= fewestReported)
      lines.push(
        `Storing ${count(entries)} entries (${backEnd ?? cache}) took ${seconds(tookMs)}.`,
      );
  if (run.timeSpent) {
    const { totalMs, measuringMs } = run.timeSpent;
    const share = ((100 * measuringMs) / totalMs).toFixed(0);
    lines.push(`${took(totalMs, run)}, of which ${share} % inside timed iterations.`);
  }
  return lines;
}

const head = ['Total ms', 'iterations', 'avg ms', 'median', '95 % interval', 'p95', 'launches'];
const publishedHead = ['published: total ms', 'iterations', 'avg ms'];

/** The ends of an interval, in this multiple of their unit. */
function range(low: number | null | undefined, high: number | null | undefined, factor = 1) {
  if (typeof low !== 'number' || typeof high !== 'number') return unknownText;
  return `${digits(factor * low)}..${digits(factor * high)}`;
}

function values(figure: MicroStatistics): string[] {
  const { runs, totalMs, averageMs, lowMs, highMs, p95Ms, launches } = figure;
  const old = publishedValue(figure.cell);
  return [
    runs === 0 ? unknownText : totalMs.toFixed(0),
    count(runs),
    digits(averageMs),
    medianText(figure),
    range(lowMs, highMs),
    digits(p95Ms),
    `${launches}`,
    ...(old
      ? [`${old.totalMs}`, `${old.runs}`, old.averageMs.toFixed(2)]
      : publishedHead.map(() => unknownText)),
  ];
}

/** Tables below each other, each with its title. */
function blocks(tables: readonly (readonly [title: string, table: string])[]): string {
  return `${tables.map(([title, table]) => `=== ${title}\n${table}`).join('\n\n')}\n`;
}

/**
 * A part in the layout of the published benchmarks, one block per size, with the published values beside the measured
 * ones.
 */
function documentTable(summary: MicroSummary, part: 'table' | 'list'): string {
  const nameOf = ({ cell }: MicroStatistics) => {
    const name = `${rowLabel(cell)} (${microCacheLabels[cell.cache]})`;
    return part === 'list' ? `${name}, ${loadLabel(cell)}` : name;
  };
  const sizes = Map.groupBy(figuresOf(summary, part), ({ cell }) => cell.bytes);
  return blocks(
    [...sizes].map(([bytes, own]) => {
      const rows = own.map((figure) => [nameOf(figure), ...values(figure)]);
      const table = plainTable(['', ...head, ...publishedHead], 1, rows);
      return [`Set datasize ${bytes} bytes`, table];
    }),
  );
}

const crossoverHead = [
  'Size',
  'disk ms',
  'memory ms',
  'disk slower by, %',
  'interval',
  'confidence',
  'outcome',
];

function crossoverTable({ crossovers }: MicroSummary): string {
  return blocks(
    crossovers.map((crossover) => {
      const rows = crossover.sizes.map(({ relative, relativeInterval: interval, ...size }) => [
        byteSize(size.bytes),
        digits(size.diskMs),
        digits(size.memoryMs),
        digits(relative === null ? null : 100 * relative),
        range(interval?.low, interval?.high, 100),
        percent(size.confidence),
        size.outcome,
      ]);
      return [conditionLabel(crossover), plainTable(crossoverHead, 1, rows)];
    }),
  );
}

function cacheIoText({ quiets }: MicroRun): string {
  const longest = Math.max(...quiets.map(({ waitedMs }) => waitedMs));
  const waits =
    quiets.length === 0
      ? 'No part of this run waited'
      : `${quiets.length} waits, the longest ${seconds(longest)}`;
  return `Between the two loads of a list, and after populating, all cache I/O is awaited: number, bytes and times of the
cache files, and the slow device's write count, are unchanged for half a second; then sync; then the entries are
counted. The index of the cache is not awaited: the browser writes it 20 s after the last change or when
it closes. ${waits}.
`;
}

function lines(texts: readonly string[]): string {
  return texts.map((text) => `${text}\n`).join('');
}

/** The whole report, in the layout of Mozilla's published micro-benchmarks. */
export function microTextReport(run: MicroRun, summary: MicroSummary): string {
  const { environment, plan, warnings } = run;
  const conditions = [
    `Chromium ${environment.chromium.version}`,
    `Flags    ${environment.chromium.flags.join(' ')}`,
    `Machine  ${environment.cpu}, ${environment.cores} cores, ${environment.os}, ${environment.kernel}`,
    `Storage  ${environment.storage}`,
    `Set time ${seconds(plan.timeMs)} a row over ${plan.launches} launches; seed ${plan.seed}`,
    `Status   ${run.status}${run.statusReason ? ` (${run.statusReason})` : ''}`,
  ];
  const notes = [
    ...plan.caches.map((cache) => `${microCacheLabels[cache]}: ${microCacheNotes[cache]}`),
    ...microRows.map((row) => `${rowLabel({ row })}: ${microRowNotes[row]}`),
  ];
  const verdicts = summary.hitVerdicts.map(({ sentence }) => sentence);
  const sections = {
    FINDING: lines([...summary.finding, ...verdicts]),
    'ONE RESOURCE AGAIN AND AGAIN': documentTable(summary, 'table'),
    [`LIST OF ${plan.listLength} RESOURCES`]: documentTable(summary, 'list'),
    SEARCH: `${microTable('search', summary)}\n`,
    'SIZE FROM WHICH THE DISK IS SLOWER THAN MEMORY': crossoverTable(summary),
    'HOW ALL CACHE I/O IS AWAITED': cacheIoText(run),
    'CACHES AND ROWS': lines(notes),
    'PUBLISHED VALUES': `${microHistorySource}.\n`,
    CONDITIONS: lines(conditions),
    ...(warnings.length > 0 && { WARNINGS: lines(foldedWarnings(warnings)) }),
  };
  return Object.entries(sections)
    .map(([title, body]) => `${title}\n${'-'.repeat(title.length)}\n${body}`)
    .join('\n');
}
