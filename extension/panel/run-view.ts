import { codingLabels } from '@cachescope/model/coding.ts';
import { byteSize, digits } from '@cachescope/model/quantity.ts';
import type { Run, RunDocument } from '@cachescope/model/run.ts';
import { summarize, type SweepSummary } from '@cachescope/model/sweep-summary.ts';
import { element } from './element.ts';
import { sweepFigures } from './figures.ts';
import { pointTable } from './point-table.ts';
import { proofTable } from './proof-table.ts';

const list = new Intl.ListFormat('en', { type: 'conjunction' });

/** The view of one run, and how to draw its charts again after the theme has changed. */
export interface RunView {
  element: HTMLElement;
  draw: () => void;
}

/** Shows a run from the answer down to the evidence: finding, warnings, charts, every point, circumstances. */
export function runView({ run, samples }: RunDocument): RunView {
  const summary = summarize(run, samples);
  const figures = sweepFigures(summary, samples);
  const view = element(
    'article',
    {},
    title(run),
    element('div', { class: 'conclusion' }, finding(summary), ...warnings(run, summary)),
    section('Charts', element('div', { class: 'figures' }, ...figures.elements)),
    section('Each point', pointTable(summary)),
    circumstances(run, summary),
  );
  return { element: view, draw: figures.draw };
}

function section(heading: string, ...children: Node[]): HTMLElement {
  return element('section', {}, element('h2', {}, heading), ...children);
}

function title({ plan, environment, status, statusReason, startedAt }: Run): HTMLElement {
  const arms = list.format(plan.arms.map((arm) => codingLabels[arm]));
  const facts = [
    plan.workload.title,
    `${byteSize(plan.workload.resourceBytes)} decoded`,
    environment.chromium.version,
    plan.storage === 'none' ? 'no slow device' : plan.storage,
    utc(startedAt),
  ];
  return element(
    'header',
    {},
    element('h1', {}, `${arms}: reads from the disk cache`),
    element(
      'p',
      { class: 'facts' },
      ...facts.map((fact) => element('span', {}, fact)),
      element('span', { class: `status ${status}` }, statusText(status, statusReason)),
    ),
  );
}

function statusText(status: Run['status'], reason: string | undefined): string {
  const sign = status === 'complete' ? '✓' : '⚠';
  return reason ? `${sign} ${status}: ${reason}` : `${sign} ${status}`;
}

function utc(iso: string): string {
  return `${iso.slice(0, 16).replace('T', ' ')} UTC`;
}

function finding(summary: SweepSummary): HTMLElement {
  const [answer = '', ...reasons] = summary.finding;
  return section(
    'Finding',
    element('p', { class: 'answer' }, answer),
    element('ul', {}, ...reasons.map((sentence) => element('li', {}, sentence))),
  );
}

function warnings(run: Run, summary: SweepSummary): HTMLElement[] {
  const sentences = [...run.warnings, ...flagSentence(summary)];
  if (sentences.length === 0) return [];
  const items = sentences.map((sentence) => element('li', {}, sentence));
  const box = section('Warnings', element('ul', {}, ...items));
  box.className = 'warnings';
  return [box];
}

function flagSentence({ counts }: SweepSummary): string[] {
  const raised = Object.entries(counts.flagged).filter(([, count]) => count > 0);
  if (raised.length === 0) return [];
  const left = counts.samples - counts.companions - counts.used;
  const kinds = list.format(raised.map(([flag, count]) => `${flag} ${count}`));
  return [
    `${left} of ${counts.samples - counts.companions} timed samples are flagged and left out: ${kinds}.`,
  ];
}

function circumstances(run: Run, { counts }: SweepSummary): HTMLElement {
  const { plan, environment, timeSpent } = run;
  const rows: [term: string, value: string][] = [
    [
      'Samples',
      `${counts.used} used, ${counts.companions} companion reads watched by heavier evidence`,
    ],
    [
      'Plan',
      `${plan.samplesPerCell} samples a cell over ${plan.launchesPerPoint} launches a point, seed ${plan.seed}`,
    ],
    ['Storage', environment.storage],
    ['Writes', plan.delayWrites ? 'delayed too' : 'not delayed'],
    ['Dictionary', byteSize(plan.workload.dictionaryBytes)],
    [
      'Page clock',
      environment.timerStepMs === null
        ? 'step not measured'
        : `steps of ${digits(environment.timerStepMs * 1000)} µs`,
    ],
    [
      'Machine',
      `${environment.cpu}, ${environment.cores} cores, ${byteSize(environment.memoryBytes)}`,
    ],
    ['System', `${environment.os}, kernel ${environment.kernel}, Node ${environment.node}`],
    ['Chromium', environment.chromium.path],
    ['Flags', environment.chromium.flags.join(' ')],
    ['Command', `cachescope ${run.commandLine.join(' ')}`],
    ['Written by', `${run.tool.name} ${run.tool.version}`],
  ];
  if (timeSpent && timeSpent.totalMs > 0) {
    const share = Math.round((100 * timeSpent.measuringMs) / timeSpent.totalMs);
    rows.push([
      'Time',
      `${digits(timeSpent.totalMs / 1000)} s, ${share} % of it inside timed reads`,
    ]);
  }
  const terms = rows.flatMap(([term, value]) => [
    element('dt', {}, term),
    element('dd', {}, value),
  ]);
  return element(
    'details',
    {},
    element('summary', {}, element('h2', {}, 'How it was measured')),
    element('dl', {}, ...terms),
    ...(run.proofs.length > 0 ? [proofTable(run.proofs)] : []),
  );
}
