import { expect, test } from 'vitest';
import { madeUpBase } from '../fixtures/made-up-base.ts';
import { createRandom } from '../statistics/random.ts';
import { cannotShow, linkKind, linkSentences, type TransferLink } from './link.ts';
import { roundTripOf } from './round-trip.ts';
import { savedTransfer, type TransferRun } from './run.ts';
import type { TransferSample } from './sample.ts';
import { summarizeTransfers } from './summary.ts';

const loopback: TransferLink = { kind: 'loopback', host: '127.0.0.1', emulatedRoundTripMs: null };
const sizesBytes = [1, 2, 5, 10, 35, 100, 200, 300, 400, 1000].map((kb) => kb * 1000);

function runOver(link: TransferLink, serverDelayMs = 0): TransferRun {
  return {
    ...madeUpBase(),
    experiment: 'transfer',
    link,
    roundTrips: [{ takenAt: '', tcpConnectMs: [5, 5, 5], emptyRequestMs: [10, 10, 10] }],
    plan: {
      clients: ['chromium', 'node'],
      protocols: ['h1', 'h2'],
      connections: ['warm'],
      sizesBytes,
      requestBytes: 800,
      requestsPerCell: 30,
      launches: 3,
      serverDelayMs,
      seed: 1,
      margin: 0.02,
    },
  };
}

/** Chromium over HTTP/2 takes twice as long from 200 KB on; Node from `controlFromBytes` on, by default never. */
function made(controlFromBytes = Infinity): TransferSample[] {
  const random = createRandom(5);
  return (['chromium', 'node'] as const).flatMap((client) =>
    (['h1', 'h2'] as const).flatMap((protocol) =>
      sizesBytes.flatMap((responseBytes) =>
        Array.from({ length: 30 }, (_, index): TransferSample => {
          const fromBytes = client === 'chromium' ? 200_000 : controlFromBytes;
          const slow = protocol === 'h2' && responseBytes >= fromBytes;
          const totalMs = (10 + responseBytes / 1e6) * (slow ? 2 : 1) * (0.99 + 0.02 * random());
          return {
            sequence: 0,
            launch: index % 3,
            takenAt: '',
            cell: { client, protocol, connection: 'warm', responseBytes },
            totalMs,
            connectMs: 0,
            waitMs: null,
            downloadMs: null,
            protocolName: null,
            bodyBytes: responseBytes,
            originConnection: 1,
            originRequest: 2,
            originMs: null,
            flags: index === 0 ? ['opened-connection'] : [],
          };
        }),
      ),
    ),
  );
}

const elsewhere: TransferLink = {
  kind: 'two kernels',
  host: '10.0.0.2',
  emulatedRoundTripMs: null,
};

test('reports the size of the departure, the client, and that none was found for the control', () => {
  const { curves, finding, verdicts, counts } = summarizeTransfers(runOver(elsewhere), made());
  const found = curves.map(({ client, protocol, change }) => [client, protocol, change.found]);
  expect(found).toEqual([
    ['chromium', 'h1', 'none'],
    ['chromium', 'h2', 'departs'],
    ['node', 'h1', 'none'],
    ['node', 'h2', 'none'],
  ]);
  expect(curves[0]?.points[0]?.roundTrips).toBeCloseTo(2, 1);
  expect(curves[1]?.change.firstOffBytes).toBe(200_000);
  expect(finding.join(' ')).toContain(
    '; no departure of a tenth or more was found for Node, the control, so the cause may be in the browser',
  );
  const slower = verdicts.filter(({ verdict }) => verdict.direction === 'greater');
  expect(slower.map(({ client, responseBytes }) => [client, responseBytes])).toEqual(
    sizesBytes.filter((bytes) => bytes >= 200_000).map((bytes) => ['chromium', bytes]),
  );
  expect(counts.flagged['opened-connection']).toBe(40);
  expect(counts.used).toBe(40 * 29);
});

test.each([
  [
    200_000,
    '; Node, the control, departs at these sizes too, so the cause may lie below the browser.',
  ],
  [35_000, '; Node, the control, departs elsewhere, from 35 KB'],
])('a control that departs from %i bytes on', (fromBytes, sentence) => {
  const { finding } = summarizeTransfers(runOver(elsewhere), made(fromBytes));
  expect(finding.join(' ')).toContain(sentence);
});

