import { clearView, filterBy, fold, type PanelState, type Update } from './panel-state.ts';
import type { Commands } from './commands.ts';

/** Handles files that are chosen, or dropped anywhere in the page. */
export function listenToFiles(picker: HTMLInputElement, commands: Commands): void {
  Object.assign(picker, { type: 'file', multiple: true, hidden: true, id: 'run-files' });
  picker.accept = '.json,.ndjson,.har,application/json';
  document.body.prepend(picker);
  picker.addEventListener('change', () => {
    commands.openFiles([...(picker.files ?? [])]);
    // So that the same files can be chosen again after a correction.
    picker.value = '';
  });
  listenToDrops(commands);
}

/**
 * Keyboard shortcuts of the whole panel. DevTools listens to the panel's document and acts on a shortcut of its own too, as
 * it would on Esc: what the panel takes never reaches that document.
 */
export function listenToKeys(stateOf: () => PanelState, update: Update, commands: Commands): void {
  const listen = (event: KeyboardEvent): void => {
    const { canOpenFiles, view, shown, isInspecting } = stateOf();
    const shortcuts: Record<string, (() => void) | false> = {
      o: canOpenFiles && commands.chooseFiles,
      f: view === 'load' && shown !== null && (() => focusFilter(update)),
      l: () => update(clearView),
      e: isInspecting && commands.toggleRecording,
      r: isInspecting && commands.reloadPage,
    };
    const act = shortcuts[event.key.toLowerCase()];
    if (!act || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    takeKey(event);
    act();
  };
  addEventListener('keydown', listen, { capture: true });
}

/** DevTools and the browser do nothing with this key any more. */
export function takeKey(event: KeyboardEvent): void {
  event.preventDefault();
  event.stopPropagation();
}

/** DevTools' own search, started outside the panel, is the filter's text (devtools/devtools.ts). */
export function listenToSearch(update: Update): void {
  addEventListener('message', ({ origin, data }: MessageEvent<unknown>) => {
    if (origin !== location.origin || typeof data !== 'object' || data === null) return;
    const { search } = data as { search?: unknown };
    if (typeof search === 'string') update(filterBy({ text: search }));
  });
}

function focusFilter(update: Update): void {
  update(fold('filter', true));
  const filter = document.querySelector<HTMLInputElement>('#filter');
  filter?.focus();
  filter?.select();
}

function listenToDrops(commands: Commands): void {
  addEventListener('dragover', (event) => {
    event.preventDefault();
    document.body.classList.add('dragging');
  });
  addEventListener('dragleave', (event) => {
    if (!event.relatedTarget) document.body.classList.remove('dragging');
  });
  addEventListener('drop', (event) => {
    event.preventDefault();
    document.body.classList.remove('dragging');
    commands.openFiles([...(event.dataTransfer?.files ?? [])]);
  });
}
