/** A kept measurement, and why the statistics exclude it; no flag: they use it. */
interface Flagged<Flag extends string = string> {
  flags: readonly Flag[];
}

/** The measurements that the statistics may use. */
export function unflagged<Line extends Flagged>(lines: readonly Line[]): Line[] {
  return lines.filter(({ flags }) => flags.length === 0);
}

/**
 * Number of measurements with each flag. One measurement may have several. `known`: flags that are counted also where no
 * measurement has them.
 */
export function countFlags<Flag extends string>(
  lines: readonly Flagged<Flag>[],
  known: readonly Flag[] = [],
): Record<Flag, number> {
  const counts = Object.fromEntries(known.map((flag) => [flag, 0])) as Record<Flag, number>;
  for (const { flags } of lines)
    for (const flag of new Set(flags)) counts[flag] = (counts[flag] ?? 0) + 1;
  return counts;
}

/** The flags that measurements have, with their numbers, such as `origin-touched 3`; empty when none is flagged. */
export function flagTexts(counts: Readonly<Partial<Record<string, number>>>): string[] {
  return Object.entries(counts).flatMap(([flag, count = 0]) =>
    count > 0 ? [`${flag} ${count}`] : [],
  );
}
