/** Far above any measured size, time or count, and low enough that sums stay finite. */
const most = 1e15;

/** Far more levels than a run has, and few enough that it can be written as JSON, which is recursive. */
const deepest = 500;

/**
 * Problems, in sentences: numbers beyond any measurable value and nesting beyond any run, in a value that its schema has
 * accepted. A saved run may come from anyone, and every value computed from it must stay finite. Not recursive, because
 * the file controls the depth.
 */
export function unboundedNumbers(name: string, value: unknown): string[] {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > deepest) return [`${name} is nested more than ${deepest} levels deep`];
    const next: unknown[] = [];
    for (const at of level) {
      if (typeof at === 'number' && !(Math.abs(at) <= most))
        return [`${name}: ${at} is beyond what can be measured (${most})`];
      if (typeof at === 'object' && at !== null)
        for (const inside of Object.values(at)) next.push(inside);
    }
    level = next;
  }
  return [];
}
