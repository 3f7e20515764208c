import type { Instrument } from '@cachescope/model/messages.ts';
import browser from 'webextension-polyfill';
import { createInstrument } from './instrument.ts';

declare global {
  /** The instrument, for the harness: reached through the service worker's DevTools target, never by a page. */
  var cachescope: Instrument;
}

globalThis.cachescope = createInstrument();

browser.action.onClicked.addListener(() => {
  void browser.tabs.create({ url: browser.runtime.getURL('panel.html') });
});
