import { EventEmitter } from 'node:events';
import type { CDPSession } from 'puppeteer-core';
import { expect, test } from 'vitest';
import { collectNetworkEvidence } from './watched-read.ts';

const url = 'http://127.0.0.1/a';
const sent = ['requestWillBeSent', { requestId: '1', request: { url } }] as const;
const response = (hasExtraInfo: boolean) =>
  ['responseReceived', { requestId: '1', response: { status: 200 }, hasExtraInfo }] as const;
const rawHeaders = ['responseReceivedExtraInfo', { requestId: '1', statusCode: 304 }] as const;
const end = ['loadingFinished', { requestId: '1', encodedDataLength: 9 }] as const;

test.each([
  ['a response without raw headers is whole', [sent, response(false), end], true, null],
  ['raw headers that are announced are awaited', [sent, response(true), end], false, null],
  ['raw headers after the end', [sent, response(true), end, rawHeaders], true, 304],
  ['raw headers before the request', [rawHeaders, sent, response(true), end], true, 304],
] as const)('%s', async (_, events, isWhole, extraInfoStatus) => {
  const session = new EventEmitter();
  const collecting = collectNetworkEvidence(session as unknown as CDPSession, url);
  for (const [name, event] of events) session.emit(`Network.${name}`, event);
  await collecting.ended;
  const pending = new Promise((resolve) => setImmediate(resolve, false));
  expect(await Promise.race([collecting.rawHeaders.then(() => true), pending])).toBe(isWhole);
  expect(collecting.collect()?.extraInfoStatus).toBe(extraInfoStatus);
});
