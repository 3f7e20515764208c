/** A number of its own: not a part of a name, a version or an address. */
const number = /(?<![\w./:-])\d+(?:,\d{3})*(?:\.\d+)?(?![\w/:]|[.,-]\d)/g;

/**
 * The warnings of a run for a reader: those that differ in nothing but numbers are one, with the range of each number and
 * how often it was given. In the order in which each was first given.
 */
export function foldedWarnings(warnings: readonly string[]): string[] {
  const alike = Map.groupBy(warnings, warningKind);
  return [...alike.values()].map(folded);
}

/** The same for warnings that differ in nothing but numbers. */
export function warningKind(warning: string): string {
  return warning.replaceAll(number, '#');
}

function folded(warnings: readonly string[]): string {
  const [first = ''] = warnings;
  if (warnings.length === 1) return first;
  const numbers = warnings.map((text) => text.match(number) ?? []);
  let place = 0;
  const text = first.replaceAll(number, () => {
    const at = place++;
    return rangeText(numbers.map((found) => found[at] ?? ''));
  });
  return `${text} (${warnings.length} times)`;
}

/** The least and the greatest as they were written. */
function rangeText(texts: readonly string[]): string {
  const sorted = texts.toSorted((one, other) => valueOf(one) - valueOf(other));
  const [least = '', greatest = ''] = [sorted[0], sorted.at(-1)];
  return least === greatest ? least : `${least} to ${greatest}`;
}

function valueOf(text: string): number {
  return Number(text.replaceAll(',', ''));
}
