import { connect } from 'node:net';
import type { RoundTripProof } from '@cachescope/model/transfer-run.ts';
import { transferUrl } from '@cachescope/model/transfer-task.ts';
import { withTimeLimit } from '../time-limit.ts';
import type { TransferPlace } from './transfer-origin.ts';
import { Http1Sender } from './transfer-node-h1.ts';

/** Of each kind; the first of them is not kept: it meets code that has not run yet. */
const tries = 10;
const limitMs = 60_000;

/** Measures the round trip of the path, by Node. */
export async function measureRoundTrip(
  { bases, description }: TransferPlace,
  serverDelayMs: number,
): Promise<RoundTripProof> {
  const { hostname, port } = new URL(bases.h1);
  const handshake = () => tcpConnectMs(hostname.replaceAll(/[[\]]/g, ''), Number(port));
  const sender = new Http1Sender(description.certificate);
  const where = { baseUrl: bases.h1, serverDelayMs };
  const empty = async (number: number) => {
    const url = transferUrl(where, 0, number, false);
    return (await sender.send(url, new Uint8Array(0))).totalMs;
  };
  try {
    return await withTimeLimit('Measuring the round trip', limitMs + tries * serverDelayMs, both());
  } finally {
    sender.close();
  }

  async function both(): Promise<RoundTripProof> {
    return {
      takenAt: new Date().toISOString(),
      tcpConnectMs: await repeated(handshake),
      emptyRequestMs: await repeated(empty),
    };
  }
}

async function repeated(measure: (number: number) => Promise<number>): Promise<number[]> {
  const values: number[] = [];
  for (let number = 0; number <= tries; number++) values.push(await measure(number));
  return values.slice(1);
}

/** From connect() until the handshake is done; the connection is closed again. */
function tcpConnectMs(host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const socket = connect({ host, port, noDelay: true });
    socket.once('error', reject).once('connect', () => {
      const took = performance.now() - start;
      socket.destroy();
      resolve(took);
    });
  });
}
