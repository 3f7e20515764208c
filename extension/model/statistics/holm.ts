/**
 * Holm's step-down correction (1979) of the p-values of one family: it keeps the familywise error rate, the probability
 * that any cell without a difference is called different, at the level. In the order given. null (unknown) stays null
 * and does not count as a test. A p-value outside 0 to 1 becomes null.
 */
export function holm(pValues: readonly (number | null)[]): (number | null)[] {
  const known = pValues
    .map((p, index) => ({ p: p ?? Number.NaN, index }))
    .filter(({ p }) => p >= 0 && p <= 1)
    .toSorted((a, b) => a.p - b.p);
  const adjusted = pValues.map((): number | null => null);
  let floor = 0;
  for (const [place, { p, index }] of known.entries()) {
    floor = Math.max(floor, Math.min(1, p * (known.length - place)));
    adjusted[index] = floor;
  }
  return adjusted;
}
