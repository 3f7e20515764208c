import type { SweepPlan, SweepRun } from '@cachescope/model/sweep/run.ts';
import { recompressed } from '@cachescope/model/sweep/recompressed.ts';
import { answerOf } from '@cachescope/model/sweep/finding.ts';
import { flagTexts } from '@cachescope/model/sweep/reads.ts';
import { seriesOf } from '@cachescope/model/sweep/series.ts';
import type { SweepSummary } from '@cachescope/model/sweep/summary.ts';
import { pageCacheStateWords } from '@cachescope/model/run/page-cache-state.ts';
import { count, milliseconds } from '@cachescope/model/quantity.ts';
import { defaultMostReadings, type StopReason } from '@cachescope/model/statistics/stop-rule.ts';
import {
  armTable,
  gapLevelNote,
  gapLevels,
  withGaps,
  profileTable,
  readTimeIs,
  readTimeTable,
  verdictTable,
  withIntervals,
} from './text-table.ts';
import { timeLines } from '../../lab/progress.ts';
import { wrap } from '../../results/wrap.ts';

/** The text on stdout at the end: the tables and the answer, for 80 columns. The reports have the whole finding. */
export function finishText(run: SweepRun, summary: SweepSummary): string {
  const marks = summary.points.some((point) => point.delayOff)
    ? '! measured delay is outside tolerance\n'
    : '';
  const answer = answerOf(summary);
  const hasMore = answer.length < summary.finding.length;
  return [
    `${workloadTitles(run.plan).join('; ')}, ${run.environment.chromium.version}`,
    wrap(`Cached read${stateNote(run.plan)}, ms: ${readTimeIs}${intervalNote(summary)}`, 80),
    '',
    readTimeTable(summary),
    marks,
    ...verdicts(run, summary),
    ...(summary.profile ? [profileTable(summary.profile), ''] : []),
    armTable(summary),
    '',
    ...answer.map((sentence) => wrap(sentence, 80)),
    ...(hasMore ? ['More in the report: the control, slopes, sizes and processor time.'] : []),
    '',
  ].join('\n');
}

/** The state of the page cache before each read; empty when it is cold. */
function stateNote({ state = 'cold' }: SweepPlan): string {
  return state === 'cold' ? '' : ` (${pageCacheStateWords[state]})`;
}

/** Titles of the workloads of a plan, without the parts of emulated hits. */
export function workloadTitles({ workload, workloads = [workload] }: SweepPlan): string[] {
  return workloads.filter(({ part }) => part === undefined).map(({ title }) => title);
}

/** Says where the intervals are: in the table where they fit, otherwise in the report. */
function intervalNote(summary: SweepSummary): string {
  return withIntervals(summary)
    ? `, 95 % interval${withGaps(summary) ? gapLevelNote(summary) : ''}:`
    : '; intervals are in the report:';
}

function verdicts(run: SweepRun, summary: SweepSummary): string[] {
  const table = verdictTable(summary);
  if (table === '') return [];
  const first = run.plan.variants?.[0]?.name;
  const levels = gapLevels(summary).join(' and ');
  return [wrap(`Each variant compared with ${first}, ${levels} interval:`, 80), '', table];
}

/** Says which limit ended the sampling of a stop rule; empty without a stop rule, and where its goal was reached. */
export function stopNote({ stopped }: SweepRun): string {
  const limits: Partial<Record<StopReason, string>> = {
    'max samples': `${count(defaultMostReadings)} reads of a cell, the maximum`,
    'max time': 'the time of --max-time',
  };
  const limit = stopped && limits[stopped.reason];
  if (limit === undefined) return '';
  return `${wrap(`Sampling stopped at ${limit}, before the goal of --precision was reached.`, 80)}\n`;
}

/** The lines on stderr about a sweep's samples and time. */
export function sampleLines(run: SweepRun, { counts, evictionMs }: SweepSummary): string[] {
  const flags = flagTexts(counts).join(', ');
  const leftOut = flags === '' ? 'none flagged' : `flagged, excluded from the statistics: ${flags}`;
  const samples = `Samples: ${counts.used} used, ${counts.companions} confirmation reads, ${leftOut}.`;
  const preparing =
    evictionMs === null
      ? []
      : [`Preparing the page cache took ${milliseconds(evictionMs)} before each read (median).`];
  return [samples, [...timeLines(run, 'timed reads'), ...preparing].join(' ')].filter(Boolean);
}

/** The text of `--dry-run` for a plan. */
export function planText(plan: SweepPlan): string {
  const { profile } = plan;
  const features = recompressed.enabledFeatures.join(', ');
  const points = plan.delaysMs.length + (profile ? 2 : 1);
  const reads = points * seriesOf(plan).length * plan.samplesPerCell;
  return [
    ...workloadTitles(plan).map((title) => `Workload  ${title}`),
    `Arms      ${plan.arms.join(', ')}`,
    ...(plan.recompress ? [`Also      recompressed by Chromium, where it can: ${features}`] : []),
    ...(plan.variants ? [`Variants  ${plan.variants.map(({ name }) => name).join(', ')}`] : []),
    `Points    control${plan.delaysMs.map((delayMs) => `, ${delayMs} ms`).join('')}${profile ? `, profile ${profile.name}` : ''}`,
    `Storage   ${plan.storage}${plan.delayWrites ? ', writes delayed too' : ''}`,
    `Samples   ${plan.samplesPerCell} for each cell in ${plan.launchesPerPoint} launches${plan.crossed ? ', each at every delay' : ''}: ${reads} reads`,
    ...(plan.firstLoads ? ['Loads     a first load with a dictionary and one without'] : []),
    ...(plan.traces
      ? [`Traces    one more read of each cell${plan.traces.syscalls ? ', with system calls' : ''}`]
      : []),
    `State     ${pageCacheStateWords[plan.state ?? 'cold']}`,
    `Seed      ${plan.seed}`,
    '',
  ].join('\n');
}
