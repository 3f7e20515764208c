import type { TemplateResult } from 'lit';
import { html } from '../marked-html.ts';

/** The head of a table in the drawer: columns of words first, then columns of numbers. */
export function tableHead(
  words: readonly (string | TemplateResult)[],
  numbers: readonly string[] = [],
): TemplateResult {
  return html`<thead>
    <tr>
      ${words.map((title) => html`<th scope="col">${title}</th>`)}
      ${numbers.map((title) => html`<th scope="col" class="number">${title}</th>`)}
    </tr>
  </thead>`;
}
