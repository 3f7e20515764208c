import { differencesBetween } from './conditions.ts';
import type { ComparableGroup } from './group.ts';
import { factorsApart, sideNames } from './names.ts';
import { pairGroups, selected } from './selection.ts';
import type { CompareSide } from './side.ts';
import type { ComparedReadings, ComparisonDocument, ConditionDifference, Side } from './run.ts';
import { notInEffect } from '../features/effect.ts';
import type { Parsed } from '../parsed.ts';
import { type RunBase, schemaVersion } from '../run/base.ts';
import { defaultMargin } from '../statistics/verdict.ts';

/** Options of a comparison. */
export interface CompareOptions {
  /** Equivalence margin as a share; default: that of both runs, and 2 % where they differ. */
  margin?: number | undefined;
  /** Conditions that are intended to differ in this comparison. */
  across?: readonly string[];
  /** Names of the baseline and the other side in sentences; default: the selected levels, or A and B. */
  names?: readonly [against: string, of: string] | undefined;
  /** Both sides are groups of one run: effects of a launch on both sides then cancel. */
  isOneRun: boolean;
}

/** The fields of the comparison's run.json that say which tool made it, where and when. */
export type ComparisonHead = Pick<RunBase, 'tool' | 'startedAt' | 'commandLine' | 'environment'>;

/** Seed of the resamples of every interval; constant, so that a repeated comparison gives the same result. */
const seed = 1;

/** Compares B (`of`) with A, the baseline. Reports all problems at once. */
export function compareSides(
  against: CompareSide,
  of: CompareSide,
  options: CompareOptions,
  head: ComparisonHead,
): Parsed<ComparisonDocument> {
  if (against.experiment !== of.experiment) {
    return {
      problems: [
        `${against.source} is a run of ${against.experiment} and ${of.source} one of ${of.experiment}; only runs of one experiment can be compared`,
      ],
    };
  }
  // Factors whose levels differ between the sides are the subject of the comparison, and do not pair groups.
  const apart = factorsApart(against.selection, of.selection);
  const chosen = [against, of].map((side) =>
    selected(side.groups, side.selection, side.source, apart),
  );
  const [first, second] = chosen;
  const problems = chosen.flatMap((side) => ('problems' in side ? side.problems : []));
  if (!first || !second || 'problems' in first || 'problems' in second) return { problems };
  const paired = pairGroups(second.value, first.value, apart);
  if ('problems' in paired) return paired;
  const { pairs, unmatched } = paired.value;
  const launches = options.isOneRun ? 0 : launchesIn(against.groups);
  const { name, title, better, measure } = of.metric;
  const names = options.names ?? sideNames(against.selection, of.selection);
  const withheld = options.isOneRun
    ? of.withheld(of.selection, against.selection)
    : of.presets && against.presets && notInEffect(of.presets, against.presets);
  return {
    value: {
      run: {
        ...head,
        schemaVersion,
        experiment: 'comparison',
        status: 'complete',
        endedAt: head.startedAt,
        proofs: [],
        plan: {
          experiment: of.experiment,
          metric: { name, title, better, measure },
          margin: options.margin ?? marginOfBoth(against, of),
          // Looks at the samples of two runs compared the groups within each.
          ...(options.isOneRun && against.alpha !== undefined && { alpha: against.alpha }),
          ...(typeof withheld === 'string' && { inconclusive: withheld }),
          against: savedSide(against, names[0]),
          of: savedSide(of, names[1]),
          across: [...(options.across ?? [])],
          seed,
        },
        differences: options.isOneRun ? [] : differencesOf(against, of),
        unmatched,
        warnings: warningsOf(against, of),
      },
      pairs: pairs.map((pair, place) => ({
        place,
        factors: { ...pair.factors },
        against: savedReadings(pair.against, 0),
        of: savedReadings(pair.of, launches),
      })),
    },
  };
}

/** Differences that may explain a changed value and that the user did not declare. */
export function undeclared({ run }: ComparisonDocument): ConditionDifference[] {
  return run.differences.filter(
    ({ condition, matters }) => matters && !run.plan.across.includes(condition),
  );
}

/** `chromium: Chrome/155 in A, Chrome/156 in B`. */
export function differenceText({ condition, against, of }: ConditionDifference): string {
  return `${condition}: ${against} in A, ${of} in B`;
}

function differencesOf(against: CompareSide, of: CompareSide): ConditionDifference[] {
  // The conditions of a table are unknown, which is not a difference; a warning reports it.
  if (isTable(against) || isTable(of)) return [];
  return [
    ...differencesBetween(against.conditions, of.conditions, true),
    ...differencesBetween(against.circumstances, of.circumstances, false),
  ];
}

function isTable({ conditions }: CompareSide): boolean {
  return Object.keys(conditions).length === 0;
}

function warningsOf(against: CompareSide, of: CompareSide): string[] {
  const tables = [against, of].filter(isTable).map(({ source }) => source);
  const partial = [against, of].flatMap(({ source, circumstances: { status } }) =>
    status === undefined || status === 'complete'
      ? []
      : [`${source} is ${status}: groups that it did not reach are missing or smaller.`],
  );
  const all = [
    ...tables.map(
      (source) =>
        `${source} holds medians only, and nothing about browser, machine and disk, so significance cannot be tested. Compare the run directories.`,
    ),
    ...partial,
  ];
  // Both sides may come from one run.
  return [...new Set(all)];
}

/** Number of launches of A, whose launch numbers start at 0. The launch numbers of B continue after them. */
function launchesIn(groups: readonly ComparableGroup[]): number {
  let most = -1;
  for (const { readings } of groups) {
    for (const { launch } of readings) if (launch !== null && launch > most) most = launch;
  }
  return most + 1;
}

function marginOfBoth({ margin }: CompareSide, of: CompareSide): number {
  return margin !== undefined && margin === of.margin ? margin : defaultMargin;
}

function savedSide({ source, selection, about, trust }: CompareSide, name: string): Side {
  return { name, source, selection: { ...selection }, about, ...(trust && { trust }) };
}

function savedReadings(
  { readings, flagged, measuredDelayMs = null }: ComparableGroup,
  launchesBefore: number,
): ComparedReadings {
  return {
    values: readings.map(({ value }) => value),
    launches: readings.map(({ launch }) => (launch === null ? null : launch + launchesBefore)),
    flagged,
    measuredDelayMs,
  };
}
