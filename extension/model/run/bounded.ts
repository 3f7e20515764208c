/** Far above any measured size, time or count, and low enough that sums stay finite. */
const most = 1e15;

/**
 * Problems, in sentences: numbers beyond any measurable value, at any depth of a value that its schema has accepted. A
 * saved run may come from anyone, and every value computed from it must stay finite. Not recursive, because the file
 * controls the depth.
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
