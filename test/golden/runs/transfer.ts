import { madeUpBase } from '@cachescope/model/fixtures/made-up-base.ts';
import type { RunDocument } from '@cachescope/model/run/run.ts';
import type { TransferRun } from '@cachescope/model/transfer/run.ts';
import type { TransferSample } from '@cachescope/model/transfer/sample.ts';

/** Two clients and protocols; HTTP/2 in Chromium is slow from 300 kB on. */
export function transfer(): RunDocument {
  const sizesBytes = [1, 5, 35, 100, 300, 1000].map((kb) => kb * 1000);
  const samples = (['chromium', 'node'] as const).flatMap((client) =>
    (['h1', 'h2'] as const).flatMap((protocol) =>
      sizesBytes.flatMap((responseBytes) =>
        Array.from({ length: 12 }, (_, index): Omit<TransferSample, 'sequence'> => {
          const isSlow = protocol === 'h2' && client === 'chromium' && responseBytes >= 300_000;
          const ms = (10 + responseBytes / 1e6) * (isSlow ? 2 : 1) * (1 + (index % 5) / 200);
          return {
            launch: index % 3,
            takenAt: '2026-11-20T23:00:00Z',
            cell: { client, protocol, connection: 'warm', responseBytes },
            totalMs: ms,
            connectMs: 0,
            waitMs: ms / 2,
            downloadMs: ms / 4,
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
  const run: TransferRun = {
    ...madeUpBase(),
    experiment: 'transfer',
    link: { kind: 'loopback', host: '127.0.0.1', emulatedRoundTripMs: null },
    roundTrips: [
      { takenAt: '2026-11-20T23:00:00Z', tcpConnectMs: [5, 5, 5], emptyRequestMs: [10, 10, 10] },
    ],
    plan: {
      clients: ['chromium', 'node'],
      protocols: ['h1', 'h2'],
      connections: ['warm'],
      sizesBytes,
      requestBytes: 800,
      requestsPerCell: 12,
      launches: 3,
      serverDelayMs: 0,
      seed: 1,
      margin: 0.02,
    },
    timeSpent: { totalMs: 9000, measuringMs: 3000 },
  };
  return { run, samples: samples.map((sample, sequence) => ({ ...sample, sequence })) };
}