test('the unit is the TCP handshake when there is a network, otherwise the empty request', () => {
  const of = (link: TransferLink, delayMs = 0) => {
    const { by, ms } = roundTripOf(runOver(link, delayMs));
    return [by, ms];
  };
  expect(of(elsewhere)).toEqual(['TCP connect', 5]);
  expect(of(elsewhere, 8)).toEqual(['empty request', 10]);
  expect(of(loopback)).toEqual(['empty request', 10]);
});

test('lists the effects that a link cannot show, and says that equality here proves nothing', () => {
  expect(cannotShow(loopback).join(' ')).toMatch(/slow start.*power management/s);
  const behind: TransferLink = { kind: 'one machine', host: 'x', emulatedRoundTripMs: 20 };
  expect(cannotShow(behind).join(' ')).not.toContain('slow start');
  expect(cannotShow(elsewhere)).toEqual([]);
  expect(linkSentences(loopback, 0).join(' ')).toContain('do not prove');
  expect(linkSentences(elsewhere, 0).join(' ')).toContain('another physical machine');
  expect(linkSentences(elsewhere, 20).join(' ')).not.toContain('replaces the round trip');
  expect(linkSentences(loopback, 20).join(' ')).toContain(
    'server delay of 20 ms replaces the round trip',
  );
});

test('distinguishes machines by their boot id, and loopback by its address', () => {
  expect(linkKind('127.0.0.1', 'a', 'a')).toBe('loopback');
  expect(linkKind('[::1]', null, null)).toBe('loopback');
  expect(linkKind('10.0.0.2', 'a', 'a')).toBe('one machine');
  expect(linkKind('10.0.0.2', 'a', 'b')).toBe('two kernels');
  expect(linkKind('10.0.0.2', null, 'b')).toBe('unknown');
});

test('another kernel at a loopback address means a tunnel, not loopback', () => {
  const kind = linkKind('127.0.0.1', 'a', 'b');
  expect(kind).toBe('two kernels');
  const link: TransferLink = { kind, host: '127.0.0.1', emulatedRoundTripMs: null };
  expect(linkSentences(link, 0).join(' ')).toContain('a tunnel or port forwarding');
  expect(linkSentences(link, 0).join(' ')).not.toContain('the loopback of one machine');
  expect(cannotShow(link)).toHaveLength(1);
  // The handshake is with the near end of the tunnel.
  expect(roundTripOf(runOver(link))).toMatchObject({ by: 'empty request', ms: 10 });
});

test('missing measurements are unknown, not 0', () => {
  const { curves, finding } = summarizeTransfers({ ...runOver(loopback), roundTrips: [] }, []);
  expect(curves[0]?.points[0]).toMatchObject({ medianMs: null, roundTrips: null, samples: 0 });
  expect(finding[0]).toContain('is unknown');
});

test('a saved run is read back unchanged', () => {
  const run = runOver(loopback);
  const samples = made().map((sample, sequence) => ({ ...sample, sequence }));
  const text = samples.map((sample) => JSON.stringify(sample)).join('\n');
  const read = savedTransfer.readParts(
    { name: 'run.json', json: run },
    { name: 'transfers.ndjson', text },
  );
  expect(read).toEqual({ value: { run, samples } });
});

test('a difference between machines is not a change during the run', () => {
  const proof = (ms: number) => ({ takenAt: '', tcpConnectMs: [ms], emptyRequestMs: [ms] });
  const mergedOn = (bootId: string | null, ...machines: number[][]) => {
    const shards = machines.map((times, place) => ({
      ...runOver(loopback),
      roundTrips: times.map(proof),
      shard: { number: place + 1, machine: `m${place}`, bootId },
    }));
    const roundTrips = machines.flat().map(proof);
    return { ...runOver(loopback), roundTrips, merged: { shards } } as unknown as TransferRun;
  };
  const merged = mergedOn.bind(null, null);
  expect(roundTripOf(merged([1, 1.1], [2, 2]))).toMatchObject({
    drift: expect.closeTo(0.1),
    betweenMachines: expect.closeTo(0.905, 3),
  });
  const { finding } = summarizeTransfers(merged([1, 1.1], [2, 2]), []);
  expect(finding.join()).toContain('The round trip differs by 90.5 % between machines');
  expect(finding.join()).not.toContain('during the run');
  expect(roundTripOf(merged([1, 2])).betweenMachines).toBeNull();
  expect(roundTripOf(merged([1, 2])).drift).toBeCloseTo(1);
  // Two containers on one kernel.
  const onOneKernel = roundTripOf(mergedOn('boot', [1], [2]));
  expect(onOneKernel).toMatchObject({ drift: 1, betweenMachines: null });
});
