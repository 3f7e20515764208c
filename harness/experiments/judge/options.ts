import { existsSync } from 'node:fs';
import {
  baselineOf,
  differsInSeveral,
  settingDifferences,
} from '@cachescope/model/features/differences.ts';
import type { JudgePlan } from '@cachescope/model/judge/run.ts';
import { type JudgeGate, judgeGates } from '@cachescope/model/judge/gate.ts';
import { fewestPlays } from '@cachescope/model/judge/situation-row.ts';
import { diskCacheBackEnds, type Settings, type Variant } from '@cachescope/model/run/variant.ts';
import { storingBodies, type StoringPlan } from '@cachescope/model/storing/run.ts';
import type { Situation } from '../../conformance/situation.ts';
import { conformanceSituations } from '../../conformance/situations.ts';
import { isExecutable } from '../../environment/setup/programs.mjs';
import { featureNames, readFeatureVariants } from '../../options/features-reading.ts';
import { oneOf, someOf } from '../../options/name-reading.ts';
import { integerFrom, type Problems } from '../../options/option-reading.ts';
import { commandOptions } from '../../options/option-table.ts';
import { limitShare } from '../storing/options.ts';

/** The parsed options of `judge`. */
export interface JudgeAsked {
  plan: JudgePlan;
  /** undefined: the verdict has no exit code of its own. */
  gate: JudgeGate | undefined;
}

/** The parts of a verdict. */
const judgeParts = ['conformance', 'cost'] as const;
type JudgePart = (typeof judgeParts)[number];

const mostRounds = 20;
const [rounds, quickRounds] = ['3', fewestPlays];
const stock: Variant = { name: 'stock' };

/** The options of `judge`. */
export const judgeOptions = commandOptions(
  {
    features: {
      value: '<name>',
      description: `candidate: a feature preset of the browser: ${featureNames}`,
    },
    flags: {
      value: '<switches>',
      description: 'candidate: switches of the browser, such as "--enable-features=Name"',
      read: readFlags,
    },
    browserB: {
      value: '<path>',
      description: 'candidate: another Chromium; --browser is the baseline',
      read: readBrowser,
    },
    diskCache: {
      value: '<name>',
      description:
        'back end of the disk cache: simple, blockfile, sql; of both sides where another option names the candidate',
      read: oneOf(diskCacheBackEnds),
    },
    parts: {
      value: '<list>',
      description: 'what is judged: conformance, cost',
      default: 'conformance',
      read: someOf(judgeParts, 'a part'),
    },
    situations: {
      value: '<words>',
      description: 'only the situations of this topic, or whose name contains these words',
      read: readSituations,
    },
    rounds: {
      value: '<n>',
      description: 'how often each side plays each situation',
      default: rounds,
      read: integerFrom(fewestPlays, mostRounds),
    },
    quick: { description: 'one situation of each kind, two rounds; cost: one size, 3 launches' },
    gate: {
      value: '<rule>',
      description:
        'exit code 10 when the candidate breaks a further safety rule (safety), differs at all (conformance), or costs more (cost); 11 without a verdict',
      read: oneOf(judgeGates),
    },
  },
  (values, problems, typed): JudgeAsked => {
    const { situations = conformanceSituations, quick, seed, gate } = values;
    const isResumed = typed['resume'] !== undefined;
    const { variants, settings } = sidesOf(values, isResumed, problems);
    if (problems.length === 0 && !isResumed) requireOneChange(variants, problems);
    const has = (part: JudgePart) => values.parts.includes(part);
    if (!isResumed) requireGatePart(gate, values.parts, problems);
    const played = has('conformance') ? situations : [];
    const wanted = played.filter(
      (each) => !(quick && each.isDetail) && !decidesOtherwise(each, [settings, ...variants]),
    );
    const plan: JudgePlan = {
      variants,
      ...(Object.keys(settings).length > 0 && { settings }),
      situations: wanted.map(({ name }) => name),
      rounds: quick && typed['rounds'] === undefined ? quickRounds : values.rounds,
      ...(has('cost') && { cost: costPlan({ variants, settings, quick, seed }) }),
      seed,
    };
    return { plan, gate };
  },
  ['shard', 'plan'],
);

function requireGatePart(
  gate: JudgeGate | undefined,
  parts: readonly JudgePart[],
  problems: Problems,
) {
  const part = gate === 'cost' ? 'cost' : 'conformance';
  if (gate !== undefined && !parts.includes(part))
    problems.push(`--gate ${gate} needs --parts ${part}`);
}

