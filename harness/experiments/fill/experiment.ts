import { shardSeed, shareOf } from '@cachescope/model/run/shard.ts';
import { type FillPlan, suiteTitle } from '@cachescope/model/fill/plan.ts';
import { sendingMs } from '@cachescope/model/network/slow-start.ts';
import { fill as declaration } from '@cachescope/model/fill/declaration.ts';
import type { FillLine, FillRunDocument } from '@cachescope/model/fill/run.ts';
import type { FillSummary } from '@cachescope/model/fill/summary.ts';
import { byteSize } from '@cachescope/model/quantity.ts';
import { clock } from '../../lab/progress.ts';
import { outputsOf } from '../declared.ts';
import { precisionText } from '../../lab/plan-precision.ts';
import type { Experiment } from '../experiment.ts';
import { plannedTrials, measureFill } from './measurement.ts';
import { type FillFound, type FillPlanned, findNeeds, withPatchedNginx } from './needs.ts';
import { type FillAsked, fillOptions } from './options.ts';
import { dryRunFill } from './dry-run.ts';

const help = `
Systems: origin (no cache), nginx-pass, nginx-lock, edge-pass, edge-lock,
edge-stream, browser-page, browser-frames, browser-tabs, browser-workers,
browser-memory, browser+edge; nginx-patched-lock and nginx-tempfiles with
--nginx. nginx, edge and browser select all of that kind.

Examples:
  npm run fill                                        everything, about 20 minutes
  npm run fill -- --time 6 --workers 20 --size 3MiB   a quick look
  npm run fill -- --systems nginx,edge --suites 3s --rounds 5
  npm run fill -- --nginx ./nginx --systems nginx,nginx-tempfiles,edge-stream`;

/** Concurrent fills of a cache from a slow origin. */
export const fill: Experiment<{
  document: FillRunDocument;
  line: FillLine;
  asked: FillAsked;
  planned: FillPlanned;
  found: FillFound;
  summary: FillSummary;
}> = {
  name: 'fill',
  summary: 'many readers of a response that is still arriving: nginx, a proxy, Chromium',
  description:
    'Has many readers request the same files at the same time from a slow origin, through each cache, and measures how ' +
    'long readers wait for bytes and how many requests reach the origin.',
  help,
  options: fillOptions,
  firstOptions: ['systems', 'suites', 'rounds', 'time', 'dryRun'],
  plan: withPatchedNginx,
  shards: {
    launches: ({ rounds }) => rounds,
    part: (plan, shard) => ({
      ...plan,
      rounds: shareOf(plan.rounds, shard),
      seed: shardSeed(plan.seed, shard),
    }),
    beside: ({ headful, storage }) => ({ headful, storage }),
  },
  planText: ({ plan }) => planText(plan),
  dryRun: dryRunFill,
  requirements: findNeeds,
  link: ({ link }) => link,
  steps: plannedTrials,
  finishing: 'finishing the current trial',
  measure: measureFill,
  measuredMs: (line) => (line.kind === 'trial' ? line.clientMs : 0),
  ...outputsOf(declaration),
};

/**
 * Approximate duration of all trials, ms: each file that is begun is read to its end, from the origin or over the link, which
 * all readers share.
 */
export function plannedMs({ systems, suites, workers, timeMs, fileBytes, rounds, link }: FillPlan) {
  const linkMs = sendingMs(workers * fileBytes, link?.down.bitsPerSecond ?? null);
  const ofSuites = suites.map(({ fileMs }) => timeMs + Math.max(fileMs, linkMs));
  return systems.length * rounds * ofSuites.reduce((sum, ms) => sum + ms, 0);
}

function planText(plan: FillPlan): string {
  const { systems, suites, workers, timeMs, fileBytes, rounds, questions, link, seed } = plan;
  const trials = systems.length * suites.length * rounds;
  return [
    `Systems    ${systems.join(', ')}`,
    `Suites     ${suites.map(suiteTitle).join('; ')}`,
    `Readers    ${workers} at the same time, ${timeMs / 1000} s each trial`,
    `Files      ${byteSize(fileBytes)} each`,
    `Trials     ${trials}: about ${clock(plannedMs(plan) / 1000)} (min:s)`,
    `Precision  ${precisionText({ launches: rounds, readsPerLaunch: workers }, { option: '--rounds', plural: 'rounds' })}`,
    ...(link ? [`Link       ${link.name}`] : []),
    `Questions  ${questions.join(', ') || 'none'}`,
    `Seed       ${seed}`,
    '',
  ].join('\n');
}
