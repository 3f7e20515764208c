import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { TransferSample } from '@cachescope/model/transfer/sample.ts';
import type { TransferSummary } from '@cachescope/model/transfer/summary.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { unflagged } from '@cachescope/model/run/flags.ts';
import { readRunOf } from '../../harness/results/run-directory.ts';
import { startOrigin } from '../../origin/server.ts';
import {
  base,
  cachescope,
  type Ended,
  expectNothingLeft,
  linesOf,
  ownFlags,
  start,
} from '../command-under-test.ts';
import { linkLacking } from '../link-need.ts';

const delayMs = 20;
const quick = ['--sizes', '1kB,300kB', '--launches', '1', '--seed', '7'];
const loopback = ['--link', 'none'];

describe('transfers over every protocol, from an origin with a server delay', () => {
  const out = join(base, 'transfer');
  let ended: Ended;
  let samples: TransferSample[];
  let summary: TransferSummary;

  beforeAll(async () => {
    const delay = ['--server-delay', `${delayMs}`, ...loopback];
    const sizes = ['--sizes', '1kB,35kB,1MB', '--requests', '4', '--launches', '1'];
    ended = await cachescope('transfer', ...sizes, ...delay, '--seed', '3', '--out', out);
    expect(ended.stdout).toContain(join(out, 'report.html'));
    samples = (await readRunOf('transfer', out)).samples;
    summary = JSON.parse(readFileSync(join(out, 'summary.json'), 'utf8')) as TransferSummary;
  });

  test('ends complete, with every request of the plan', () => {
    expect(ended.code, ended.stderr).toBe(0);
    // Clients, protocols, states of the connection, sizes, requests.
    expect(samples).toHaveLength(2 * 3 * 2 * 3 * 4);
    expectNothingLeft();
  });

  test('client and origin agree that warm requests shared a connection and cold ones did not', () => {
    // On a busy machine Chromium may send a request before its connection is idle again. Such a request opens another
    // connection, which a later cold request may find open. Both are flagged and excluded.
    const flagged = samples.filter((sample) => ownFlags(sample).length > 0);
    for (const sample of flagged) {
      const { cell, originRequest } = sample;
      const isWarm = cell.connection === 'warm';
      expect(ownFlags(sample)).toEqual([isWarm ? 'opened-connection' : 'reused-connection']);
      expect([cell.client, originRequest === 1]).toEqual(['chromium', isWarm]);
    }
    const usable = unflagged(samples);
    for (const { cell, connectMs, originRequest } of usable) {
      if (cell.connection === 'cold') expect(originRequest).toBe(1);
      else expect(originRequest).toBeGreaterThan(1);
      if (cell.connection === 'cold') expect(connectMs).toBeGreaterThan(0);
      else expect(connectMs).toBe(0);
    }
    const cold = usable.filter(({ cell }) => cell.connection === 'cold');
    expect(new Set(cold.map(({ originConnection }) => originConnection)).size).toBe(cold.length);
  });

  test('each request uses the requested protocol', () => {
    const names = new Set(
      samples.map(({ cell, protocolName }) => `${cell.protocol} ${protocolName}`),
    );
    expect([...names].toSorted()).toEqual(['h1 http/1.1', 'h1-tls http/1.1', 'h2 h2']);
  });

  test('no request is faster than the server delay, and the round trip equals it', () => {
    for (const { totalMs, waitMs, originMs } of samples) {
      // Node's timers may fire up to 1 ms early.
      expect(originMs).toBeGreaterThan(delayMs - 1.5);
      expect(waitMs).toBeGreaterThan(delayMs - 1.5);
      expect(totalMs).toBeGreaterThan(delayMs - 1.5);
    }
    expect(summary.roundTrip.by).toBe('empty request');
    expect(summary.roundTrip.ms).toBeGreaterThan(delayMs - 1.5);
    // A handshake does not wait for the origin.
    expect(summary.roundTrip.tcpConnectMs).toBeLessThan(summary.roundTrip.ms ?? 0);
  });

  test('states what loopback and a server delay cannot show', () => {
    const text = readFileSync(join(out, 'report.txt'), 'utf8').replaceAll(/\s+/g, ' ');
    for (const words of ['slow start', 'replaces the round trip', 'do not prove'])
      expect(text).toContain(words);
  });

  test('the report can be derived again from the saved files', async () => {
    const again = await cachescope('report', out, '--json');
    expect(JSON.parse(again.stdout)).toEqual(summary);
    expect(readFileSync(join(out, 'report.html'), 'utf8')).toContain('"experiment":"transfer"');
  });
});

test('an origin elsewhere is measured too, and its log has every request', async () => {
  const origin = await startOrigin({ workloads: [], transfer: { tlsPort: 0 } });
  const out = join(base, 'elsewhere');
  const flags = ['--origin', origin.url, '--requests', '5', '--clients', 'node', '--out', out];
  const ended = await cachescope('transfer', ...quick, ...flags);
  expect(ended.code, ended.stderr).toBe(0);
  const { samples } = await readRunOf('transfer', out);
  expect(samples).toHaveLength(3 * 2 * 2 * 5);
  const logged = origin.log.since(0).filter(({ path }) => /^\/transfer\/[1-9]/.test(path));
  expect(logged).toHaveLength(samples.length);
  await origin.close();
});

