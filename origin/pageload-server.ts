import fastify from 'fastify';
import { RequestLog } from './request-log.ts';
import { logRefused, logRequests } from './routes/logging.ts';
import { pageloadRoutes } from './routes/pageload.ts';
import { pageRoutes } from './routes/pages.ts';
import type { PageSite } from './workloads/pageload-site.ts';

/** A running origin of one page; `url` for example `http://127.0.0.1:41234`. */
export type PageOrigin = Awaited<ReturnType<typeof startPageOrigin>>;

/** Starts the origin of a page on a free port of loopback: it replaces all hosts of the page. */
export async function startPageOrigin(site: PageSite, serverDelayMs = 0) {
  const log = new RequestLog();
  const server = fastify({ forceCloseConnections: true, frameworkErrors: logRefused(log) });
  logRequests(server, log);
  pageRoutes(server);
  pageloadRoutes(server, site, serverDelayMs);
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  return { url, log, server, close: () => server.close() };
}
