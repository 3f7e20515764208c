import fastify from 'fastify';
import { defaultQualities } from './encoding/qualities.ts';
import { encode } from './encoding/encoder.ts';
import { type Variant, VariantStore } from './encoding/variants.ts';
import { reclaimRoutes } from './routes/reclaim.ts';
import { startSecureServer } from './secure-server.ts';
import { LimitedStore, type LimitedStoreOptions } from './store/limited-store.ts';

/** Longest idle time between two requests of a connection, ms. */
const idleLimitMs = 60_000;

/**
 * Length of the accept queue: an origin that falls behind queues as many connections as the kernel allows (somaxconn).
 */
const backlog = 4096;

/** An origin for a load test. It ends with its process. */
export interface ReclaimServer {
  /** `http://127.0.0.1:41234`, HTTP/1.1. */
  url: string;
  /** `https://localhost:41235`, HTTP/2. */
  secureUrl: string;
  /** Hash of the public key of the certificate of `secureUrl`, base64: a browser is told to trust it. */
  publicKeySha256: string;
  store: LimitedStore<Variant>;
}

/**
 * Starts an origin that serves items from a limited store of encoded variants, over HTTP/1.1 and HTTP/2 on loopback. It
 * keeps no request log: the log would grow with the load and look like a memory leak.
 */
export async function startReclaimServer(options: LimitedStoreOptions): Promise<ReclaimServer> {
  const store = new LimitedStore<Variant>(options);
  const variants = new VariantStore(defaultQualities, encode, store);
  const server = fastify({ keepAliveTimeout: idleLimitMs });
  reclaimRoutes(server, variants);
  const url = await server.listen({ host: '127.0.0.1', port: 0, backlog });
  const { url: secureUrl, publicKeySha256 } = await startSecureServer(
    (routes) => reclaimRoutes(routes, variants),
    { idleLimitMs },
  );
  return { url, secureUrl, publicKeySha256, store };
}
