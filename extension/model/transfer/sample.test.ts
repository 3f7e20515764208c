import { expect, test } from 'vitest';
import { type TakenTransfer, type TransferCell, transferFlagsOf } from './sample.ts';

const warm: TransferCell = {
  client: 'chromium',
  protocol: 'h2',
  connection: 'warm',
  responseBytes: 1000,
};
const cold: TransferCell = { ...warm, connection: 'cold' };
const onOpen: TakenTransfer = {
  totalMs: 2,
  connectMs: 0,
  waitMs: 1,
  downloadMs: 1,
  protocolName: 'h2',
  bodyBytes: 1000,
  originConnection: 3,
  originRequest: 7,
  originMs: 0.2,
};
const onNew: TakenTransfer = { ...onOpen, connectMs: 1.5, originRequest: 1 };

test('a request on a connection as in its cell has no flag', () => {
  expect(transferFlagsOf(warm, onOpen)).toEqual([]);
  expect(transferFlagsOf(cold, onNew)).toEqual([]);
});

test('either witness suffices to flag a warm request that opened a connection', () => {
  for (const taken of [onNew, { ...onOpen, originRequest: 1 }, { ...onOpen, connectMs: 1 }])
    expect(transferFlagsOf(warm, taken)).toEqual(['opened-connection']);
});

test('either witness suffices to flag a cold request that reused one', () => {
  for (const taken of [onOpen, { ...onNew, originRequest: 2 }, { ...onNew, connectMs: 0 }])
    expect(transferFlagsOf(cold, taken)).toEqual(['reused-connection']);
});

test('an unknown connect time is no contradiction, an unknown request count is', () => {
  expect(transferFlagsOf(warm, { ...onOpen, connectMs: null })).toEqual([]);
  expect(transferFlagsOf(warm, { ...onOpen, originRequest: null })).toEqual(['connection-unknown']);
});

test('another protocol and another size are flagged', () => {
  const taken = { ...onOpen, protocolName: 'http/1.1', bodyBytes: 999 };
  expect(transferFlagsOf(warm, taken)).toEqual(['other-protocol', 'wrong-size']);
  expect(transferFlagsOf({ ...warm, protocol: 'h1-tls' }, taken)).toEqual(['wrong-size']);
});
