import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TransferSample, usableTransfers } from '@cachescope/model/transfer/sample.ts';
import type { TransferSummary } from '@cachescope/model/transfer/summary.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { netemLack } from '../../harness/experiments/transfer/netem.ts';
import { readRunOf } from '../../harness/results/run-directory.ts';
import { startOrigin } from '../../origin/server.ts';
import {
  base,
  cachescope,
  type Ended,
  expectNothingLeft,
  linesOf,
  start,
} from '../command-under-test.ts';

const delayMs = 20;
const quick = ['--sizes', '1kB,300kB', '--launches', '1', '--seed', '7'];

describe('transfers over every protocol, from an origin with a server delay', () => {
  const out = join(base, 'transfer');
  let ended: Ended;
  let samples: TransferSample[];
  let summary: TransferSummary;

  beforeAll(async () => {
    const delay = ['--server-delay', `${delayMs}`];
    const sizes = ['--sizes', '1kB,35kB,1MB', '--requests', '4', '--launches', '1'];
    ended = await cachescope('transfer', ...sizes, ...delay, '--seed', '3', '--out', out);
    expect(ended.stderr).toContain('Report: ');
    samples = (await readRunOf('transfer', out)).samples;
    summary = JSON.parse(readFileSync(join(out, 'summary.json'), 'utf8')) as TransferSummary;
  });

  test('ends complete, with every request of the plan', () => {
    expect(ended.code).toBe(0);
    // Clients, protocols, states of the connection, sizes, requests.
    expect(samples).toHaveLength(2 * 3 * 2 * 3 * 4);
    expectNothingLeft();
  });

  test('client and origin agree that warm requests shared a connection and cold ones did not', () => {
    // On a busy machine Chromium may send a request before its connection is idle again. Such a request opens another
    // connection, which a later cold request may find open. Both are flagged and excluded.
    const flagged = samples.filter(({ flags }) => flags.length > 0);
    for (const { cell, flags, originRequest } of flagged) {
      const isWarm = cell.connection === 'warm';
      expect(flags).toEqual([isWarm ? 'opened-connection' : 'reused-connection']);
      expect([cell.client, originRequest === 1]).toEqual(['chromium', isWarm]);
    }
    const usable = usableTransfers(samples);
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
    expect(ended.stdout).toContain('slow start');
    expect(ended.stdout).toContain('replaces the round trip');
    expect(ended.stdout.replaceAll(/\s+/g, ' ')).toContain('do not prove');
    for (const line of ended.stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
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
  expect(ended.code).toBe(0);
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

if (!netemLack())
  process.stderr.write(
    'The report of a kernel without netem is not tested: this kernel has netem.\n',
  );
test.runIf(netemLack())('a kernel without netem is reported before anything runs', async () => {
  const ended = await cachescope('transfer', ...quick, '--netem', '20');
  expect(ended.code).toBe(3);
  expect(ended.stderr).toContain('--server-delay');
  const dry = await cachescope('transfer', ...quick, '--netem', '20', '--dry-run');
  expect(dry.code).toBe(0);
  expect(dry.stderr).toMatch(/tc qdisc add .* netem .* delay 10ms/);
});

test('an interrupt saves the measurements, and leaves no origin running', async () => {
  const out = join(base, 'interrupted');
  const words = 'transfer --clients node --launches 2 --server-delay 30 --requests 50 --out';
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
