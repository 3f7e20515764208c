import { type ComparableGroup, type Factors, factorsText } from './group.ts';
import type { Parsed } from '../parsed.ts';

/** Two groups that are compared: they differ only in the factors that the comparison is about. */
export interface GroupPair {
  /** The factors that both share, for example their delay; empty without any. */
  factors: Factors;
  of: ComparableGroup;
  against: ComparableGroup;
}

/** The groups of two runs, in pairs of the same cell. */
export interface PairedGroups {
  pairs: GroupPair[];
  /** Groups that only one side has, in words. */
  unmatched: string[];
}

/** Parses `arm=dcb,delay=5 ms`. The unit may be omitted: `delay=5`. */
export function parsedSelection(text: string): Parsed<Factors> {
  const entries = text.split(',').map((part) => part.split('=').map((word) => word.trim()));
  const isWhole = entries.every(
    ([factor, ...level]) => factor && level.length > 0 && level.join('=') !== '',
  );
  if (!isWhole) {
    return {
      problems: [
        `the group ${JSON.stringify(text)} is not of the form factor=level,factor=level, for example arm=dcb,delay=5`,
      ],
    };
  }
  const factors = Object.fromEntries(
    entries.map(([factor = '', ...level]) => [factor, level.join('=')]),
  );
  if (Object.keys(factors).length === entries.length) return { value: factors };
  return { problems: [`the group ${JSON.stringify(text)} names a factor twice`] };
}

/**
 * The groups that match a selection; without a match, a problem that lists the existing levels. Where the selection
 * names no level of a factor that the other side names (`apart`), groups without this factor are meant, if there are
 * any: beside `arm=dcb,variant=recompressed`, `arm=dcb` is the DCB of the unchanged browser.
 */
export function selected(
  groups: readonly ComparableGroup[],
  selection: Factors,
  runName: string,
  apart: readonly string[] = [],
): Parsed<ComparableGroup[]> {
  const named = Object.entries(selection);
  const problems = named.flatMap(([factor, level]) => {
    const levels = [...new Set(groups.map(({ factors }) => factors[factor]))];
    const known = levels.filter((each) => each !== undefined);
    if (known.some((each) => isLevel(each, level))) return [];
    return known.length === 0
      ? [`${runName} has no factor ${JSON.stringify(factor)}; it has ${factorNames(groups)}`]
      : [`${runName} has no ${factor} ${JSON.stringify(level)}; it has ${known.join(', ')}`];
  });
  if (problems.length > 0) return { problems };
  const value = groups.filter(({ factors }) =>
    named.every(([factor, level]) => isLevel(factors[factor] ?? '', level)),
  );
  const unnamed = apart.filter((factor) => selection[factor] === undefined);
  const plain = value.filter(({ factors }) =>
    unnamed.every((factor) => factors[factor] === undefined),
  );
  if (plain.length > 0) return { value: plain };
  if (value.length > 0 || groups.length === 0) return { value };
  return { problems: [`${runName} has no group ${factorsText(selection)}`] };
}

function isLevel(level: string, named: string): boolean {
  return level === named || level === `${named} ms`;
}

function factorNames(groups: readonly ComparableGroup[]): string {
  const names = new Set(groups.flatMap(({ factors }) => Object.keys(factors)));
  return names.size === 0 ? 'none' : [...names].join(', ');
}

/**
 * Pairs the groups of two sides that have equal levels in all factors except the chosen ones (those that a selection
 * named). A problem when a side has several groups for one pair, because the choice would be arbitrary.
 */
export function pairGroups(
  of: readonly ComparableGroup[],
  against: readonly ComparableGroup[],
  chosen: readonly string[],
): Parsed<PairedGroups> {
  const common = ({ factors }: ComparableGroup): Factors =>
    Object.fromEntries(Object.entries(factors).filter(([factor]) => !chosen.includes(factor)));
  const [first, second] = [of, against].map((groups) =>
    Map.groupBy(groups, (group) => factorsText(common(group))),
  );
  if (!first || !second) return { value: { pairs: [], unmatched: [] } };
  const several = [...first, ...second].filter(([, groups]) => groups.length > 1);
  if (several.length > 0) {
    return {
      problems: several.map(
        ([place, groups]) =>
          `${groups.length} groups match ${place || 'one side'}: ${groups.map(({ factors }) => factorsText(factors)).join(' and ')}; name the same factors in both groups`,
      ),
    };
  }
  const pairs = against.flatMap((group) => {
    const [other] = first.get(factorsText(common(group))) ?? [];
    return other ? [{ factors: common(group), of: other, against: group }] : [];
  });
  const lonely = (groups: readonly ComparableGroup[], others: Map<string, unknown>, side: string) =>
    groups
      .filter((group) => !others.has(factorsText(common(group))))
      .map(({ factors }) => `${factorsText(factors)} (only ${side})`);
  return {
    value: { pairs, unmatched: [...lonely(against, first, 'A'), ...lonely(of, second, 'B')] },
  };
}
