import type { Explanation } from '@cachescope/model/explain/explanation.ts';
import { explainedPage } from '@cachescope/model/explain/page.ts';
import type { TracedRead } from '@cachescope/model/explain/traced-read.ts';
import type { Page } from '@cachescope/model/page/page.ts';
import type { Sample } from '@cachescope/model/run/sample.ts';
import { shardSeed, shareOf } from '@cachescope/model/run/shard.ts';
import { savedSweep, type SweepPlan, type SweepRunDocument } from '@cachescope/model/sweep/run.ts';
import { readsOf } from '@cachescope/model/sweep/reads.ts';
import { sweepPage } from '@cachescope/model/sweep/page.ts';
import { summarizeReads, summaryOf, type SweepSummary } from '@cachescope/model/sweep/summary.ts';
import { fewestLaunches } from '@cachescope/model/statistics/launch-level.ts';
import { keepsPages } from '@cachescope/model/run/variant.ts';
import { precisionText } from '../../lab/plan-precision.ts';
import { requireFeatures } from '../../browser/known-features.ts';
import { requireChromium } from '../../environment/chromium.ts';
import { storageFor } from '../../options/storage-choice.ts';
import { shareOfLaunches } from '../../lab/schedule.ts';
import type { Privilege } from '../../privilege.ts';
import { pageText } from '../../results/page-text.ts';
import { compactTime } from '../../results/run-directory.ts';
import type { StorageOptions } from '../../storage/disk.ts';
import { plannedProfile } from '../../storage/latency-profile.ts';
import { attachStorage, changesLive, requireStorage } from '../../storage/storage.ts';
import { dryRunBlockTrace } from '../../trace/block-trace.ts';
import { dryRunSyscallWatch, requireSyscallWatch } from '../../trace/syscall-watch.ts';
import { explanationFiles, explanationOf } from '../explain/outputs.ts';
import { tracedFiles, tracedText } from '../explain/traced-outputs.ts';
import type { Experiment, Found, Shards, Tools } from '../experiment.ts';
import type { SweepPlanned } from './block.ts';
import { bySummary } from './by-summary.ts';
import { sweepConditions } from './conditions.ts';
import { cellsCsv, classicCsv, gapsCsv, profileCsv } from './csv.ts';
import { machinesCsv } from './forest-plot.ts';
import { detailSections, planText, stopNote } from './finish.ts';
import { measureSweep } from './measurement.ts';
import { type SweepAsked, sweepOptions } from './options.ts';
import { plannedSamples, settingsOfEach } from './points.ts';
import { savedWorkloads, sweptWorkloads } from './swept-workloads.ts';
import { textReport } from './text-report.ts';
import { requireTyped } from './typed-variants.ts';

const help = `
Examples:
  npm run sweep                          control, then 1, 11, 21, 31 and 41 ms
  npm run sweep -- 0 10 1                0 to 10 ms in steps of 1 ms
  npm run sweep -- 0 20 5 --arms identity,br,dcb
  npm run sweep -- 0 10 2 --dictionary old.js --resource new.js
  npm run sweep -- 0 10 5 --disk-cache simple,blockfile,sql
  npm run sweep -- 0 10 5 --precision 3% --max-time 20m
  npm run sweep -- --resume results/DIR  complete an interrupted run`;

interface SweepKinds {
  document: SweepRunDocument;
  line: Sample;
  beside: TracedRead;
  asked: SweepAsked;
  planned: SweepPlanned;
  found: SweepPlanned & Found;
  summary: SweepSummary & { explanation?: Explanation };
}

/** How a sweep is divided over machines: each takes every n-th pass over all cells. */
const shards: Shards<SweepKinds> = {
  launches: ({ launchesPerPoint }) => launchesPerPoint,
  part(plan, shard) {
    const { samplesPerCell, launchesPerPoint, seed } = plan;
    return {
      ...plan,
      launchesPerPoint: shareOf(launchesPerPoint, shard),
      samplesPerCell: shareOfLaunches(samplesPerCell, launchesPerPoint, shard),
      seed: shardSeed(seed, shard),
    };
  },
  obstacle: ({ stopRule }) =>
    stopRule
      ? '--precision decides from all samples, and a shard sees only its own; name --samples and --launches'
      : null,
};

