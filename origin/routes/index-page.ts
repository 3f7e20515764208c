import { readFileSync } from 'node:fs';
import { codingLabels, codings } from '@cachescope/model/coding.ts';
import type { FastifyInstance } from 'fastify';
import type { Workload } from '../workloads/workload.ts';
import { dictionaryPath, resourcePath } from '../workloads/urls.ts';
import { isolationHeaders } from './pages.ts';

const template = readFileSync(new URL('index-page.html', import.meta.url), 'utf8');

/** What the page needs of each workload; the page itself builds the rows, so that no markup is made of names. */
function describe(workload: Workload) {
  return {
    title: workload.title,
    dictionary: { path: dictionaryPath(workload.name), bytes: workload.dictionary.byteLength },
    negotiated: resourcePath(workload.name),
    resourceBytes: workload.resource.byteLength,
    arms: codings.map((coding) => ({
      coding,
      label: codingLabels[coding],
      path: resourcePath(workload.name, coding),
    })),
  };
}

/** `/`: every workload and arm, to be loaded by hand. */
export function indexRoute(server: FastifyInstance, workloads: readonly Workload[]): void {
  const json = JSON.stringify(workloads.map(describe)).replaceAll('<', String.raw`\u003c`);
  const page = template.replace('"WORKLOADS"', () => json);
  server.get('/', async (_, reply) => {
    reply.headers({ ...isolationHeaders, 'cache-control': 'no-store' });
    return reply.type('text/html; charset=utf-8').send(page);
  });
}
