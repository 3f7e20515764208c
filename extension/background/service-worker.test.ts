import type { Instrument } from '@cachescope/model/load/messages.ts';
import { expect, test } from 'vitest';
import { extensionUrl } from '../fake-browser/chrome.ts';
import { startExtensionProcess } from '../fake-browser/extension-process.ts';

/** The match pattern by which the browser names a site's pages. */
const granted = 'https://example.test/*';

async function started() {
  const process = startExtensionProcess();
  // A start of the browser runs the worker module again; the imported modules keep no state.
  await import(/* @vite-ignore */ `./service-worker.ts?start=${crypto.randomUUID()}`);
  return process;
}

test('the toolbar button opens the panel in a tab', async () => {
  const { chrome } = await started();
  chrome.action.onClicked.emit();
  expect(chrome.tabs.create).toHaveBeenCalledExactlyOnceWith({ url: `${extensionUrl}panel.html` });
});

test('the harness finds the instrument in the worker', async () => {
  await started();
  const { cachescope } = globalThis as { cachescope?: Instrument };
  expect(await cachescope?.loads()).toEqual([]);
});

test('the content scripts are registered for a site from its grant until its revocation', async () => {
  const { chrome, quiet } = await started();
  const covered = async () => {
    const scripts = await chrome.scripting.getRegisteredContentScripts();
    return Object.fromEntries(scripts.map(({ id, matches }) => [id, matches]));
  };
  chrome.permissions.getAll.mockResolvedValue({ origins: ['http://127.0.0.1/*', granted] });
  chrome.permissions.onAdded.emit();
  await quiet();
  expect(await covered()).toEqual({ 'main-world': [granted], 'isolated-world': [granted] });

  const another = 'https://another.test/*';
  chrome.permissions.getAll.mockResolvedValue({ origins: [granted, another] });
  // Two sites granted at the same time.
  chrome.permissions.onAdded.emit();
  chrome.permissions.onAdded.emit();
  await quiet();
  expect(await covered()).toEqual({
    'main-world': [granted, another],
    'isolated-world': [granted, another],
  });

  // An update of the extension drops the scripts and keeps the grants.
  const ids = ['main-world', 'isolated-world'];
  await chrome.scripting.unregisterContentScripts({ ids });
  chrome.runtime.onInstalled.emit();
  await quiet();
  expect(Object.keys(await covered())).toEqual(ids);

  chrome.permissions.getAll.mockResolvedValue({});
  chrome.permissions.onRemoved.emit();
  await quiet();
  expect(await covered()).toEqual({});
});