/** Cached reads of each arm over a range of disk latencies: the main experiment. */
export const sweep: Experiment<SweepKinds> = {
  name: 'sweep',
  summary: 'time cached reads in each content coding over a range of disk latencies',
  description:
    'Times cached reads of the same bytes, stored by Chromium from responses of different content codings, with its ' +
    'cache on a device whose reads take a set time. The control, without that device, always comes first.',
  help,
  options: sweepOptions,
  firstOptions: ['delays', 'workload', 'precision', 'features', 'dryRun'],
  async plan({ plan, workloads: choices, storage: wanted }, tools) {
    const workloads = await sweptWorkloads(choices, plan.arms);
    const storage = await storageFor(wanted, tools, fileSystemsOf(plan));
    const planned = workloads.map((workload) => workload.planned);
    const [workload] = planned;
    if (!workload) throw new Error('a sweep needs a workload');
    // Without a slow device only the control is measured.
    const delaysMs = storage === 'none' ? [] : plan.delaysMs;
    const several = planned.length > 1 && { workloads: planned };
    const whole = { ...plan, delaysMs, storage, workload, ...several };
    return { plan: { ...whole, ...(canCross(whole) && { crossed: true }) }, workloads };
  },
  resume: {
    besides: ['variants', 'features'],
    async plan({ plan }, asked, tools) {
      requireTyped(plan, asked.plan.variants);
      const workloads = await savedWorkloads(plan);
      await storageFor(plan.storage, tools, fileSystemsOf(plan));
      // What was measured cold is completed cold, or not at all.
      return { plan: { ...plan, state: plan.state ?? 'cold' }, workloads };
    },
    conditions: sweepConditions,
  },
  shards,
  planText: ({ plan }) => planText(plan),
  dryRun,
  requirements,
  link: ({ link }) => link,
  steps: plannedSamples,
  measure: measureSweep,
  measuredMs: ({ kind, readMs }) => (kind === 'timed' ? readMs : 0),
  saved: savedSweep,
  summarize(document) {
    if (document.summary) return summaryOf(document);
    const { run, samples, traced = [] } = document;
    const reads = readsOf(samples);
    const summary = summarizeReads(run, reads);
    const explanation = explanationOf(run, summary, reads, traced);
    return { ...summary, ...(explanation && { explanation }) };
  },
  files({ run, traced }, summary) {
    const time = compactTime(run.startedAt);
    return {
      'cells.csv': cellsCsv(summary),
      'gaps.csv': gapsCsv(summary),
      ...(summary.profile && { 'profile.csv': profileCsv(summary.profile) }),
      ...(summary.machines && { 'machines.csv': machinesCsv(summary.machines) }),
      [`cdt-perf-results-${time}.csv`]: classicCsv(summary),
      [`cdt-perf-report-${time}.txt`]: textReport(run, summary, tracedText(traced)),
      ...explanationFiles(summary.explanation),
      ...(summary.explanation && {
        'explanation.txt': pageText(pageOf({ run, traced }, summary), run, summary.trust),
      }),
      ...tracedFiles(traced),
    };
  },
  page: pageOf,
  bySummary,
};

function pageOf(
  { run, traced }: Pick<SweepRunDocument, 'run' | 'traced'>,
  summary: SweepKinds['summary'],
): Page {
  const { explanation, trust } = summary;
  const page = sweepPage(run, summary);
  const hasVerdicts = trust.inconclusive === null;
  const shown = explanation ? explainedPage(page, explanation, { hasVerdicts }) : page;
  return {
    ...shown,
    sections: [...shown.sections, ...detailSections(summary, tracedText(traced))],
    closing: [...(shown.closing ?? []), ...stopNote(run)],
  };
}