/** What of the cost is measured: Brotli stands for responses without a dictionary, DCZ for those with one. */
function costPlan({
  variants,
  settings,
  quick,
  seed,
}: Pick<JudgePlan, 'variants' | 'seed'> & { settings: Settings; quick: boolean }): StoringPlan {
  const tenBytes = quick ? 100 * 1024 : 2 ** 20;
  return {
    variants: variants.map((variant) => ({ ...settings, ...variant })),
    codings: ['br', 'dcz'],
    sizesBytes: quick ? [tenBytes] : [10 * 1024, 100 * 1024, tenBytes],
    bodies: quick ? ['text'] : [...storingBodies],
    tenBytes,
    limitBytes: limitShare * tenBytes,
    entries: quick ? 300 : 1000,
    launches: quick ? 3 : 6,
    seed,
  };
}

interface Candidates {
  features: string | undefined;
  flags: string[] | undefined;
  browserB: string | undefined;
  diskCache: Variant['diskCache'] | undefined;
}

/** The baseline and the candidate, which differ in the one thing that an option names, and the settings of both. */
function sidesOf(
  { features, flags, browserB, diskCache }: Candidates,
  isResumed: boolean,
  problems: Problems,
): { variants: Variant[]; settings: Settings } {
  const named = [features, flags, browserB].filter((each) => each !== undefined);
  if (named.length > 1)
    problems.push(
      'several of --features, --flags and --browser-b are given: a pair that differs in two things has no verdict',
    );
  if (named.length === 0 && diskCache === undefined && !isResumed)
    problems.push('no change is named: --features, --flags, --browser-b or --disk-cache');
  if (named.length === 0 && diskCache !== undefined)
    return { variants: [stock, { name: `disk-cache=${diskCache}`, diskCache }], settings: {} };
  const settings = diskCache === undefined ? {} : { diskCache };
  if (features !== undefined)
    return { variants: presetSides(features, settings, problems), settings };
  const candidate: Variant = {
    name: browserB === undefined ? 'flags' : 'browser-b',
    ...(flags && { flags }),
    ...(browserB !== undefined && { browser: browserB }),
  };
  return { variants: [stock, candidate], settings };
}

/** A difference of two things would have no cause; a difference of nothing has none. */
function requireOneChange([baseline = stock, candidate = stock]: Variant[], problems: Problems) {
  const differences = settingDifferences(baseline, candidate);
  const several = differsInSeveral(differences);
  if (differences.length === 0) problems.push('the candidate is the browser as it is');
  if (several !== null) problems.push(`no verdict could name the cause: ${several}`);
}

function presetSides(features: string, settings: Settings, problems: Problems): Variant[] {
  const variants = readFeatureVariants(features, '--features', problems, settings);
  const candidate = variants.at(-1);
  const presets = variants.filter(
    ({ name }) => name !== 'stock' && !name.startsWith('disk-cache='),
  );
  if (presets.length > 1)
    problems.push(`--features ${features} names ${presets.length} variants; one change is judged`);
  const baseline = candidate && baselineOf({ variants, settings }, candidate.name);
  return [baseline ?? stock, candidate ?? stock];
}

/** Whether a situation sets what a side sets too. */
function decidesOtherwise({ settings = {} }: Situation, sides: readonly Settings[]): boolean {
  return Object.keys(settings).some((name) => sides.some((side) => name in side));
}

function readFlags(text: string, flag: string, problems: Problems): string[] {
  const flags = text.trim().split(/\s+(?=--)/);
  if (flags.some((each) => !/^--[\w-]+(=.*)?$/.test(each)))
    problems.push(`${flag} is ${JSON.stringify(text)}; it must be switches, such as --name=value`);
  return flags;
}

function readBrowser(text: string, flag: string, problems: Problems): string {
  const problem = existsSync(text) ? 'is no program that this user may run' : 'does not exist';
  if (!isExecutable(text)) problems.push(`${flag} ${text} ${problem}`);
  return text;
}

function readSituations(text: string, flag: string, problems: Problems): readonly Situation[] {
  const words = text.toLowerCase();
  const exact = conformanceSituations.filter(({ name }) => name === text);
  const like = conformanceSituations.filter(
    ({ name, topic }) => topic.toLowerCase() === words || name.toLowerCase().includes(words),
  );
  const topics = [...new Set(conformanceSituations.map(({ topic }) => topic))];
  if (like.length === 0)
    problems.push(
      `${flag} ${JSON.stringify(text)} is in no name of a situation, and no topic; topics are ${topics.join(', ')}`,
    );
  return exact.length > 0 ? exact : like;
}
