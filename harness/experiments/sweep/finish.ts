import type { Section } from '@cachescope/model/page/page.ts';
import { workloadTitles } from '@cachescope/model/sweep/head.ts';
import type { SweepPlan, SweepRun } from '@cachescope/model/sweep/run.ts';
import { recompressed } from '@cachescope/model/sweep/recompressed.ts';
import { seriesOf } from '@cachescope/model/sweep/series.ts';
import type { SweepSummary } from '@cachescope/model/sweep/summary.ts';
import { pageCacheStateWords } from '@cachescope/model/run/page-cache-state.ts';
import { count } from '@cachescope/model/quantity.ts';
import { defaultMostReadings, type StopReason } from '@cachescope/model/statistics/stop-rule.ts';
import { forestPlots } from './forest-plot.ts';
import { profileTable } from './text-table.ts';
import { precisionText } from '../../lab/plan-precision.ts';
import { clock } from '../../lab/progress.ts';
import { plannedSeconds } from './planned-seconds.ts';

/** What only report.txt has: the machines of a merged run, quantiles of a profile, and traced reads. */
export function detailSections(summary: SweepSummary, traced: string): Section[] {
  const profile = summary.profile ? profileTable(summary.profile) : '';
  const texts = [profile, forestPlots(summary.machines ?? []), traced].filter(Boolean);
  return texts.map((text) => ({ lines: text.trimEnd().split('\n'), isDetail: true }));
}

/** Says which limit ended the sampling of a stop rule; none without a stop rule, and where its goal was reached. */
export function stopNote({ stopped }: SweepRun): string[] {
  const limits: Partial<Record<StopReason, string>> = {
    'max samples': `${count(defaultMostReadings)} reads of a cell, the maximum`,
    'max time': 'the time of --max-time',
  };
  const limit = stopped && limits[stopped.reason];
  if (limit === undefined) return [];
  return [`Sampling stopped at ${limit}, before the goal of --precision was reached.`];
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
    ...(plan.link ? [`Link      ${plan.link.name}`] : []),
    ...(plan.firstLoads ? ['Loads     a first load with a dictionary and one without'] : []),
    ...(plan.traces
      ? [`Traces    one more read of each cell${plan.traces.syscalls ? ', with system calls' : ''}`]
      : []),
    `Precision ${precisionText({ launches: plan.launchesPerPoint, readsPerLaunch: plan.samplesPerCell / plan.launchesPerPoint })}`,
    `Time      about ${clock(plannedSeconds(plan))} (min:s)${plan.stopRule ? ', and until --precision or --max-time is reached' : ''}`,
    `State     ${pageCacheStateWords[plan.state ?? 'cold']}`,
    `Seed      ${plan.seed}`,
    '',
  ].join('\n');
}
