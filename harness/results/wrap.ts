import { printable } from '@cachescope/model/printable.ts';

/**
 * What may not be torn apart: a number and its unit, a sign and its number, the two sides of `p < 0.001`. Each space
 * in it is written as a no-break space until the lines are made.
 */
const together =
  /(?<=\d) (?=(?:%|ms|s|µs|min|B|KB|KiB|MB|MiB|GB|GiB|Mbit\/s)(?![\w/]))|(?<=\bp) (?=[<=])|(?<=\bp\u00A0[<=]) (?=\d)|(?<=\d(?:\u00A0%)?) (?=…)|(?<=…) (?=[-+\d])/g;

/** Breaks a sentence into lines of at most `columns` characters, between words and never inside a quantity. */
export function wrap(text: string, columns: number): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.replaceAll(together, '\u00A0').split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (longer.length > columns && line !== '') {
      lines.push(line);
      line = word;
    } else {
      line = longer;
    }
  }
  return [...lines, line].join('\n').replaceAll('\u00A0', ' ');
}

/** The same for text of a page or a file, which starts no line of its own. */
export function paragraph(text: string, columns: number): string {
  return wrap(printable(text), columns);
}

/** The first lines of a paragraph; what does not fit ends with an ellipsis. */
export function firstLines(text: string, columns: number, most: number): string[] {
  const lines = paragraph(text, columns).split('\n');
  if (lines.length <= most) return lines;
  const last = (lines[most - 1] ?? '').slice(0, columns - 2).replace(/[\s,;:(]+\S*$/, '');
  return [...lines.slice(0, most - 1), `${last} …`];
}
