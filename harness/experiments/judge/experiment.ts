import { gateOutcome } from '@cachescope/model/judge/gate.ts';
import { judge as declaration } from '@cachescope/model/judge/declaration.ts';
import type {
  JudgeLine,
  JudgePlan,
  JudgeRun,
  JudgeRunDocument,
} from '@cachescope/model/judge/run.ts';
import type { JudgeSummary } from '@cachescope/model/judge/summary.ts';
import { byteSize } from '@cachescope/model/quantity.ts';
import type { StoringPlan } from '@cachescope/model/storing/run.ts';
import { requireFeatures } from '../../browser/known-features.ts';
import { CachescopeError } from '../../error.ts';
import { clock } from '../../lab/progress.ts';
import { outputsOf } from '../declared.ts';
import type { Experiment } from '../experiment.ts';
import { type JudgeFound, plannedSteps, measureJudge } from './measurement.ts';
import { type JudgeAsked, judgeOptions } from './options.ts';
import { plannedSeconds, storing } from '../storing/experiment.ts';
import { verdictText } from './verdict.ts';

const help = `
The baseline is the browser as it is. Each situation is played on both sides; a
situation that varies on one side is called unsteady, not different.

Examples:
  npm run judge -- --features recompress
  npm run judge -- --disk-cache sql --quick --gate safety
  npm run judge -- --browser-b out/chrome --gate conformance
  npm run judge -- --disk-cache sql --parts cost --gate cost
  npm run judge -- --features recompress --situations 'range of a stored response'
  npm run judge -- --resume results/DIR  complete an interrupted run`;

const outputs = outputsOf(declaration);

/** Whether a change of a browser's cache shows pages other bytes, or other freshness, and what it costs. */
export const judge: Experiment<{
  document: JudgeRunDocument;
  line: JudgeLine;
  asked: JudgeAsked;
  planned: JudgeAsked;
  found: JudgeFound;
  summary: JudgeSummary;
}> = {
  name: 'judge',
  summary: 'judge a change of a browser: is every byte right, and every response fresh',
  description:
    'Plays situations of pages and origins in a browser and in a changed one, and says in which the two differ, and ' +
    'whether the changed one breaks a safety rule; and measures what it costs.',
  help,
  options: judgeOptions,
  firstOptions: ['features', 'flags', 'browserB', 'diskCache', 'quick'],
  plan: async (asked) => asked,
  resume: {
    plan: async ({ plan }, { gate }) => ({ plan, gate }),
    besides: ['gate'],
    conditions: [
      ['Chromium', ({ environment }) => environment.chromium.version],
      ['browsers', browsersOf],
    ],
  },
  planText: ({ plan }) => planText(plan),
  async requirements(planned, tools) {
    const chromiumPath = await tools.requireChromium();
    for (const variant of planned.plan.variants)
      await requireFeatures(variant.browser ?? chromiumPath, [variant]);
    return { ...planned, chromiumPath, storage: 'none' };
  },
  steps: plannedSteps,
  finishing: 'finishing this situation',
  measure: measureJudge,
  measuredMs: (line) => ('measure' in line ? storing.measuredMs(line) : line.tookMs),
  ...outputs,
  files(document, summary) {
    const page = outputs.page(document, summary);
    return {
      ...outputs.files(document, summary),
      'verdict.md': verdictText(page, summary.trust, document.run.commandLine),
    };
  },
  hasCharts: false,
  gate: (summary, { gate }) => gateError(gate, summary),
};

/** The files that were started, by their bytes. */
function browsersOf({ evidence }: JudgeRun): string {
  return evidence.map(({ version, programSha256 }) => `${version} ${programSha256}`).join(', ');
}

function gateError(gate: JudgeAsked['gate'], summary: JudgeSummary): CachescopeError | null {
  const outcome = gate ? gateOutcome(gate, summary) : 'passed';
  if (outcome === 'passed') return null;
  const { verdict, withheld } = gate === 'cost' && summary.cost ? summary.cost : summary;
  const text = `gate ${gate}: ${verdict}${withheld === null ? '' : `: ${withheld}`}`;
  return new CachescopeError(outcome === 'failed' ? 'CS_GATE' : 'CS_GATE_UNKNOWN', text);
}

/** `10 KiB, 1 MiB as br, dcz; 1,000 entries; 6 launches`. */
function costText({ sizesBytes, codings, entries, launches }: StoringPlan): string {
  const many = entries === undefined ? '' : `; ${entries} entries`;
  return `${sizesBytes.map(byteSize).join(', ')} as ${codings.join(', ')}${many}; ${launches} launches of each`;
}

/** Seconds of a situation, and of one with a browser of its own, on a quiet machine with two cores. */
const situationS = 0.5;

function planText({ variants, situations, rounds, cost, seed }: JudgePlan): string {
  const playS = situations.length * rounds * variants.length * situationS;
  const seconds = playS + (cost ? plannedSeconds(cost) : 0);
  return [
    `Sides       ${variants.map(({ name }) => name).join(', ')}`,
    `Situations  ${situations.length}`,
    `Rounds      ${rounds}`,
    ...(cost ? [`Cost        ${costText(cost)}`] : []),
    `Time        about ${clock(seconds)} (min:s)`,
    `Seed        ${seed}`,
    '',
  ].join('\n');
}
