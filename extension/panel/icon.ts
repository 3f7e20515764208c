import { html, type TemplateResult } from 'lit';

/** Icons of DevTools used here; icons.css has one rule for each. */
export type IconName =
  | 'arrow-up-down'
  | 'bin'
  | 'check-circle'
  | 'clear'
  | 'cloud'
  | 'code-circle'
  | 'copy'
  | 'cross'
  | 'cross-circle'
  | 'database'
  | 'difference'
  | 'document'
  | 'download'
  | 'file-document'
  | 'file-fetch-xhr'
  | 'file-font'
  | 'file-generic'
  | 'file-image'
  | 'file-manifest'
  | 'file-media'
  | 'file-script'
  | 'file-stylesheet'
  | 'file-wasm'
  | 'file-websocket'
  | 'filter'
  | 'gear'
  | 'gears'
  | 'help'
  | 'history'
  | 'import'
  | 'info'
  | 'lightbulb'
  | 'memory'
  | 'minus'
  | 'record-start'
  | 'record-stop'
  | 'refresh'
  | 'replay'
  | 'speculative-loads'
  | 'sync'
  | 'triangle-down'
  | 'triangle-up'
  | 'warning';

/** An icon beside text with the same meaning. Hidden from screen readers. */
export function icon(name: IconName): TemplateResult {
  return html`<span class="icon icon-${name}" aria-hidden="true"></span>`;
}
