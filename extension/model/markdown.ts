import { printable } from './printable.ts';

/** A table as GitHub Flavored Markdown. Cell contents may come from anyone: they are escaped and stay text. */
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

/** Escapes a text so that Markdown and HTML have no effect in it (GFM 0.29, section 2.4): one line. */
export function markdownText(text: string): string {
  return printable(text).replaceAll(/[\\`*_{}[\]<>#|~&!@$]/g, String.raw`\$&`);
}
