import { printable } from './printable.ts';

/** A table as GitHub Flavored Markdown. What a cell holds may be anybody's: it stays text, whatever it is. */
export function markdownTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  alignLeft = header.length,
): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;
  const rule = header.map((_, column) => (column < alignLeft ? '---' : '---:'));
  return [header.map(markdownText), rule, ...rows.map((row) => row.map(markdownText))]
    .map(line)
    .join('');
}

/** A text in which Markdown and HTML have no meaning (GFM 0.29, section 2.4): one line. */
export function markdownText(text: string): string {
  return printable(text).replaceAll(/[\\`*_{}[\]<>#|~&!@$]/g, String.raw`\$&`);
}
