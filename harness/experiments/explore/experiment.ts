import {
  type DeviceSpan,
  type ExploreRunDocument,
  savedExplore,
} from '@cachescope/model/explore/run.ts';
import { explorePage } from '@cachescope/model/explore/page.ts';
import { type ExploreSummary, summarizeExplore } from '@cachescope/model/explore/summary.ts';
import type { Load } from '@cachescope/model/load/load.ts';
import { findWorkload } from '@cachescope/origin/workloads/catalog.ts';
import { storageFor } from '../../options/storage-choice.ts';
import { dryRunDelays } from '../../storage/dry-run.ts';
import type { Experiment } from '../experiment.ts';
import { type ExploreFound, type ExplorePlanned, measureExploration } from './measurement.ts';
import { type ExploreAsked, exploreOptions } from './options.ts';
import { pageText } from '../../results/page-text.ts';
import { exploreCsv } from './resources-csv.ts';

const help = `
Examples:
  npm run explore
  npm run explore -- --delay 50 --url http://localhost:8080/
  npm run explore -- --external --url https://example.com/`;

/** An interactive browser with its cache on the slow disk. */
export const explore: Experiment<{
  document: ExploreRunDocument;
  line: Load;
  beside: DeviceSpan;
  asked: ExploreAsked;
  planned: ExplorePlanned;
  found: ExploreFound;
  summary: ExploreSummary;
}> = {
  name: 'explore',
  summary: 'measure by hand in a visible browser whose cache is on a slow disk',
  description:
    'Opens Chromium with its cache on a device whose reads take a set time, and DevTools on the Cachescope panel. ' +
    'The panel sets the delay, drops the page cache and restarts the browser. Every load is saved; closing the browser, ' +
    'or Ctrl-C, ends the run.',
  help,
  options: exploreOptions,
  firstOptions: ['url', 'delay', 'workload', 'external', 'storage'],
  async plan({ storage: wanted, delayMs, workload, ...asked }, tools) {
    const { url, external, headless, delayWrites, keepCredentials } = asked;
    const storage = await storageFor(wanted, tools);
    const workloads = workload === undefined ? null : [await findWorkload(workload)];
    const plan = {
      storage,
      delayWrites,
      delayMs: storage === 'none' ? null : delayMs,
      url,
      ...(external && { external }),
    };
    return { plan, workloads, headful: !headless, keepCredentials };
  },
  planText: ({ plan }) => planText(plan),
  dryRun: ({ plan: { storage, delayMs, delayWrites } }, { privilege }) =>
    dryRunDelays({ storage, delaysMs: delayMs === null ? [] : [delayMs], delayWrites }, privilege),
  async requirements(planned, { requireChromium, privilege }) {
    const chromiumPath = await requireChromium();
    const canDropPageCache = privilege.obstacle() === null;
    return { ...planned, chromiumPath, canDropPageCache, storage: planned.plan.storage };
  },
  // The user decides how many loads there are.
  steps: () => 0,
  finishing: 'finishing the current step',
  endsByInterrupt: true,
  measure: measureExploration,
  measuredMs: () => 0,
  saved: savedExplore,
  summarize: ({ run, loads }) => summarizeExplore(run, loads),
  files: (document, summary) => ({
    'report.txt': pageText(explorePage(document.run, summary), document.run, summary.trust),
    'resources.csv': exploreCsv(document),
  }),
  page: ({ run }, summary) => explorePage(run, summary),
  hasCharts: false,
};

function planText({
  storage,
  delayMs,
  delayWrites,
  url,
  external = false,
}: ExplorePlanned['plan']): string {
  const delay = delayMs === null ? 'none' : `${delayMs} ms${delayWrites ? ', writes too' : ''}`;
  return [
    `Storage  ${storage}`,
    `Delay    ${delay}`,
    `Page     ${url ?? "the origin's index"}`,
    'Time     until you end it',
    'Precision none: single reads by hand have no interval',
    `Hosts    ${external ? 'any' : 'this machine'}`,
    '',
  ].join('\n');
}
