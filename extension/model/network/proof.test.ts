import { expect, test } from 'vitest';
import { madeUpDirection } from '../fixtures/made-up-link.ts';
import type { Link, LinkProof } from './link.ts';
import { linkDepartures } from './proof.ts';

const direction = { ...madeUpDirection, bitsPerSecond: 50e6 };
const link: Link = { name: 'test', up: direction, down: { ...direction, bitsPerSecond: null } };
const proof: LinkProof = {
  takenAt: '2026-11-28T00:00:00.000Z',
  udpEchoMs: [40.1, 40.2, 45],
  tcpConnectMs: [40.9],
  upBitsPerSecond: 51e6,
  downBitsPerSecond: null,
};

test('a link within 0.2 ms and 2 % of its round trip, and 3 % of its rate, is as set', () => {
  expect(linkDepartures(link, proof)).toEqual([]);
});

test('round trips that a busy machine delayed are not the link’s; with jitter the median counts', () => {
  const busy = { ...proof, udpEchoMs: [47, 40.3, 44, 45], tcpConnectMs: [90, 52, 40.1] };
  expect(linkDepartures(link, busy)).toEqual([]);
  const jittery = { ...link, up: { ...direction, jitterMs: 2 } };
  expect(linkDepartures(jittery, busy)).toEqual([
    'a round trip by UDP echo takes 44.50 ms, 40 ms were set',
    'a round trip by TCP connect takes 52.00 ms, 40 ms were set',
  ]);
});

test('each property that is off is named', () => {
  const off = { ...proof, tcpConnectMs: [41.1], upBitsPerSecond: 48e6 };
  expect(linkDepartures(link, off)).toEqual([
    'a round trip by TCP connect takes 41.10 ms, 40 ms were set',
    'the rate up is 48.000 Mbit/s, 50 Mbit/s were set',
  ]);
});

test('what was not measured is not as set', () => {
  const unknown = { ...proof, udpEchoMs: [], upBitsPerSecond: null };
  expect(linkDepartures(link, unknown)).toHaveLength(2);
});
