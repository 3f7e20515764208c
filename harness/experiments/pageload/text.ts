import {
  lastMoment,
  pageArmLabels,
  type PageLoad,
  type PageState,
  pageStateLabels,
} from '@cachescope/model/pageload/load.ts';
import type { Page } from '@cachescope/model/pageload/page.ts';
import type { PageloadRun } from '@cachescope/model/pageload/run.ts';
import type { PageStatistics } from '@cachescope/model/pageload/statistics.ts';
import type { PageloadSummary } from '@cachescope/model/pageload/summary.ts';
import { printable } from '@cachescope/model/printable.ts';
import { byteSize, counted, digits, seconds, unknownText } from '@cachescope/model/quantity.ts';
import { foldedWarnings } from '@cachescope/model/run/folded-warnings.ts';
import { took } from '../../lab/progress.ts';
import { plainTable } from '../../results/plain-table.ts';
import { wrap } from '../../results/wrap.ts';

const wrapped = (text: string) => wrap(text, 80);

const stateNotes: Readonly<Record<PageState, string>> = {
  empty: 'nothing of the page in the cache',
  warm: 'a second load in the same browser',
  relaunched: 'after a restart of the browser',
  cold: 'after a restart of the browser, with the page cache dropped',
};

function columnNotes({ plan }: PageloadRun): string {
  const isSlow = plan.delaysMs.length > 0;
  const notes = [
    ...plan.states.map((state) => `${state}: ${stateNotes[state]}`),
    ...(plan.arms.includes('dictionary')
      ? ['dcb: scripts and style sheets were delivered with their previous version as dictionary']
      : []),
    ...(isSlow ? [] : ['requested: resources requested from the origin']),
    'sent: body bytes that the origin sent',
    ...(isSlow ? ['read, reads: bytes read from the device, number of device reads'] : []),
  ];
  return `${notes.join('; ')}.`;
}

/** The text on stdout at the end, for 80 columns. */
export function pageloadFinishText(run: PageloadRun, summary: PageloadSummary): string {
  const { page, plan } = run;
  return [
    wrapped(
      `${page.source}: ${counted(page.resources.length, 'resource')}, ${page.bodies} bodies; ${counted(plan.passes, 'load')} of each kind; ${run.environment.chromium.version}`,
    ),
    '',
    pageloadTable(summary.figures),
    '',
    wrapped(columnNotes(run)),
    '',
    ...summary.finding.map(wrapped),
    '',
  ].join('\n');
}

/** The lines on stderr about loads and time. */
export function pageloadLines(run: PageloadRun, summary: PageloadSummary): string[] {
  const { loads, used, launches } = summary.counts;
  const left = loads === used ? 'none excluded' : `${loads - used} excluded`;
  const inLaunches = launches === 1 ? '1 launch' : `${launches} launches`;
  const lines = [`${counted(loads, 'load')} in ${inLaunches}; ${left}.`];
  if (run.timeSpent)
    lines.push(
      `${took(run.timeSpent.totalMs, run)}, of which ${seconds(run.timeSpent.measuringMs)} inside timed loads.`,
    );
  return lines;
}

function section(title: string, body: string): string {
  return `${title}\n${'-'.repeat(title.length)}\n${body}\n`;
}

/** The whole report as text, including the waterfall of each cell's median load. */
export function pageloadTextReport(
  run: PageloadRun,
  summary: PageloadSummary,
  loads: readonly PageLoad[],
): string {
  const { environment, plan, page } = run;
  const warnings = foldedWarnings(run.warnings);
  const sentences = (list: readonly string[]) => list.map(wrapped).join('\n');
  const conditions = [
    `Page     ${page.source}, ${page.bodies} bodies`,
    `Chromium ${environment.chromium.version}`,
    `Flags    ${environment.chromium.flags.join(' ')}`,
    `Machine  ${environment.cpu}, ${environment.cores} cores, ${environment.os}, ${environment.kernel}`,
    `Storage  ${environment.storage}`,
    `Origin   HTTP/1.1 on loopback, ${plan.serverDelayMs} ms before each response`,
    `Seed     ${plan.seed}`,
    `Status   ${run.status}${run.statusReason ? ` (${run.statusReason})` : ''}`,
  ].join('\n');
  return [
    section('FINDING', sentences(summary.finding)),
    section('LOADS', `${pageloadTable(summary.figures)}\n\n${wrapped(columnNotes(run))}`),
    section('WHERE THE RESOURCES CAME FROM', sourceTable(summary.figures)),
    section('VERDICTS', sentences(summary.verdicts.map(({ sentence }) => sentence))),
    ...summary.figures.flatMap((figure) => {
      const load = loads.find(({ sequence }) => sequence === figure.shown);
      return load ? [waterfallText(run.page, load)] : [];
    }),
    section('CONDITIONS', conditions),
    ...(run.notes.length > 0 ? [section('THE PAGE', sentences(run.notes))] : []),
    ...(run.warnings.length > 0 ? [section('WARNINGS', sentences(warnings))] : []),
  ].join('\n');
}

