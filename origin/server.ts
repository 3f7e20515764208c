import { randomBytes } from 'node:crypto';
import fastify, { type FastifyInstance } from 'fastify';
import { type Qualities, checkedQualities } from './encoding/qualities.ts';
import { proveEncoder } from './encoding/self-proof.ts';
import { VariantStore } from './encoding/variants.ts';
import { RequestLog } from './request-log.ts';
import { controlRoutes } from './routes/control.ts';
import { logRefused, logRequests } from './routes/logging.ts';
import { indexRoute } from './routes/index-page.ts';
import { pageRoutes } from './routes/pages.ts';
import { workloadRoutes } from './routes/workloads.ts';
import { catalog } from './workloads/catalog.ts';
import type { Workload } from './workloads/workload.ts';

export interface OriginOptions {
  /** Address to listen on; default 127.0.0.1: only this machine. */
  host?: string;
  /** Default 0: any free port. */
  port?: number;
  /** Default: the real upgrades of the catalog. */
  workloads?: readonly Workload[];
  qualities?: Partial<Qualities>;
  /** Token of the control routes; default: random. */
  token?: string;
}

/** A running origin. */
export interface Origin {
  /** For example `http://127.0.0.1:41234`. */
  url: string;
  token: string;
  log: RequestLog;
  workloads: readonly Workload[];
  server: FastifyInstance;
  close(): Promise<void>;
}

/**
 * Starts the origin, after its encoder has proved that it uses dictionaries.
 *
 * @throws OriginError CS_ORIGIN_ENCODER, CS_ORIGIN_QUALITY, CS_WORKLOAD_*; the listener's own error when the port is taken.
 */
export async function startOrigin(options: OriginOptions = {}): Promise<Origin> {
  const qualities = checkedQualities(options.qualities);
  const [workloads] = await Promise.all([options.workloads ?? catalog(), proveEncoder(qualities)]);
  const token = options.token ?? randomBytes(24).toString('base64url');
  const log = new RequestLog();
  const variants = new VariantStore(qualities);
  const server = fastify({ forceCloseConnections: true, frameworkErrors: logRefused(log) });
  logRequests(server, log);
  pageRoutes(server);
  indexRoute(server, workloads, variants);
  workloadRoutes(server, workloads, variants);
  controlRoutes(server, token, log);
  const url = await server.listen({ host: options.host ?? '127.0.0.1', port: options.port ?? 0 });
  return { url, token, log, workloads, server, close: () => server.close() };
}
