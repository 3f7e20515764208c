/** Far beyond any size, time or count, and far below where sums become infinite. */
const most = 1e15;

/**
 * Numbers that nothing measures, anywhere in a value that its schema has accepted, in sentences: a saved run is anybody's
 * file, and what is computed from it must stay finite. Without recursion: a file chooses how deep it goes.
 */
export function unboundedNumbers(name: string, value: unknown): string[] {
  const left: unknown[] = [value];
  for (let at = left.pop(); at !== undefined; at = left.pop()) {
    if (typeof at === 'number' && !(Math.abs(at) <= most))
      return [`${name}: ${at} is beyond what can be measured (${most})`];
    if (typeof at === 'object' && at !== null)
      for (const inside of Object.values(at)) left.push(inside ?? null);
  }
  return [];
}
