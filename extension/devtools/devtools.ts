/** Registers the panel with DevTools, and forwards DevTools' network entries of the tab while it is open. */
import { redirectStatuses } from '@cachescope/model/attribution/evidence.ts';
import { keptUrl } from '@cachescope/model/load/kept-url.ts';
import { harEvidence } from '@cachescope/model/har/evidence.ts';
import { harResource } from '@cachescope/model/har/resource.ts';
import type { HarEntry } from '@cachescope/model/har/schema.ts';
import type { Observation } from '@cachescope/model/load/observation.ts';
import {
  devtoolsPortPrefix,
  type WatchAnswer,
  type WatchRequest,
} from '@cachescope/model/load/watch-message.ts';
import { withoutFragment } from '@cachescope/model/web-url.ts';
import { Outbox } from '../loads/outbox.ts';

const { tabId } = chrome.devtools.inspectedWindow;
/** Distinguishes the entries of this DevTools from those of an earlier one on the same tab. */
const session = crypto.randomUUID();
let entries = 0;

async function tell(request: WatchRequest): Promise<void> {
  const answer: WatchAnswer = await chrome.runtime.sendMessage(request);
  if ('error' in answer) throw new Error(answer.error);
}

const outbox = new Outbox<Observation>((observations) =>
  tell({ type: 'devtools-batch', observations: [...observations] }),
);

/** Reports the start of a load, for pages without our content scripts. */
function navigated(url: string): void {
  chrome.devtools.network.getHAR((log) => {
    const { pages = [] } = log as { pages?: { startedDateTime: string }[] };
    const startedAtMs = Date.parse(pages.at(-1)?.startedDateTime ?? '');
    if (Number.isNaN(startedAtMs)) return;
    void tell({ type: 'devtools-navigated', tabId, url, startedAtMs }).catch(() => undefined);
  });
}

function observationOf(entry: HarEntry): Observation | undefined {
  const evidence = harEvidence(entry);
  if (!evidence) return undefined;
  const startedAtMs = Date.parse(entry.startedDateTime);
  const { url, context, durationMs, responseStartMs, ...told } = harResource(entry, startedAtMs);
  const { startMs: _startMs, storedBytes: _storedBytes, ...facts } = told;
  return {
    witness: 'devtools',
    key: `devtools ${session} ${entries++}`,
    tabId,
    url: keptUrl(url),
    ...redirectOf(entry, url),
    startedAtMs,
    endedAtMs: durationMs === null ? null : startedAtMs + durationMs,
    ...(responseStartMs === null ? {} : { responseStartedAtMs: startedAtMs + responseStartMs }),
    context,
    facts,
    evidence,
  };
}

function redirectOf({ response }: HarEntry, url: string): Pick<Observation, 'redirectsTo'> {
  const target = response.redirectURL;
  if (!target || !redirectStatuses.has(response.status)) return {};
  const parsed = URL.parse(target, url);
  return parsed ? { redirectsTo: withoutFragment(parsed.href) } : {};
}

/** The port disconnects when the service worker is stopped, and is opened again. */
function sayHere(): void {
  const port = chrome.runtime.connect(chrome.runtime.id, {
    name: `${devtoolsPortPrefix}${tabId}`,
  });
  port.onDisconnect.addListener(() => setTimeout(sayHere, 100));
}

chrome.devtools.panels.create('Cachescope', 'icons/icon-32.png', 'panel.html', (panel) => {
  let shown: Window | undefined;
  panel.onShown.addListener((page) => (shown = page));
  panel.onSearch.addListener((action, query = '') => {
    const text = { performSearch: query, cancelSearch: '' }[action];
    if (text !== undefined) shown?.postMessage({ search: text }, location.origin);
  });
});
chrome.devtools.network.onRequestFinished.addListener((entry) => {
  const told = entry as unknown as HarEntry;
  // A preflight is not a use of the page: it asks whether a request may be sent.
  if (told._resourceType === 'preflight') return;
  const observation = observationOf(told);
  if (observation) outbox.add(observation);
});
chrome.devtools.network.onNavigated.addListener(navigated);
sayHere();
