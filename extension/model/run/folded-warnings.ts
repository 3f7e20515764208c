/** A number that is not part of a name, a version or an address. */
const number = /(?<![\w./:-])\d+(?:,\d{3})*(?:\.\d+)?(?![\w/:]|[.,-]\d)/g;

/**
 * The warnings of a run for display. Warnings that differ only in numbers are combined into one, with the range of each
 * number and the count of warnings. Ordered by first occurrence.
 */
export function foldedWarnings(warnings: readonly string[]): string[] {
  const alike = Map.groupBy(warnings, warningKind);
  return [...alike.values()].map(folded);
}

/** A key that warnings share when they differ only in numbers. */
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

/** The smallest and the largest number, in their original spelling. */
function rangeText(texts: readonly string[]): string {
  const sorted = texts.toSorted((one, other) => valueOf(one) - valueOf(other));
  const [least = '', greatest = ''] = [sorted[0], sorted.at(-1)];
  return least === greatest ? least : `${least} to ${greatest}`;
}

function valueOf(text: string): number {
  return Number(text.replaceAll(',', ''));
}
