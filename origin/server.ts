import { randomBytes } from 'node:crypto';
import fastify, { type FastifyInstance } from 'fastify';
import { type Qualities, checkedQualities } from './encoding/qualities.ts';
import { proveEncoder } from './encoding/self-proof.ts';
import { VariantStore } from './encoding/variants.ts';
import { RequestLog } from './request-log.ts';
import { controlRoutes } from './routes/control.ts';
import { logRefused, logRequests } from './routes/logging.ts';
import type { LabHandlers } from './routes/lab.ts';
import { indexRoute } from './routes/index-page.ts';
import { microRoutes, type TaskSource } from './routes/micro.ts';
import { pageRoutes } from './routes/pages.ts';
import { limitBodyTime, limitStrangers } from './routes/stranger-limits.ts';
import { streamRoutes } from './routes/stream.ts';
import { workloadRoutes } from './routes/workloads.ts';
import { type SecureServer, startSecureServer } from './secure-server.ts';
import { startTransferServers } from './transfer-servers.ts';
import { situationRoutes } from './situations/routes.ts';
import { catalog } from './workloads/catalog.ts';
import type { Workload } from './workloads/workload.ts';

export interface OriginOptions {
  /** Address to listen on; default 127.0.0.1: reachable only from this machine. */
  host?: string;
  /** Default 0: any free port. */
  port?: number;
  /** Default: the real upgrades of the catalog. */
  workloads?: readonly Workload[];
  qualities?: Partial<Qualities>;
  /** Token of the control routes; default: random. */
  token?: string;
  /** Actions of a lab, for its control routes; default: there are none. */
  lab?: LabHandlers;
  /** Gives tasks to the pages of the micro-benchmarks; default: there are none. */
  micro?: TaskSource;
  /** Serve transfers over every protocol; `tlsPort` 0: any free ports. Default: no transfers. */
  transfer?: { tlsPort: number };
  /** Serve the situations of the truth table too, and also start the secure server; default false. For tests. */
  situations?: boolean;
}

/** A running origin. */
export interface Origin {
  /** For example `http://127.0.0.1:41234`. */
  url: string;
  token: string;
  /** Its requests are in the same log. null: not requested. */
  secure: SecureServer | null;
  log: RequestLog;
  workloads: readonly Workload[];
  server: FastifyInstance;
  close(): Promise<void>;
}

/**
 * Starts the origin, after its encoder has proved that it uses dictionaries.
 *
 * @throws OriginError CS_ORIGIN_ENCODER, CS_ORIGIN_QUALITY, CS_WORKLOAD_*; the listener's own error when the port is in
 * use.
 */
export async function startOrigin(options: OriginOptions = {}): Promise<Origin> {
  const qualities = checkedQualities(options.qualities);
  const [workloads] = await Promise.all([options.workloads ?? catalog(), proveEncoder(qualities)]);
  const token = options.token ?? randomBytes(24).toString('base64url');
  const log = new RequestLog();
  const variants = new VariantStore(qualities);
  const server = fastify({ forceCloseConnections: true, frameworkErrors: logRefused(log) });
  const host = options.host ?? '127.0.0.1';
  // First: a request that a limit refuses used the network too.
  logRequests(server, log);
  limitStrangers(server, host);
  limitBodyTime(server);
  pageRoutes(server);
  indexRoute(server, workloads, variants);
  workloadRoutes(server, workloads, variants);
  streamRoutes(server);
  controlRoutes(server, token, log, options.lab);
  if (options.micro) microRoutes(server, options.micro);
  if (options.situations) situationRoutes(server, log);
  const transfer =
    options.transfer && (await startTransferServers(server, log, { host, ...options.transfer }));
  const url = await server
    .listen({ host, port: options.port ?? 0 })
    .catch(async (error: unknown) => {
      await transfer?.close();
      throw error;
    });
  const secure = options.situations ? await startSecureServer(secureRoutes(log)) : null;
  const close = async () => {
    await Promise.all([server.close(), secure?.close(), transfer?.close()]);
  };
  return { url, token, secure, log, workloads, server, close };
}

function secureRoutes(log: RequestLog) {
  return (server: FastifyInstance): void => {
    logRequests(server, log);
    situationRoutes(server, log);
  };
}
