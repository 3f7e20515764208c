/** Names of the fields in which two plans differ. */
export function differencesOf(one: object, other: object): string[] {
  const [a, b] = [new Map(Object.entries(one)), new Map(Object.entries(other))];
  const names = new Set([...a.keys(), ...b.keys()]);
  return [...names].filter((name) => canonical(a.get(name)) !== canonical(b.get(name)));
}

/** JSON with sorted object keys: equal values have equal texts. */
export function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_, inside: unknown) =>
      typeof inside === 'object' && inside !== null && !Array.isArray(inside)
        ? Object.fromEntries(Object.entries(inside).toSorted(([a], [b]) => (a < b ? -1 : 1)))
        : inside,
    ) ?? 'absent'
  );
}
