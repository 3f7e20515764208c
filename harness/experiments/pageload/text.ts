import { foldedWarnings } from '@cachescope/model/run/folded-warnings.ts';
import type { PageloadRun } from '@cachescope/model/pageload/run.ts';
import type { PageloadSummary } from '@cachescope/model/pageload/summary.ts';
import type { PageLoad, PageState } from '@cachescope/model/pageload/load.ts';
import { counted, seconds } from '@cachescope/model/quantity.ts';
import { clock } from '../../lab/progress.ts';
import { pageloadTable, sourceTable } from './text-table.ts';
import { waterfallText } from './waterfall-text.ts';
import { wrap } from '../../results/wrap.ts';

const columns = 80;

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
    ...(isSlow ? [] : ['asked: resources requested from the origin']),
    'sent: body bytes that the origin sent',
    ...(isSlow ? ['read, reads: bytes read from the device, number of device reads'] : []),
  ];
  return `${notes.join('; ')}.`;
}

/** The text on stdout at the end, for 80 columns. */
export function pageloadFinishText(run: PageloadRun, summary: PageloadSummary): string {
  const { page, plan } = run;
  const loads = plan.passes === 1 ? '1 load' : `${plan.passes} loads`;
  return [
    wrap(
      `${page.source}: ${counted(page.resources.length, 'resource')}, ${page.bodies} bodies; ${loads} of each kind; ${run.environment.chromium.version}`,
      columns,
    ),
    '',
    pageloadTable(summary.figures),
    '',
    wrap(columnNotes(run), columns),
    '',
    ...summary.finding.map((sentence) => wrap(sentence, columns)),
    '',
  ].join('\n');
}

/** The lines on stderr about loads and time. */
export function pageloadLines(run: PageloadRun, summary: PageloadSummary): string[] {
  const { loads, used, launches } = summary.counts;
  const inLaunches = launches === 1 ? '1 launch' : `${launches} launches`;
  const left = loads === used ? 'none excluded' : `${loads - used} left out`;
  const lines = [`${counted(loads, 'load')} in ${inLaunches}; ${left}.`];
  if (run.timeSpent)
    lines.push(
      `Took ${clock(run.timeSpent.totalMs / 1000)}, of which ${seconds(run.timeSpent.measuringMs)} inside timed loads.`,
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
  const sentences = (list: readonly string[]) =>
    list.map((sentence) => wrap(sentence, columns)).join('\n');
  const conditions = [
    `Page     ${page.source}, ${page.bodies} bodies`,
    `Chromium ${environment.chromium.version}`,
    `Flags    ${environment.chromium.flags.join(' ')}`,
    `Machine  ${environment.cpu}, ${environment.cores} cores, ${environment.os}, ${environment.kernel}`,
    `Storage  ${environment.storage}`,
    `Origin   HTTP/1.1 on loopback, ${plan.serverDelayMs} ms before each answer`,
    `Seed     ${plan.seed}`,
    `Status   ${run.status}${run.statusReason ? ` (${run.statusReason})` : ''}`,
  ].join('\n');
  return [
    section('FINDING', sentences(summary.finding)),
    section('LOADS', `${pageloadTable(summary.figures)}\n\n${wrap(columnNotes(run), columns)}`),
    section('WHERE THE RESOURCES CAME FROM', sourceTable(summary.figures)),
    section('VERDICTS', sentences(summary.verdicts.map(({ sentence }) => sentence))),
    ...summary.figures.flatMap((figure) => {
      const load = loads.find(({ sequence }) => sequence === figure.shown);
      return load ? [waterfallText(run.page, load)] : [];
    }),
    section('CONDITIONS', conditions),
    ...(run.notes.length > 0 ? [section('THE PAGE', sentences(run.notes))] : []),
    ...(run.warnings.length > 0
      ? [section('WARNINGS', sentences(foldedWarnings(run.warnings)))]
      : []),
  ].join('\n');
}
