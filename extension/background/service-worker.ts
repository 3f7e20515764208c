import type { Instrument } from '@cachescope/model/load/messages.ts';
import browser from 'webextension-polyfill';
import { createInstrument } from './instrument.ts';
import { createLabSaver } from './lab-link.ts';
import { loadsSince, onLoadsChanged, readLoad } from '../loads/load-source.ts';
import { followSiteAccess } from '../loads/site-access.ts';
import { listenToRequests } from './watch-requests.ts';

declare global {
  /**
   * The instrument, used by the harness. It is reached through the service worker's DevTools target, never by a page.
   */
  var cachescope: Instrument;
}

const lab = createLabSaver({ loadsSince, readLoad, onLoadsChanged });
followSiteAccess();
globalThis.cachescope = createInstrument(listenToRequests(), lab);

browser.action.onClicked.addListener(() => {
  void browser.tabs.create({ url: browser.runtime.getURL('panel.html') });
});
