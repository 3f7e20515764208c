import { connect } from 'node:net';
import type { RoundTripProof } from '@cachescope/model/transfer/run.ts';
import { transferUrl } from '@cachescope/model/transfer/task.ts';
import { messageOf } from '../../error.ts';
import { withTimeLimit } from '../../time-limit.ts';
import { originError, type TransferPlace } from './origin.ts';
import { Http1Sender } from './sender.ts';

/**
 * Number of measurements of each kind. One more is taken first and dropped, because it runs code for the first time.
 */
const tries = 10;
const limitMs = 60_000;

/** Measures the round trip of the path, from Node. */
export async function measureRoundTrip(
  { bases, description }: TransferPlace,
  serverDelayMs: number,
): Promise<RoundTripProof> {
  const { hostname, port } = new URL(bases.h1);
  const sender = new Http1Sender(description.certificate);
  const where = { baseUrl: bases.h1, serverDelayMs };
  const empty = async (number: number) => {
    const url = transferUrl(where, 0, number, false);
    return (await sender.send(url, new Uint8Array(0))).totalMs;
  };
  try {
    return await withTimeLimit('Measuring the round trip', limitMs + tries * serverDelayMs, both());
  } catch (error) {
    throw originError(bases.h1, messageOf(error));
  } finally {
    sender.close();
  }

  async function both(): Promise<RoundTripProof> {
    const where = { host: hostname.replaceAll(/[[\]]/g, ''), port: Number(port) };
    const { address } = await handshake(where);
    return {
      takenAt: new Date().toISOString(),
      // To the resolved address: no name is resolved while the time is measured.
      tcpConnectMs: await repeated(
        async () => (await handshake({ ...where, host: address })).tookMs,
      ),
      emptyRequestMs: await repeated(empty),
    };
  }
}

async function repeated(measure: (number: number) => Promise<number>): Promise<number[]> {
  const values: number[] = [];
  for (let number = 0; number <= tries; number++) values.push(await measure(number));
  return values.slice(1);
}

/**
 * Time from connect() to the end of the handshake, including the lookup of a name; the connection is closed afterwards.
 */
function handshake(to: {
  host: string;
  port: number;
}): Promise<{ tookMs: number; address: string }> {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const socket = connect({ ...to, noDelay: true });
    socket.once('error', reject).once('connect', () => {
      const tookMs = performance.now() - start;
      const address = socket.remoteAddress ?? to.host;
      socket.destroy();
      resolve({ tookMs, address });
    });
  });
}
