import { shardSeed, shareOf } from '@cachescope/model/run/shard.ts';
import { isOnDisk } from '@cachescope/model/micro/cache.ts';
import { micro as declaration } from '@cachescope/model/micro/declaration.ts';
import type { MicroRunDocument } from '@cachescope/model/micro/run.ts';
import type { MicroSlice } from '@cachescope/model/micro/slice.ts';
import type { MicroSummary } from '@cachescope/model/micro/summary.ts';
import { requireFeatures } from '../../browser/known-features.ts';
import { storageFor } from '../../options/storage-choice.ts';
import { mayDropPageCache, dryRunDelays } from '../../storage/dry-run.ts';
import { requireStorage } from '../../storage/storage.ts';
import { outputsOf } from '../declared.ts';
import type { Experiment, Tools } from '../experiment.ts';
import type { MicroFound } from './lab.ts';
import { plannedSlices, measureMicro } from './measurement.ts';
import { type MicroAsked, microOptions } from './options.ts';
import { microMinutes, microPlanText } from './plan-text.ts';

const help = `
Parts:
  table      one resource again and again: call overhead, clear, misses, hit
  list       101 resources loaded one after another, then again
  search     the lookup of a key in caches of many entries
  crossover  the size from which a disk hit is clearly slower than a memory hit
             (ignores --caches and --sizes)

The default run takes about half an hour; --time 1 --entries 0,1000 about nine
minutes; --dry-run prints the plan with its time.

Examples:
  npm run micro -- --parts table --time 2
  npm run micro -- --parts search --entries 0,1000,10000 --back-ends simple,sql
  npm run micro -- --parts crossover --delay 1,5,20`;

type Planned = Pick<MicroFound, 'plan' | 'headful'>;

/** Micro-benchmarks of each cache alone. */
export const micro: Experiment<{
  document: MicroRunDocument;
  line: MicroSlice;
  asked: MicroAsked;
  planned: Planned;
  found: MicroFound;
  summary: MicroSummary;
}> = {
  name: 'micro',
  summary: 'micro-benchmarks of each cache: call overhead, clear, miss, hit, search',
  description:
    'Times reads through each cache alone, in pages with nothing attached: ' +
    'the cost of a call, a miss, a hit and a search, by size and number of entries.',
  help,
  options: microOptions,
  firstOptions: ['parts', 'caches', 'sizes', 'time', 'dryRun'],
  async plan({ plan, storage, headful }, tools) {
    const isSlow = plan.delaysMs.length > 0;
    const kind = isSlow ? await storageFor(storage, tools) : 'none';
    return { plan: { ...plan, storage: kind }, headful };
  },
  shards: {
    launches: ({ launches }) => launches,
    part: (plan, shard) => ({
      ...plan,
      launches: shareOf(plan.launches, shard),
      timeMs: (plan.timeMs * shareOf(plan.launches, shard)) / plan.launches,
      seed: shardSeed(plan.seed, shard),
    }),
    beside: ({ headful }) => ({ headful }),
  },
  planText: ({ plan }) => microPlanText(plan),
  dryRun,
  requirements,
  steps: plannedSlices,
  measure: measureMicro,
  measuredMs: ({ totalMs }) => totalMs,
  ...outputsOf(declaration),
};

async function dryRun({ plan }: Planned, { privilege }: Tools): Promise<void> {
  await privilege.dropPageCache();
  await dryRunDelays(plan, privilege);
}

async function requirements(planned: Planned, tools: Tools): Promise<MicroFound> {
  const { plan } = planned;
  const { parts, caches, delaysMs } = plan;
  const drops =
    delaysMs.length > 0 ||
    (parts.includes('list') && caches.some(isOnDisk)) ||
    (parts.includes('search') && caches.includes('disk'));
  const canDrop = !drops || (await mayDropPageCache(tools, delaysMs.length > 0, 'cold reads'));
  const { privilege } = tools;
  await requireStorage({ kind: plan.storage, delayWrites: false, privilege }, delaysMs);
  const chromiumPath = await tools.requireChromium();
  await requireFeatures(chromiumPath, [plan.settings ?? {}]);
  tools.say(`About ${microMinutes(plan)} (min:s).`);
  const leftOut = canDrop ? [] : ['cold reads'];
  return { ...planned, chromiumPath, storage: plan.storage, canDrop, leftOut };
}
