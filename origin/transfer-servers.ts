import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type TransferDescription, transferPath } from '@cachescope/model/transfer/task.ts';
import type { FastifyInstance } from 'fastify';
import type { RequestLog } from './request-log.ts';
import { neverStore } from './routes/cache-headers.ts';
import { logRequests } from './routes/logging.ts';
import { limitBodyTime, limitStrangers } from './routes/stranger-limits.ts';
import { ConnectionCount } from './routes/transfer-connections.ts';
import { transferRoutes } from './routes/transfer.ts';
import { makeCertificate, type SecureServer, startSecureServer } from './secure-server.ts';

/** Longest idle time between two requests of a warm connection, ms; includes the server delay. */
const idleLimitMs = 60_000;

export interface TransferOptions {
  /** Address to listen on. */
  host: string;
  /** Port of HTTP/1.1 over TLS; HTTP/2 uses the next one; 0: any free ones. */
  tlsPort: number;
}

/**
 * Serves transfers over every protocol: adds the routes to the plain server, which must not listen yet, and starts two
 * secure servers with one certificate, created now and stored nowhere.
 */
export async function startTransferServers(
  plain: FastifyInstance,
  log: RequestLog,
  { host, tlsPort }: TransferOptions,
) {
  const connections = new ConnectionCount();
  const certificate = await makeCertificate();
  const secure = (server: FastifyInstance): void => {
    // First, as in the plain server.
    logRequests(server, log);
    limitStrangers(server, host);
    limitBodyTime(server);
    transferRoutes(server, connections);
  };
  const common = { host, certificate, idleLimitMs };
  const h1Tls = await startSecureServer(secure, { ...common, port: tlsPort, http2: false });
  const h2Port = tlsPort === 0 ? 0 : tlsPort + 1;
  const h2 = await startSecureServer(secure, { ...common, port: h2Port, http2: true }).catch(
    async (error: unknown) => {
      await h1Tls.close();
      throw error;
    },
  );
  transferRoutes(plain, connections);
  const description: TransferDescription = {
    version: 1,
    machine: machineId(),
    ports: { 'h1-tls': portOf(h1Tls), h2: portOf(h2) },
    certificate: certificate.cert,
    publicKeySha256: certificate.publicKeySha256,
  };
  plain.get(transferPath, (_request, reply) => reply.headers(neverStore).send(description));
  const close = async (): Promise<void> => void (await Promise.all([h1Tls.close(), h2.close()]));
  /** The listeners in addition to the plain one. */
  return { h1Tls, h2, close };
}

function portOf({ url }: SecureServer): number {
  return Number(new URL(url).port);
}

/**
 * Distinguishes kernels without revealing anything else: a digest of the boot id, which containers share. null:
 * unknown.
 */
export function machineId(path = '/proc/sys/kernel/random/boot_id'): string | null {
  try {
    return createHash('sha256')
      .update(`cachescope ${readFileSync(path, 'utf8')}`)
      .digest('hex');
  } catch {
    return null;
  }
}
