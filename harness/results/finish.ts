import type { Run, SweepPlan } from '@cachescope/model/run.ts';
import type { SweepSummary } from '@cachescope/model/sweep-summary.ts';
import type { Results } from './results.ts';
import { armTable, readTimeTable, withIntervals } from './table.ts';
import { clock } from '../runner/progress.ts';
import { wrap } from './wrap.ts';

/** What stdout shows at the end: the two tables and the finding, for 80 columns. */
export function finishText(run: Run, { summary }: Results): string {
  const marks = summary.points.some((point) => point.delayOff)
    ? '! the device did not have the delay that was asked for\n'
    : '';
  return [
    `${run.plan.workload.title}, ${run.environment.chromium.version}`,
    'Cached read, ms: median of the samples' +
      (withIntervals(summary) ? ', 95 % interval:' : '; intervals are in the report:'),
    '',
    readTimeTable(summary),
    marks,
    armTable(summary),
    '',
    ...summary.finding.map((sentence) => wrap(sentence, 80)),
    '',
  ].join('\n');
}

function samplesLine(summary: SweepSummary): string {
  const flagged = Object.entries(summary.counts.flagged).filter(([, count]) => count > 0);
  const words = flagged.map(([flag, count]) => `${flag} ${count}`).join(', ');
  const leftOut = words === '' ? 'none flagged' : `flagged and left out: ${words}`;
  return `Samples: ${summary.counts.used} used, ${summary.counts.companions} companions, ${leftOut}.`;
}

function unfinishedText(run: Run): string | null {
  if (run.status === 'complete') return null;
  if (run.status === 'running')
    return 'The run did not finish: its program was killed, or it still runs.';
  return `The run is ${run.status}: ${run.statusReason ?? 'no reason is known'}.`;
}

/** What stderr says at the end: how the run went and where it lies. */
export function statusLines(run: Run, directory: string, results: Results): string[] {
  const lines = [samplesLine(results.summary)];
  if (run.timeSpent) {
    const { totalMs, measuringMs } = run.timeSpent;
    const share = ((100 * measuringMs) / totalMs).toFixed(0);
    lines.push(`Took ${clock(totalMs / 1000)}, of which ${share} % inside timed reads.`);
  }
  for (const warning of run.warnings) lines.push(`Warning: ${warning}`);
  const unfinished = unfinishedText(run);
  if (unfinished) lines.push(unfinished);
  if (results.chartsProblem !== null) lines.push(`No charts: ${results.chartsProblem}.`);
  lines.push(`Report: ${results.html}`, `Again: npm run report -- ${directory}`);
  return lines;
}

/** What `--dry-run` shows of a plan. */
export function planText(plan: SweepPlan): string {
  const points = plan.delaysMs.length + 1;
  const reads = points * plan.arms.length * plan.samplesPerCell;
  return [
    `Workload  ${plan.workload.title}`,
    `Arms      ${plan.arms.join(', ')}`,
    `Points    control${plan.delaysMs.map((delayMs) => `, ${delayMs} ms`).join('')}`,
    `Storage   ${plan.storage}${plan.delayWrites ? ', writes delayed too' : ''}`,
    `Samples   ${plan.samplesPerCell} a cell over ${plan.launchesPerPoint} launches: ${reads} reads`,
    `Seed      ${plan.seed}`,
    '',
  ].join('\n');
}
