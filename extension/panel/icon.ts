import { html, type TemplateResult } from 'lit';
import type { IconName } from './icon-names.ts';

export type { IconName } from './icon-names.ts';

/** An icon beside text with the same meaning. Hidden from screen readers. */
export function icon(name: IconName): TemplateResult {
  return html`<span class="icon icon-${name}" aria-hidden="true"></span>`;
}
