import { html, type TemplateResult } from 'lit';
import { icon, type IconName } from './icon.ts';

/** A button with only an icon; its name is in the tooltip. */
export function iconButton(
  name: IconName,
  title: string,
  act: () => void,
  isDisabled = false,
): TemplateResult {
  return html`<button
    type="button"
    class="icon-button"
    title=${title}
    aria-label=${title}
    ?disabled=${isDisabled}
    @click=${act}
  >
    ${icon(name)}
  </button>`;
}

/** A button of the content, not of a toolbar. */
export function outlinedButton(text: string, act: () => void): TemplateResult {
  return html`<button type="button" class="text-button outlined" @click=${act}>${text}</button>`;
}
