import { clearView, fold, type PanelState, type Update } from './panel-state.ts';
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

/** Keyboard shortcuts of the whole panel. */
export function listenToKeys(stateOf: () => PanelState, update: Update, commands: Commands): void {
  addEventListener('keydown', (event) => {
    const act = event.ctrlKey || event.metaKey ? shortcuts(stateOf(), update, commands) : {};
    const found = act[event.key.toLowerCase()];
    if (!found || event.altKey || event.shiftKey) return;
    event.preventDefault();
    found();
  });
}

function shortcuts(
  state: PanelState,
  update: Update,
  commands: Commands,
): Record<string, (() => void) | undefined> {
  return {
    o: state.canOpenFiles ? commands.chooseFiles : undefined,
    f: state.view === 'load' && state.shown ? () => focusFilter(update) : undefined,
    l: () => update(clearView),
    ...(state.isInspecting ? { e: commands.toggleRecording, r: commands.reloadPage } : {}),
  };
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
