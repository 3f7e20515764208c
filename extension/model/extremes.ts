/** The largest of any number of values: Math.max() accepts only about 100,000. -Infinity for none. */
export function greatest(values: Iterable<number>): number {
  let found = -Infinity;
  for (const value of values) found = Math.max(found, value);
  return found;
}

/** The smallest of any number of values. Infinity for none. */
export function least(values: Iterable<number>): number {
  let found = Infinity;
  for (const value of values) found = Math.min(found, value);
  return found;
}
