import { curlCommand } from '@cachescope/model/load/curl.ts';
import type { EvidenceDepth } from '@cachescope/model/attribution/evidence.ts';
import type { Load } from '@cachescope/model/load/load.ts';
import type { Commands } from './commands.ts';
import type { SearchedLoads } from './drawer/lookup.ts';
import { exportLoad } from './loads/export-load.ts';
import { followLoads } from './loads/followed-loads.ts';
import { clearView, type PanelState, showLoad, type Update } from './panel-state.ts';
import type { Surroundings } from './surroundings.ts';
import { storedDictionaries, urlHistory } from './loads/stored-loads.ts';

/** Connects the panel's commands to the extension's store, the inspected page and the user's files. */
export function createCommands(
  { connection, openFiles, measureCost, lab }: Surroundings,
  stateOf: () => PanelState,
  update: Update,
  picker: HTMLInputElement,
): Commands {
  const say = (message: string): void => update((state) => ({ ...state, message }));
  /** Runs work that may fail, and shows an error in the status bar. */
  const attempt = (work: () => Promise<void> | undefined): void => {
    Promise.try(work).catch((error: unknown) => say(messageOf(error)));
  };
  const read = async (id: string): Promise<Load | undefined> =>
    stateOf().opened.find((load) => load.id === id) ?? (await connection?.read(id)) ?? undefined;
  const copy = (text: string, what: string): void =>
    attempt(async () => {
      await copyText(text);
      say(`Copied ${what}`);
    });

  /** Counts what the user displayed: a slow read must not replace what was displayed after it. */
  let turn = 0;
  let costing = new AbortController();
  let isFinding = false;
  let failed: (SearchedLoads & { what: string }) | undefined;

  /**
   * Looks something up in the loads. Without effect while another lookup runs: it is then requested again; and after it
   * has failed, until the loads have changed or something else is looked up.
   */
  const find = (
    what: string,
    lookUp: (state: PanelState) => Promise<Partial<PanelState>>,
  ): void => {
    const state = stateOf();
    const { heads, opened } = state;
    const hasFailed = failed?.what === what && failed.heads === heads && failed.opened === opened;
    if (isFinding || hasFailed) return;
    isFinding = true;
    failed = undefined;
    attempt(async () => {
      const found = await lookUp(state)
        .catch((error: unknown) => {
          failed = { what, heads, opened };
          throw error;
        })
        .finally(() => (isFinding = false));
      update((latest) => ({ ...latest, ...found }));
    });
  };

  /** Permissions are requested synchronously in this call: Chromium requires a user gesture. */
  const watch = (depth: EvidenceDepth | null): void =>
    attempt(async () => {
      await connection?.setDepth(depth);
      // Without the debugger nothing is blocked any more.
      update((state) => ({ ...state, depth, blocked: [] }));
    });

  if (connection) {
    followLoads(connection, stateOf, update, (error) => say(messageOf(error)));
  }

  return {
    toggleRecording: () => watch(stateOf().depth === null ? 'page' : null),
    reloadPage: () => globalThis.chrome?.devtools?.inspectedWindow.reload(),
    showLoad: (id) =>
      attempt(async () => {
        const own = ++turn;
        const { log } = stateOf();
        const load = await read(id);
        const isCleared = log.length > 0 && stateOf().log.length === 0;
        if (own !== turn || isCleared) return;
        if (load) update(showLoad(load));
        else say('This load is no longer kept.');
      }),
    forgetLoad: (id) =>
      attempt(async () => {
        const isOpened = stateOf().opened.some((load) => load.id === id);
        if (!isOpened) await connection?.forget(id);
        update((state) => ({
          ...(state.log.some((load) => load.id === id) ? clearView(state) : state),
          opened: state.opened.filter((load) => load.id !== id),
          heads: state.heads.filter((head) => head.id !== id),
        }));
      }),
    chooseFiles: () => picker.click(),
    openFiles: (files) =>
      attempt(() => {
        turn++;
        return openFiles?.(files, update);
      }),
    exportShown: (format) => {
      const { shown } = stateOf();
      if (shown) attempt(async () => say(`Saved ${exportLoad(shown.load, format)}`));
    },
    copy,
    copyCurl: (resource) => {
      const curl = curlCommand(resource);
      if (curl) copy(curl.command, ['as cURL.', ...curl.notes].join(' '));
      else say('“Copy as cURL” needs an HTTP request.');
    },
    setDepth: watch,
    clearBrowserCache: () =>
      attempt(async () => {
        await connection?.clearBrowserCache();
        say('Cleared the browser’s cache.');
      }),
    toggleBlocked: (url) =>
      attempt(async () => {
        const { blocked } = stateOf();
        const isBlocked = blocked.includes(url);
        const urls = isBlocked ? blocked.filter((each) => each !== url) : [...blocked, url];
        await connection?.blockUrls(urls);
        update((state) => ({ ...state, blocked: urls }));
        say(
          isBlocked ? 'The URL is no longer blocked.' : 'The URL is blocked from the next request.',
        );
      }),
    allowSite: () =>
      attempt(async () => {
        const { urlWithoutAccess } = stateOf();
        if (urlWithoutAccess === null || !(await connection?.allowSite(urlWithoutAccess))) return;
        update((state) => ({ ...state, urlWithoutAccess: null }));
        say('Reload the page: its next load is watched from the start.');
      }),
    findHistory: (url) =>
      find(url, async (state) => ({ history: await urlHistory(url, state, read) })),
    findDictionaries: () =>
      find('dictionaries', async (state) => ({
        dictionaries: await storedDictionaries(state, read),
      })),
    measureCost: (resource) =>
      attempt(async () => {
        if (!measureCost) return;
        costing.abort();
        costing = new AbortController();
        const { signal } = costing;
        const { sequence } = resource;
        const working = { sequence, decodedBytes: null, costs: null, problem: '' };
        update((state) => ({ ...state, cost: working }));
        const cost = await measureCost(resource, signal);
        // The resource may have another number by now, or be no longer displayed.
        if (!signal.aborted)
          update(({ cost: its, ...state }) => ({ ...state, cost: its && { ...its, ...cost } }));
      }),
    cancelCost: () => {
      costing.abort();
      update((state) => ({ ...state, cost: null }));
    },
    findStoredSizes: () => attempt(() => lab?.findStoredSizes(stateOf(), update)),
    askLab: (request) => attempt(() => lab?.ask(request, update)),
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Copies a text. DevTools denies its panels the asynchronous clipboard API, so execCommand is tried first.
 *
 * @throws Error when the browser allows neither.
 */
async function copyText(text: string): Promise<void> {
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'unseen';
  const focused = document.activeElement;
  document.body.append(area);
  area.select();
  // oxlint-disable-next-line typescript/no-deprecated -- the only way inside DevTools
  const isCopied = document.execCommand('copy');
  area.remove();
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  if (!isCopied) await navigator.clipboard.writeText(text);
}