const shortArm = { plain: 'plain', dictionary: 'dcb' } as const;

/**
 * One line per cell: load times, resources requested from the origin, bytes sent, and device reads. Fits 80 columns.
 */
function pageloadTable(figures: readonly PageStatistics[]): string {
  const isSlow = figures.some(({ cell }) => cell.storage !== 'none');
  const hasArms = new Set(figures.map(({ cell }) => cell.arm)).size > 1;
  const allColumns: [isShown: boolean, title: string, text: (figure: PageStatistics) => string][] =
    [
      [isSlow, 'delay', ({ cell }) => digits(cell.delayMs)],
      [hasArms, 'arm', ({ cell }) => shortArm[cell.arm]],
      [true, 'load', ({ cell }) => cell.state],
      [true, 'load ms', ({ loadMs }) => digits(loadMs)],
      [true, '95 % interval', rangeText],
      [!isSlow, 'requested', ({ asked }) => digits(asked)],
      [true, 'sent', ({ sentBytes }) => byteSize(sentBytes)],
      [isSlow, 'read', ({ deviceReadBytes }) => byteSize(deviceReadBytes)],
      [isSlow, 'reads', ({ deviceReads }) => digits(deviceReads)],
    ];
  const columns = allColumns.filter(([isShown]) => isShown);
  const head = columns.map(([, title]) => title);
  const rows = figures.map((figure) => columns.map(([, , text]) => text(figure)));
  return plainTable(head, head.indexOf('load ms'), rows, head.indexOf('load'));
}

/** The interval of a load time, ms: `98.7..103`; a dash when there are too few loads. */
function rangeText({ lowMs, highMs }: PageStatistics): string {
  return lowMs === null || highMs === null ? unknownText : `${digits(lowMs)}..${digits(highMs)}`;
}

/** Number of resources by source in each cell's median load. */
function sourceTable(figures: readonly PageStatistics[]): string {
  const sources = [...new Set(figures.flatMap((each) => each.sources.map(({ source }) => source)))];
  const rows = figures.map(({ cell, sources: own }) => {
    const count = (source: string) => own.find((each) => each.source === source)?.count ?? 0;
    const delay = cell.storage === 'none' ? '' : `${digits(cell.delayMs)} ms, `;
    return [
      `${delay}${pageArmLabels[cell.arm].toLowerCase()}, ${pageStateLabels[cell.state].toLowerCase()}`,
      ...sources.map((source) => digits(count(source))),
    ];
  });
  return plainTable(['load', ...sources], 1, rows);
}

/** Width of the bars, characters, so that a line fits 80 columns. */
const barWidth = 30;

/** The waterfall of one load as text: `-` waits for the first byte, `=` receives. */
export function waterfallText({ resources }: Page, load: PageLoad): string {
  const { cell, rows } = load;
  const toMs = lastMoment(load);
  const delay = cell.storage === 'none' ? '' : `, ${digits(cell.delayMs)} ms`;
  const title = `WATERFALL: ${pageArmLabels[cell.arm]}, ${pageStateLabels[cell.state].toLowerCase()}${delay} (0 to ${digits(toMs)} ms)`;
  const lines = rows.map((row) => {
    const name = printable(resources[row.place]?.name ?? '').slice(0, 20);
    const end = row.endMs === null ? unknownText : digits(row.endMs);
    return `${name.padEnd(21)}${(row.source ?? 'unknown').slice(0, 14).padEnd(15)}${end.padStart(8)}  ${bar(row, toMs)}`;
  });
  return section(title, lines.join('\n'));
}

function bar({ startMs, responseStartMs, endMs }: PageLoad['rows'][number], toMs: number): string {
  if (startMs === null || endMs === null) return '';
  const at = (ms: number) =>
    Math.max(0, Math.min(barWidth - 1, Math.floor((barWidth * ms) / toMs)));
  const [from, first, to] = [at(startMs), at(responseStartMs ?? startMs), at(endMs)];
  return `${' '.repeat(from)}${'-'.repeat(Math.max(0, first - from))}${'='.repeat(Math.max(1, to - Math.max(from, first) + 1))}`;
}