test('an origin that serves no transfers is refused with the reason', async () => {
  const origin = await startOrigin({ workloads: [] });
  const ended = await cachescope('transfer', ...quick, '--origin', origin.url);
  expect(ended.code).toBe(1);
  expect(ended.stderr).toContain('CS_TRANSFER_ORIGIN');
  expect(ended.stderr).toContain('npm run origin -- --host');
  await origin.close();
});

describe.skipIf(linkLacking !== null)('transfers over a link with a round trip of 20 ms', () => {
  const out = join(base, 'link');
  const roundTripMs = 20;
  let ended: Ended;
  let samples: TransferSample[];
  /** The shortest time of a cell, in round trips of the link: what the machine does besides only adds to it. */
  const shortest = (cell: Partial<TransferSample['cell']>) =>
    Math.min(
      ...samples
        .filter((sample) => isDeepStrictEqual({ ...sample.cell, ...cell }, sample.cell))
        .map(({ totalMs }) => totalMs / roundTripMs),
    );

  beforeAll(async () => {
    const link = ['--link', 'none,10ms,50Mbit/s', '--initial-window', '10,32'];
    const sizes = ['--sizes', '1kB,20kB,50kB', '--protocols', 'h1', '--connections', 'cold'];
    const counts = ['--requests', '9', '--launches', '3', '--seed', '5'];
    ended = await cachescope('transfer', ...link, ...sizes, ...counts, '--out', out);
    samples = (await readRunOf('transfer', out)).samples;
  });

  test('ends complete, and leaves no namespace, device or process', () => {
    expect(ended.code, ended.stderr).toBe(0);
    // Clients, paths, sizes, requests.
    expect(samples).toHaveLength(2 * 3 * 3 * 9);
    expectNothingLeft();
  });

  test('over the link a connection takes a round trip, and each window of slow start another one', () => {
    for (const client of ['chromium', 'node'] as const) {
      const [narrow, wide] = [
        { client, path: '10ms,50Mbit/s' },
        { client, path: '10ms,50Mbit/s, initial window 32' },
      ];
      // The connection, and 1, 2 or 3 windows of 10 segments; 1 or 2 of 32.
      const expected = [
        [{ ...narrow, responseBytes: 1000 }, 2],
        [{ ...narrow, responseBytes: 20_000 }, 3],
        [{ ...narrow, responseBytes: 50_000 }, 4],
        [{ ...wide, responseBytes: 20_000 }, 2],
        [{ ...wide, responseBytes: 50_000 }, 3],
      ] as const;
      for (const [cell, trips] of expected) {
        expect(shortest(cell)).toBeGreaterThan(trips - 0.05);
        expect(shortest(cell)).toBeLessThan(trips + 0.9);
      }
      expect(shortest({ client, path: 'loopback' })).toBeLessThan(1);
    }
  });

  test('the link was proved before and after, and counted its packets', async () => {
    const { run } = await readRunOf('transfer', out);
    expect(run.pathProofs).toHaveLength(3 * 2);
    for (const { before, after, counts } of run.pathProofs ?? []) {
      expect(Math.min(...before.tcpConnectMs)).toBeGreaterThan(roundTripMs - 0.5);
      expect(after?.udpEchoMs.length).toBeGreaterThan(0);
      // Two clients, three responses of each of three sizes.
      expect(counts?.down.bytes).toBeGreaterThan(2 * 3 * 71_000);
      expect(counts?.down).toMatchObject({ lossDrops: 0, refused: 0 });
    }
  });
});

test('a dry run shows the commands of a link and makes none', async () => {
  const dry = await cachescope('transfer', ...quick, '--link', '20ms', '--dry-run');
  expect(dry.code).toBe(0);
  expect(dry.stderr).toMatch(/ip netns add cachescope-\d+/);
  expect(dry.stderr).toMatch(/initcwnd 10/);
  const refused = await cachescope('transfer', '--link', '20ms,loss=100%,5g', '--netem', '20');
  expect(refused.code).toBe(2);
});

test('an interrupt saves the measurements, and leaves no origin running', async () => {
  const out = join(base, 'interrupted');
  const words =
    'transfer --clients node --launches 2 --server-delay 30 --requests 50 --link none --out';
  const { child, ended, until } = start([...words.split(' '), out]);
  await until(() => linesOf(join(out, 'transfers.ndjson')).length > 0);
  child.kill('SIGINT');
  const { code } = await ended;
  expect(code).toBe(130);
  const { run, samples } = await readRunOf('transfer', out);
  expect(run).toMatchObject({ status: 'partial', statusReason: 'interrupted' });
  expect(samples.length).toBeGreaterThan(0);
  expectNothingLeft();
});
