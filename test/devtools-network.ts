import type { Page } from 'puppeteer-core';
import { vi } from 'vitest';
import { hangLimitMs } from './hang-limit.ts';

/** DevTools' own network log, its HAR writer and its network panel. */
const modules = `Promise.all([
  import('./models/har/har.js'), import('./models/logs/logs.js'), import('./panels/network/network.js'),
]).then(([har, logs, network]) => ({
  har, log: logs.NetworkLog.NetworkLog.instance(), panel: network.NetworkPanel.NetworkPanel.instance({ forceNew: false }),
}))`;

/** A row of DevTools' network panel. */
export interface Row {
  url: string;
  status: number;
  type: string;
  mimeType: string;
  cache: string;
  transferSize: number;
  resourceSize: number;
  durationMs: number;
  /** null: not in the archive. */
  priority: string | null;
  initiatorType: string | null;
}

/** Settles when a newly opened DevTools has its network log. */
export async function hasNetworkLog(devtools: Page): Promise<void> {
  await vi.waitUntil(() => devtools.evaluate(`${modules}.then(() => true)`).catch(() => false), {
    timeout: hangLimitMs,
  });
}

export async function emptyNetworkLog(devtools: Page): Promise<void> {
  await devtools.evaluate(`${modules}.then(({ log }) => log.reset(false))`);
}

/** Opens a text as a HAR file in DevTools, like its Import button, and returns the rows shown. */
export async function rowsOfImport(devtools: Page, text: string): Promise<Row[]> {
  const rows = await devtools.evaluate(`${modules}.then(async ({ log, panel }) => {
    const file = new File([${JSON.stringify(text)}], 'x.har');
    await panel.networkLogView.onLoadFromFile(file);
    return log.requests().map((request) => ({
      url: request.url(),
      status: request.statusCode,
      type: request.resourceType().name(),
      mimeType: request.mimeType,
      cache: request.cachedInMemory() ? 'memory' : request.cached() ? 'disk' : '',
      transferSize: request.transferSize,
      resourceSize: request.resourceSize,
      durationMs: Math.round((request.endTime - request.issueTime()) * 1e3),
      priority: request.priority(),
      initiatorType: request.initiator()?.type ?? null,
    }));
  })`);
  return rows as Row[];
}

/** The network log as DevTools exports it. */
export async function harOfDevTools(devtools: Page): Promise<string> {
  const text = await devtools.evaluate(`${modules}.then(async ({ har, log }) =>
    JSON.stringify({ log: await har.Log.Log.build(log.requests(), { sanitize: false }) }))`);
  return String(text);
}
