import { freemem } from 'node:os';
import { byteSize, count, digits, seconds } from '@cachescope/model/quantity.ts';
import { limitWords, type ReclaimPlan, trafficWords } from '@cachescope/model/reclaim/plan.ts';
import { reclaim as declaration } from '@cachescope/model/reclaim/declaration.ts';
import type { ReclaimLine, ReclaimRunDocument } from '@cachescope/model/reclaim/run.ts';
import type { StorageKind } from '@cachescope/model/run/sample.ts';
import type { ReclaimSummary } from '@cachescope/model/reclaim/summary.ts';
import { plannedRequests } from '@cachescope/model/reclaim/traffic.ts';
import { requireFeatures } from '../../browser/known-features.ts';
import { clock } from '../../lab/progress.ts';
import { storageFor } from '../../options/storage-choice.ts';
import { dryRunDelays } from '../../storage/dry-run.ts';
import { outputsOf } from '../declared.ts';
import type { Experiment, Tools } from '../experiment.ts';
import { plannedWindows, type ReclaimFound, measureReclaim } from './measurement.ts';
import { type ReclaimAsked, reclaimOptions } from './options.ts';

const help = `
Examples:
  npm run reclaim                                      20 minutes at 425 a second, 1 KiB
  npm run reclaim -- --time 30s --limit 3000           a quick look
  npm run reclaim -- --time 240s --payload 100KiB
  npm run reclaim -- --traffic zipf --hit-rate 34% --policy s3-fifo
  npm run reclaim -- --traffic access.log --share 50% --speed 10 --payload 100KiB --coding gzip
  npm run reclaim -- --system chromium --disk-cache blockfile --limit-bytes 64MiB`;

/** A cache with a limit under a constant load. */
export const reclaim: Experiment<{
  document: ReclaimRunDocument;
  line: ReclaimLine;
  asked: ReclaimAsked;
  planned: ReclaimAsked;
  found: ReclaimFound;
  summary: ReclaimSummary;
}> = {
  name: 'reclaim',
  summary: 'a cache with a size limit under constant load: memory, latency, evictions',
  description:
    'Sends requests at a fixed rate (open loop) to a cache with a size limit, samples its memory, entries and latency at a ' +
    'fixed interval (--window), and reports each eviction pass.',
  help,
  options: reclaimOptions,
  firstOptions: ['rate', 'time', 'traffic', 'limit', 'dryRun'],
  plan: (asked) => Promise.resolve(asked),
  planText: ({ plan }) => planText(plan),
  dryRun,
  requirements,
  steps: plannedWindows,
  finishing: 'finishing the requests in flight',
  measure: measureReclaim,
  measuredMs: (line) => (line.kind === 'window' ? line.spanMs : 0),
  ...outputsOf(declaration),
};

async function dryRun({ plan, storage: wanted }: ReclaimAsked, tools: Tools): Promise<void> {
  if (plan.browser === null || wanted === 'none') return;
  const storage = await storageFor(wanted, tools);
  await dryRunDelays({ storage, delaysMs: [plan.browser.delayMs] }, tools.privilege);
}

async function requirements(asked: ReclaimAsked, tools: Tools): Promise<ReclaimFound> {
  const { say } = tools;
  const { browser, system, settings } = asked.plan;
  let storage: StorageKind = 'none';
  if (browser && asked.storage !== 'none') {
    storage = await storageFor(asked.storage, tools);
  }
  const plan = { ...asked.plan, browser: browser && { ...browser, storage } };
  const find = system === 'origin' ? tools.findChromium : tools.requireChromium;
  const chromiumPath = await find();
  if (settings) await requireFeatures(chromiumPath, [settings]);
  warnOfMemory(plan, say);
  return { plan, replay: asked.replay, chromiumPath, storage };
}

/** The bodies of a full cache are in memory, except in Chromium's cache on a disk. */
function warnOfMemory(plan: ReclaimPlan, say: (line: string) => void): void {
  const { system, limitEntries, limitBytes, payloadBytes } = plan;
  const bodies = limitEntries === null ? Infinity : limitEntries * (payloadBytes ?? Infinity);
  const wanted = Math.min(limitBytes, bodies);
  if (system === 'chromium' || wanted <= 0.6 * freemem()) return;
  say(
    `Warning: a full cache takes up to ${byteSize(wanted)}, and ${byteSize(freemem())} are free: lower --limit or --limit-bytes.`,
  );
}

function planText(plan: ReclaimPlan): string {
  const { system, rateHz, timeMs, payloadBytes, coding, originDelayMs, browser } = plan;
  const size = payloadBytes === null ? 'as recorded' : byteSize(payloadBytes);
  const disk = browser && system === 'chromium' ? [browser.backEnd ?? 'the default back end'] : [];
  return [
    `System     ${[system, ...disk].join(', ')}`,
    `Load       ${digits(rateHz)} requests a second for ${clock(timeMs / 1000)} (min:s): ${count(plannedRequests(plan))}`,
    `Traffic    ${trafficWords(plan)}`,
    `Bodies     ${size}, ${coding}; the origin waits ${digits(originDelayMs)} ms`,
    `Limit      ${limitWords(plan)}`,
    `Sampling   ${count(plannedWindows(plan))} intervals of ${seconds(plan.windowMs)}`,
    `Precision  one run, without intervals over runs; the trend of memory needs 24 samples after the first eviction pass`,
    `Seed       ${plan.seed}`,
    '',
  ].join('\n');
}
