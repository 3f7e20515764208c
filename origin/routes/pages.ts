import type { FastifyInstance } from 'fastify';
import { pagePath, warmUpPath } from '../workloads/urls.ts';
import { cacheForever, neverStore, openToAll } from './cache-headers.ts';

/** Headers for cross-origin isolation (HTML), with which the page's clock has steps of 5 µs instead of 100. */
export const isolationHeaders = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'cross-origin-resource-policy': 'same-origin',
} as const;

// The icon is inline, so that the browser requests none.
const emptyPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Cachescope: an empty page for reads</title>
<link rel="icon" href="data:,">
</html>
`;

/** The page in which reads are made, and the entry with which a launch warms up its cache. */
export function pageRoutes(server: FastifyInstance): void {
  server.get(pagePath, (_request, reply) =>
    reply
      .headers({ ...isolationHeaders, ...neverStore })
      .type('text/html; charset=utf-8')
      .send(emptyPage),
  );
  server.get(warmUpPath, (_request, reply) =>
    reply
      .headers({ ...cacheForever, ...openToAll })
      .type('text/plain; charset=utf-8')
      .send('warm\n'),
  );
}
