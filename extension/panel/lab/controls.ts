import { maxDelayMs } from '@cachescope/model/explore/lab.ts';
import { byteSize, counted, milliseconds } from '@cachescope/model/quantity.ts';
import { html, nothing, type TemplateResult } from 'lit';
import type { Commands, LabRequest } from '../commands.ts';
import { icon, type IconName } from '../icon.ts';
import type { LabView } from '../panel-state.ts';

/** Controls of the lab that started this browser: its slow disk and its caches. */
export function labControls({ state, busy, problem }: LabView, commands: Commands): TemplateResult {
  const working = busy || state.busyWith;
  const action = (
    kind: Exclude<LabRequest['kind'], 'delay'>,
    name: IconName,
    title: string,
    says: string,
    isDisabled = false,
  ) =>
    html`<button
      type="button"
      class="text-button"
      title=${says}
      ?disabled=${isDisabled || Boolean(working)}
      @click=${() => commands.askLab({ kind })}
    >
      ${icon(name)}<span>${title}</span>
    </button>`;
  return html`<div class="lab" role="toolbar" aria-label="Lab">
    <strong>Lab</strong>
    ${state.backEnd === 'none' ? withoutDevice : delayControl(state, Boolean(working), commands)}
    <span class="divider"></span>
    ${action(
      'dropPageCache',
      'memory',
      'Drop page cache',
      state.canDropPageCache
        ? 'The next read of each cache entry comes from the disk'
        : 'Needs root, which the lab does not have',
      !state.canDropPageCache,
    )}
    ${action('clearHttpCache', 'bin', 'Clear HTTP cache', 'Empties the browser’s cache on disk')}
    ${action(
      'relaunch',
      'refresh',
      'Relaunch cold',
      'Restarts the browser with nothing in memory. Its tabs come back',
    )}
    <button
      type="button"
      class="text-button"
      title="Reads the size of each cache entry for the newest load. This warms the entries’ metadata"
      ?disabled=${Boolean(working)}
      @click=${commands.findStoredSizes}
    >
      ${icon('database')}<span>Stored sizes</span>
    </button>
    <span class="lab-facts"
      >Cache ${byteSize(state.cacheBytes)} · ${counted(state.savedLoads, 'load')} saved</span
    >
    ${working ? html`<span class="busy">${working}…</span>` : nothing}
    ${
      problem || state.lastProblem
        ? html`<span class="lab-problem" role="alert"
            >${icon('warning')}<span>${problem || state.lastProblem}</span></span
          >`
        : nothing
    }
  </div>`;
}

const withoutDevice = html`<span class="hint">no slow disk, so no delay to set</span>`;

function delayControl(
  { delayMs, measuredDelayMs, backEnd, isLive }: LabView['state'],
  isBusy: boolean,
  commands: Commands,
): TemplateResult {
  const says = isLive
    ? 'Delay of each disk read. It changes immediately'
    : 'Delay of each disk read. The browser restarts and restores its tabs';
  return html`<form
    class="delay"
    @submit=${(event: SubmitEvent) => {
      event.preventDefault();
      const form = event.currentTarget as HTMLFormElement;
      const wanted = form.querySelector<HTMLInputElement>('input')?.valueAsNumber;
      if (wanted !== undefined && Number.isInteger(wanted)) {
        commands.askLab({ kind: 'delay', delayMs: wanted });
      }
    }}
  >
    <label title=${says}
      >Disk delay
      <input
        type="number"
        min="0"
        max=${maxDelayMs}
        step="1"
        required
        .value=${delayMs === null ? '' : String(delayMs)}
        ?disabled=${isBusy}
      />
      ms</label
    >
    <button type="submit" class="text-button outlined" ?disabled=${isBusy}>
      ${isLive ? 'Set' : 'Set and restart'}
    </button>
    <span class="hint"
      >${backEnd}, measured
      ${milliseconds(measuredDelayMs)}${
        isLive ? '' : '; the browser restarts and its tabs come back'
      }</span
    >
  </form>`;
}
