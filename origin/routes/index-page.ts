import { readFileSync } from 'node:fs';
import { type Coding, codingLabels, codings } from '@cachescope/model/coding.ts';
import type { FastifyInstance } from 'fastify';
import type { VariantStore } from '../encoding/variants.ts';
import { dictionaryPath, resourcePath } from '../workloads/urls.ts';
import type { Workload } from '../workloads/workload.ts';
import { neverStore } from './cache-headers.ts';
import { isolationHeaders } from './pages.ts';
import { representationsOf } from './workloads.ts';

const template = readFileSync(new URL('index-page.html', import.meta.url), 'utf8');

/** The page's data about each workload; the page builds the rows by script, so that names never become markup. */
async function describe(workload: Workload, variants: VariantStore) {
  const arm = async (coding: Coding) => ({
    label: codingLabels[coding],
    path: resourcePath(workload.name, coding),
    bytes: (await variants.get(coding, representationsOf(workload))).bytes.byteLength,
  });
  return {
    title: workload.title,
    decodedBytes: workload.resource.byteLength,
    dictionary: { path: dictionaryPath(workload.name) },
    negotiated: { path: resourcePath(workload.name) },
    arms: await Promise.all(codings.map(arm)),
  };
}

/** `/`: every workload and arm, for loading by hand. The first request encodes all variants, to show their sizes. */
export function indexRoute(
  server: FastifyInstance,
  workloads: readonly Workload[],
  variants: VariantStore,
): void {
  server.get('/', async (_request, reply) => {
    const described = await Promise.all(workloads.map((workload) => describe(workload, variants)));
    // Inside a script element only `<` could end the data early.
    const json = JSON.stringify(described).replaceAll('<', String.raw`\u003c`);
    const page = template.replace('"WORKLOADS"', () => json);
    reply.headers({ ...isolationHeaders, ...neverStore });
    return reply.type('text/html; charset=utf-8').send(page);
  });
}
