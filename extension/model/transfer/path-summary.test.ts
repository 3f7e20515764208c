import { expect, test } from 'vitest';
import { transfer } from './declaration.ts';
import { madeUpBase } from '../fixtures/made-up-base.ts';
import { madeUpLink } from '../fixtures/made-up-link.ts';
import type { LinkProof } from '../network/link.ts';
import { heldUpBy } from './held-up.ts';
import { transferPaths } from './path.ts';
import { pathPairs, withLinkFlags } from './path-summary.ts';
import { networkPrediction } from './prediction.ts';
import type { TransferRun } from './run.ts';
import type { TransferCell, TransferSample } from './sample.ts';
import type { TransferPath } from './path.ts';
import { summarizeTransfers } from './summary.ts';

const paths = transferPaths([null, madeUpLink], [10, 32], ['cubic', 'bbr']);
const [, narrow, bbr, wide] = paths;
const sizesBytes = [1000, 10_000, 20_000, 50_000];

/** What the network needs, ms; null: not predicted. */
function predictedMs(
  path: TransferPath | undefined,
  cell: TransferCell,
  samples: readonly TransferSample[],
): number | null {
  const found = networkPrediction(path, cell, samples, 800);
  return found && 'ms' in found ? found.ms : null;
}

const proof = (roundTripMs: number): LinkProof => ({
  takenAt: '',
  udpEchoMs: [roundTripMs],
  tcpConnectMs: [roundTripMs],
  upBitsPerSecond: null,
  downBitsPerSecond: null,
});

/** The second launch over the narrow window was proved off. */
const run: TransferRun = {
  ...madeUpBase(),
  experiment: 'transfer',
  link: { kind: 'loopback', host: '127.0.0.1', emulatedRoundTripMs: null },
  roundTrips: paths.map(({ name, link: own }) => ({
    takenAt: '',
    path: name,
    tcpConnectMs: [own ? 40 : 0.03],
    emptyRequestMs: [own ? 41 : 0.5],
  })),
  pathProofs: [0, 1, 2, 3].map((launch) => ({
    path: '20ms',
    launch,
    before: proof(40),
    after: proof(launch === 1 ? 60 : 40),
    counts: null,
    sockets: [],
  })),
  plan: {
    clients: ['node'],
    protocols: ['h1'],
    connections: ['cold'],
    sizesBytes,
    requestBytes: 800,
    requestsPerCell: 12,
    launches: 4,
    serverDelayMs: 0,
    seed: 1,
    margin: 0.02,
    paths,
  },
};

/** Times as slow start predicts them, and 1 ms over loopback, each with a little scatter. */
const samples = paths.flatMap((path) =>
  sizesBytes.flatMap((responseBytes) =>
    Array.from({ length: 12 }, (_, index): TransferSample => {
      const cell = {
        client: 'node',
        protocol: 'h1',
        connection: 'cold',
        responseBytes,
        path: path.name,
      } as const;
      const like = { originRequest: 1 } as TransferSample;
      const control = path.congestion === 'bbr' ? { ...path, congestion: 'cubic' } : path;
      const ms = predictedMs(control, cell, [like]);
      return {
        sequence: 0,
        launch: index % 4,
        takenAt: '',
        cell,
        // The programs take 1 ms.
        totalMs: (1 + (ms ?? 0)) * (1 + 0.001 * (index % 5)),
        connectMs: 1,
        waitMs: null,
        downloadMs: null,
        protocolName: null,
        bodyBytes: responseBytes,
        originConnection: 1,
        originRequest: 1,
        originMs: null,
        flags: [],
      };
    }),
  ),
);

test('a launch whose link was off, before or after, is flagged', () => {
  const off = withLinkFlags(run, samples).filter(({ flags }) => flags.includes('link-off'));
  expect(new Set(off.map(({ launch, cell }) => `${launch} ${cell.path}`))).toEqual(
    new Set(['1 20ms']),
  );
});

