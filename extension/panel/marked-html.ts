import { printable } from '@cachescope/model/printable.ts';
import { html as template, type TemplateResult } from 'lit';

/**
 * Lit's `html` for text of pages, servers and files: characters that would change the order or the direction of what
 * stands around them (U+202E and others) are marked in every value that is a text.
 */
export function html(strings: TemplateStringsArray, ...values: unknown[]): TemplateResult<1> {
  return template(strings, ...values.map(marked));
}

/** Line feeds of a tooltip remain. */
function marked(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return value.split('\n').map(printable).join('\n');
}
