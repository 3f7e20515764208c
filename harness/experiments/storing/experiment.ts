import { byteSize } from '@cachescope/model/quantity.ts';
import { storing as declaration } from '@cachescope/model/storing/declaration.ts';
import type {
  StoringPlan,
  StoringReading,
  StoringReplay,
  StoringRunDocument,
} from '@cachescope/model/storing/run.ts';
import type { StoringSummary } from '@cachescope/model/storing/summary.ts';
import { precisionText } from '../../lab/plan-precision.ts';
import { clock } from '../../lab/progress.ts';
import { requireFeatures } from '../../browser/known-features.ts';
import { outputsOf } from '../declared.ts';
import type { Experiment } from '../experiment.ts';
import { type StoringFound, measureStoring } from './measurement.ts';
import { plannedSteps } from './passes.ts';
import { type StoringAsked, storingOptions } from './options.ts';

const help = `
The first browser is the unchanged one. By default the second has Chromium's
recompression of dictionary responses (harness/docs/recompression.md).

Examples:
  npm run storing
  npm run storing -- --sizes 1MiB --arms dcz --launches 10
  npm run storing -- --sizes 100KiB --arms dcb --replay 3000
  npm run storing -- --features recompress,sql-wal`;

/** What it costs Chromium to store a dictionary-compressed response. */
export const storing: Experiment<{
  document: StoringRunDocument;
  line: StoringReading;
  asked: StoringAsked;
  planned: StoringAsked;
  found: StoringFound;
  summary: StoringSummary;
}> = {
  name: 'storing',
  summary: 'the cost of storing dictionary responses, with browser features off and on',
  description:
    'Measures first loads and hits of dictionary-compressed responses, other requests meanwhile, memory, the entries ' +
    'that a cache holds, and its hit rate, with browser features off and on.',
  help,
  options: storingOptions,
  firstOptions: ['features', 'arms', 'sizes', 'launches', 'dryRun'],
  plan: async (asked) => asked,
  planText: ({ plan }) => planText(plan),
  async requirements(planned, tools) {
    const chromiumPath = await tools.requireChromium();
    await requireFeatures(chromiumPath, planned.plan.variants);
    return { ...planned, chromiumPath, storage: 'none' };
  },
  steps: plannedSteps,
  finishing: 'finishing this pass',
  measure: measureStoring,
  measuredMs: ({ measure, values }) =>
    measure.endsWith('time') ? values.reduce((sum, value) => sum + value, 0) : 0,
  ...outputsOf(declaration),
  hasCharts: false,
};

/** Seconds of a launch with its end, of a cell, and of the limited cache, on a quiet machine with two cores. */
const [launchS, cellS, limitedS] = [3, 1.5, 8];

/** Approximate duration of a plan. */
export function plannedSeconds(plan: StoringPlan): number {
  const { variants, codings, sizesBytes, bodies, replay, launches } = plan;
  const cells = codings.length * sizesBytes.length * bodies.length;
  const replayS = replay ? replay.requests / replay.rateHz : 0;
  return launches * (variants.length * (2 * launchS + cells * cellS + limitedS) + replayS);
}

function planText(plan: StoringPlan): string {
  const { variants, codings, sizesBytes, bodies, tenBytes, limitBytes, replay, launches, seed } =
    plan;
  return [
    `Browsers   ${variants.map(({ name }) => name).join(', ')}`,
    `Responses  ${bodies.join(' and ')} of ${sizesBytes.map(byteSize).join(', ')} as ${codings.join(', ')}`,
    `At once    ten of ${byteSize(tenBytes)}; entries in a cache of ${byteSize(limitBytes)}`,
    ...(replay ? [replayText(replay)] : []),
    `Launches   ${launches} of each browser, and ${launches} with the limited cache`,
    `Precision  ${precisionText({ launches, readsPerLaunch: 3 })}`,
    `Time       about ${clock(plannedSeconds(plan))} (min:s)`,
    `Seed       ${seed}`,
    '',
  ].join('\n');
}

function replayText({ requests, rateHz, limitBytes }: StoringReplay): string {
  return `Replay     ${requests} requests, ${rateHz} a second; cache of ${byteSize(limitBytes)}`;
}