test('paths are compared that differ in one setting', () => {
  expect(pathPairs(paths)).toEqual([
    { of: bbr?.name, against: narrow?.name },
    { of: wide?.name, against: narrow?.name },
    { of: '20ms, initial window 32, bbr', against: bbr?.name },
    { of: '20ms, initial window 32, bbr', against: wide?.name },
  ]);
});

test('a cold connection takes its handshakes, a warm one has its window open, and one after a pause begins again', () => {
  const cell = { client: 'node', connection: 'cold', responseBytes: 20_000 } as const;
  const at = (protocol: 'h1' | 'h2', connection: 'cold' | 'warm' | 'idle', originRequest: number) =>
    predictedMs(narrow, { ...cell, protocol, connection }, [{ originRequest } as TransferSample]);
  expect(at('h1', 'cold', 1)).toBe(40 + 80);
  expect(at('h2', 'cold', 1)).toBe(80 + 80);
  expect(at('h1', 'warm', 2)).toBe(80);
  expect(at('h1', 'warm', 3)).toBe(40);
  // A pause of 2 s is 8 timeouts of 240 ms.
  expect(at('h1', 'idle', 3)).toBe(80);
  expect(predictedMs(bbr, { ...cell, protocol: 'h1' }, [])).toBeNull();
  expect(predictedMs(paths[0], { ...cell, protocol: 'h1' }, [])).toBeNull();
});

test('a link with losses, and a size at the edge of a window, are not predicted, and the reason is said', () => {
  const cell = {
    client: 'node',
    protocol: 'h2',
    connection: 'cold',
    responseBytes: 100_000,
  } as const;
  const [like] = samples;
  const of = (path: TransferPath | undefined, own: TransferCell) =>
    networkPrediction(path, own, like ? [like] : [], 800);
  // 70 segments fill three windows; whether tickets and settings have packets to themselves is not known.
  expect(of(narrow, cell)).toEqual({ unknown: 'one packet more takes another round trip' });
  expect(of(narrow, { ...cell, responseBytes: 70_000 })).toEqual({ ms: 80 + 120 });
  const lossy = narrow?.link && { ...narrow.link, down: { ...narrow.link.down, lossShare: 0.01 } };
  expect(of(narrow && { ...narrow, link: lossy ?? null }, cell)).toEqual({
    unknown: 'the link loses or reorders packets',
  });
  const { finding } = summarizeTransfers(
    { ...run, plan: { ...run.plan, protocols: ['h2'], sizesBytes: [100_000] } },
    samples.map((sample) => ({
      ...sample,
      cell: { ...sample.cell, protocol: 'h2' as const, responseBytes: 100_000 },
    })),
  );
  expect(finding.join('\n')).toContain(
    'Over 20ms, not predicted because one packet more takes another round trip: HTTP/2, cold, in Node: 100 KB.',
  );
});

test('what held up the sender is said of its own cell alone', () => {
  const cell = { client: 'node', protocol: 'h1', connection: 'warm', responseBytes: 2e6 } as const;
  const socket = {
    cell: 'HTTP/1.1, warm, in Node',
    responseBytes: 2e6,
    congestion: 'cubic',
    windowSegments: 20,
    roundTripMs: 40,
    sentBytes: 2e6,
    retransmits: 3,
    receiveWindowLimitedMs: 0,
    sendBufferLimitedMs: 12,
  };
  const [first] = run.pathProofs ?? [];
  const proofs = first ? [{ ...first, sockets: [socket] }] : [];
  expect(heldUpBy(proofs, cell)).toEqual(['3 segments sent again', 'send buffer full for 12 ms']);
  expect(heldUpBy(proofs, { ...cell, responseBytes: 1e6 })).toEqual([]);
});

