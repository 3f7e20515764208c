/** Maximum number of cells that a reason names; further ones are counted. */
const mostNamed = 5;

/** Why a finished run is not complete: cells without a usable measurement, by name; null: there are none. */
export function cellsWithoutUse(item: string, names: readonly string[]): string | null {
  if (names.length === 0) return null;
  const more = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : '';
  return `no usable ${item} of ${names.slice(0, mostNamed).join('; ')}${more}`;
}
