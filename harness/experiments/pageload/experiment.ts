import { shardSeed, shareOf } from '@cachescope/model/run/shard.ts';
import type { PageLoad } from '@cachescope/model/pageload/load.ts';
import type { ReadPage } from '@cachescope/model/pageload/page.ts';
import { pageload as declaration } from '@cachescope/model/pageload/declaration.ts';
import type { PageloadRunDocument } from '@cachescope/model/pageload/run.ts';
import type { PageloadSummary } from '@cachescope/model/pageload/summary.ts';
import { requireFeatures } from '../../browser/known-features.ts';
import { recordHar } from '../../browser/record-har.ts';
import { storageFor } from '../../options/storage-choice.ts';
import { writeOutput } from '../../results/output-file.ts';
import { mayDropPageCache, dryRunDelays } from '../../storage/dry-run.ts';
import { requireStorage } from '../../storage/storage.ts';
import { outputsOf } from '../declared.ts';
import type { Experiment, Tools } from '../experiment.ts';
import type { PageFound, PagePlanned } from './lab.ts';
import { plannedLoads, measurePageloads } from './measurement.ts';
import { type PageAsked, pageloadOptions } from './options.ts';
import { pageloadMinutes, pageloadPlanText } from './plan-text.ts';
import { readSource } from './source.ts';

const help = `
The dependency tree (initiators), sizes, types, priorities and cacheability come
from the archive. All its hosts become one origin on this machine, so no other
host is contacted. A list has one line for each resource, indented below the
resource that requests it:
  script 120kB app.js
    fetch 3kB data.json no-store

With --dry-run nothing is measured, but --url is still recorded: Chromium
contacts it, and --save-har writes its file.

Examples:
  npm run pageload -- --sample news
  npm run pageload -- --har page.har --bodies recorded --delay 0,5,20
  npm run pageload -- --sample news --link 20ms,50Mbit/s
  npm run pageload -- --list page.txt --arms plain --launches 10
  npm run pageload -- --url http://127.0.0.1:8000/ --save-har page.har`;

/** Load times of a whole page from each state of the cache. */
export const pageload: Experiment<{
  document: PageloadRunDocument;
  line: PageLoad;
  asked: PageAsked;
  planned: PagePlanned;
  found: PageFound;
  summary: PageloadSummary;
}> = {
  name: 'pageload',
  summary: 'load a whole page from an archive, a list or a URL, from caches in each state',
  description:
    'Loads a page with its real dependency tree: from an empty cache, a warm one, ' +
    'after a relaunch, with the page cache dropped, and with dictionaries.',
  help,
  options: pageloadOptions,
  firstOptions: ['sample', 'har', 'url', 'delay', 'dryRun'],
  async plan(asked, tools) {
    const read = await sourceOf(asked, tools);
    const { plan, storage, headful } = asked;
    const isSlow = plan.delaysMs.length > 0;
    const kind = isSlow ? await storageFor(storage, tools) : 'none';
    return { plan: { ...plan, storage: kind }, read, headful };
  },
  shards: {
    launches: ({ passes }) => passes,
    part: (plan, shard) => ({
      ...plan,
      passes: shareOf(plan.passes, shard),
      seed: shardSeed(plan.seed, shard),
    }),
    beside: ({ read: { page, bodies }, headful }) => ({ page, bodies: [...bodies], headful }),
  },
  planText: ({ plan, read }) => pageloadPlanText(plan, read.page, read.notes),
  dryRun,
  requirements,
  link: ({ link }) => link,
  steps: plannedLoads,
  finishing: 'finishing the load of this profile',
  measure: measurePageloads,
  measuredMs: ({ loadMs }) => loadMs ?? 0,
  ...outputsOf(declaration),
};

/** Reads or records the page, and writes its archive if that is requested. */
async function sourceOf(
  { page, bodies, saveHar }: PageAsked,
  { requireChromium, say }: Tools,
): Promise<ReadPage> {
  const source = await readSource(page, bodies, async (url, external) => {
    const chromiumPath = await requireChromium();
    say(
      external
        ? `Recording ${url}: Chromium contacts it, and every host that its page names, once.`
        : `Recording ${url}; other machines cannot be reached.`,
    );
    return recordHar({ chromiumPath, url, external });
  });
  if (saveHar === undefined || source.har === null) return source.read;
  writeOutput(saveHar, `${JSON.stringify(source.har, null, 1)}\n`);
  say(`Archive: ${saveHar}`);
  return source.read;
}

async function dryRun({ plan }: PagePlanned, { privilege }: Tools): Promise<void> {
  if (plan.states.includes('cold')) await privilege.dropPageCache();
  await dryRunDelays(plan, privilege);
}

/**
 * Without the privilege to drop the page cache, cold loads are left out. On a slow device, or with cold loads only, a
 * missing privilege is an error.
 */
async function requirements({ plan, ...planned }: PagePlanned, tools: Tools): Promise<PageFound> {
  const isNeeded = plan.delaysMs.length > 0 || plan.states.every((state) => state === 'cold');
  const drops = isNeeded || plan.states.includes('cold');
  const canDrop = !drops || (await mayDropPageCache(tools, isNeeded, 'cold loads'));
  const states = plan.states.filter((state) => canDrop || state !== 'cold');
  const possible = { ...plan, states };
  const { privilege } = tools;
  await requireStorage({ kind: plan.storage, delayWrites: false, privilege }, plan.delaysMs);
  const chromiumPath = await tools.requireChromium();
  await requireFeatures(chromiumPath, [plan.settings ?? {}]);
  tools.say(`About ${pageloadMinutes(possible, planned.read.page)} (min:s).`);
  const leftOut = canDrop ? [] : ['cold loads'];
  return { ...planned, plan: possible, chromiumPath, storage: plan.storage, leftOut };
}