test('the finding names the window that is full, the prediction, and what a larger window changes', () => {
  const { finding, windowVerdicts, paths: summaries } = summarizeTransfers(run, samples);
  const text = finding.join('\n');
  expect(finding[0]).toMatch(/^Over 20ms/);
  expect(text).toContain('Over loopback, 20 KB is slower than 10 KB on 0 of 1 curves.');
  expect(text).toContain(
    'Over 20ms, 20 KB is slower than 10 KB on 1 of 1 curves: a second round trip, because the initial window (14.5 KB) is full.',
  );
  expect(text).toContain('initial window 32, 50 KB is slower than 20 KB on 1 of 1 curves');
  expect(text).toMatch(
    /20ms \(round trip 40 ms\), 4 of 4 times are within half a round trip .* and the time over loopback\./,
  );
  expect(text).toMatch(
    /20ms, initial window 32 against 20ms: 2 of 4 times are faster and 0 slower/,
  );
  expect(windowVerdicts?.map(({ windowBytes }) => windowBytes)).toContain(46_336);
  expect(summaries?.map(({ name, departures }) => [name, departures.length])).toContainEqual([
    '20ms',
    2,
  ]);
});

test('one table has all sizes of a client and a connection, also those without a prediction; links come first', () => {
  const page = transfer.page({ run, samples }, summarizeTransfers(run, samples));
  const warm = { ...run, plan: { ...run.plan, connections: ['warm' as const] } };
  const inWarm = samples.map((sample) => {
    const originRequest = sample.cell.responseBytes < 50_000 ? 3 : null;
    return { ...sample, originRequest, cell: { ...sample.cell, connection: 'warm' as const } };
  });
  const some = transfer.page({ run: warm, samples: inWarm }, summarizeTransfers(warm, inWarm));
  for (const each of [page, some]) {
    const tables = each.sections[0]?.tables?.[0]?.shown('text') ?? [];
    expect(tables).toHaveLength(paths.length);
    for (const { rows } of tables) expect(rows).toHaveLength(sizesBytes.length);
    expect(tables[0]?.title).toContain('20ms');
    expect(tables.at(-1)?.title).toContain('loopback');
  }
});

test('the fastest of three protocols fits on a screen of 80 columns, also where two share the place', () => {
  const protocols = ['h1', 'h1-tls', 'h2'] as const;
  const [, link] = transferPaths(
    [null, { ...madeUpLink, name: '10ms,100Mbit/s' }],
    [10],
    ['cubic'],
  );
  const three: TransferRun = {
    ...run,
    plan: { ...run.plan, protocols: [...protocols], paths: link ? [link] : [] },
    pathProofs: [],
  };
  const slower = { h1: 3, 'h1-tls': 1, h2: 1.001 };
  const own = samples.flatMap((sample) =>
    sample.cell.path === '20ms'
      ? protocols.map((protocol) => ({
          ...sample,
          totalMs: 123.4 * sample.totalMs * slower[protocol],
          cell: { ...sample.cell, protocol, path: '10ms,100Mbit/s' },
        }))
      : [],
  );
  const page = transfer.page({ run: three, samples: own }, summarizeTransfers(three, own));
  const [table] = page.sections[0]?.tables?.[0]?.shown('text') ?? [];
  expect(table?.rows.map((row) => row.at(-1)?.text)).toContain('h1-tls, h2');
  const widths = table?.head.map(({ title }, column) =>
    Math.max(title.length, ...table.rows.map((row) => row[column]?.text.length ?? 0)),
  );
  expect((widths ?? []).reduce((sum, width) => sum + width + 2, -2)).toBeLessThanOrEqual(80);
});

test('a size whose fastest request is as predicted was held up by something else', () => {
  const held = samples.map((sample, place) =>
    sample.cell.path === '20ms' && sample.cell.responseBytes === 50_000 && place % 12 !== 0
      ? { ...sample, totalMs: sample.totalMs + 40 }
      : sample,
  );
  const { finding } = summarizeTransfers(run, held);
  expect(finding.join('\n')).toMatch(
    /Over 20ms \(round trip 40 ms\), 3 of 4 times .*Of the other 1, the fastest request is in 1: the others waited/,
  );
});
