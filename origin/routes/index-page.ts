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

/**
 * The page's data about each workload; the page builds the rows by script, so that names never become markup. Each URL
 * has the content in its query: responses are stored for a year, and the next origin at this port may serve others.
 */
async function describe(workload: Workload, variants: VariantStore) {
  const { name, title, resource, dictionarySha256 } = workload;
  const representation = (coding: Coding) => variants.get(coding, representationsOf(workload));
  const arm = async (coding: Coding) => {
    const { etag, bytes } = await representation(coding);
    return {
      label: codingLabels[coding],
      path: versioned(resourcePath(name, coding), etag),
      bytes: bytes.byteLength,
    };
  };
  // It depends on both versions of the workload.
  const { etag } = await representation('dcb');
  return {
    title,
    decodedBytes: resource.byteLength,
    dictionary: { path: versioned(dictionaryPath(name), dictionarySha256) },
    negotiated: { path: versioned(resourcePath(name), etag) },
    arms: await Promise.all(codings.map(arm)),
  };
}

function versioned(path: string, hash: string): string {
  return `${path}?v=${hash.replaceAll('"', '').slice(0, 16)}`;
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