/**
 * Whether one launch can read at every delay: the delay can change while the browser runs, and the browser reads an
 * entry or a dictionary from the disk more than once.
 */
function canCross(plan: SweepPlan): boolean {
  const keeps = settingsOfEach(plan).some(({ diskCache }) => keepsPages(diskCache));
  return changesLive(plan.storage) && !keeps;
}

function fileSystemsOf(plan: Pick<SweepPlan, 'settings' | 'variants'>) {
  return settingsOfEach(plan).map(({ fileSystem = 'ext4' }) => fileSystem);
}

/** The options of every variant's slow disk. */
function disksOf(plan: SweepPlan, privilege: Privilege): StorageOptions[] {
  const { storage: kind, delayWrites, device } = plan;
  const profile = plannedProfile(plan.profile);
  return settingsOfEach(plan).map(({ fileSystem, readAheadKiB }) => {
    return { kind, delayWrites, privilege, ...device, profile, fileSystem, readAheadKiB };
  });
}

async function dryRun({ plan }: SweepPlanned, { privilege, say }: Tools): Promise<void> {
  await requireBrowsers(plan, { privilege, say });
  if (plan.firstLoads) await privilege.dropPageCache();
  else await privilege.preparePageCache({ state: plan.state ?? 'cold', path: null, files: null });
  for (const options of plan.storage === 'none' ? [] : disksOf(plan, privilege)) {
    const disk = await attachStorage(options);
    for (const delayMs of plan.delaysMs) await disk.setDelay(delayMs);
    await disk.setProfile?.(true);
    await disk.detach();
  }
  if (plan.traces) await dryRunBlockTrace(privilege);
  if (plan.traces?.syscalls) await dryRunSyscallWatch(privilege);
}

function needsRoot({ storage, state = 'cold', firstLoads, traces }: SweepPlan): boolean {
  return storage !== 'none' || state === 'cold' || firstLoads === true || traces !== undefined;
}

/** Without root the control is still measured, with the data of its own files dropped before each read. */
function possibleWithoutRoot(plan: SweepPlan, { privilege, say }: Tools): SweepPlan {
  const obstacle = privilege.obstacle();
  if (obstacle === null || plan.storage !== 'none' || plan.state !== undefined) return plan;
  say(
    `${obstacle}: before each read only the data of the cache's own files is dropped from the page cache, as with --state file-cold.`,
  );
  return { ...plan, state: 'file-cold' };
}

/** The browsers of the variants must be there before the first cache is populated. */
async function requireBrowsers(
  { variants = [] }: SweepPlan,
  { privilege, say }: Pick<Tools, 'privilege' | 'say'>,
): Promise<void> {
  for (const { browser } of variants)
    if (browser !== undefined) await requireChromium(browser, privilege, say);
}

/** A long run without verdicts must not come as a surprise at its end. */
function noteIntervals(
  { launchesPerPoint: launches, samplesPerCell, stopRule }: SweepPlan,
  { say }: Tools,
) {
  if (launches >= fewestLaunches || stopRule) return;
  say(
    `This run alone has ${precisionText({ launches, readsPerLaunch: samplesPerCell / launches })}.`,
  );
}

async function requirements(planned: SweepPlanned, tools: Tools): Promise<SweepPlanned & Found> {
  const plan = possibleWithoutRoot(planned.plan, tools);
  const chromiumPath = await tools.requireChromium();
  // A missing privilege must be reported before the first measurement.
  if (needsRoot(plan)) await tools.privilege.run(['true']);
  await requireBrowsers(plan, tools);
  for (const { browser, ...settings } of [plan.settings ?? {}, ...(plan.variants ?? [])])
    await requireFeatures(browser ?? chromiumPath, [settings]);
  if (plan.traces?.syscalls) await requireSyscallWatch();
  noteIntervals(plan, tools);
  for (const options of disksOf(plan, tools.privilege))
    await requireStorage(options, plan.delaysMs);
  return { ...planned, plan, chromiumPath, storage: plan.storage };
}
