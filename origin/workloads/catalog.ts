import { OriginError } from '../error.ts';
import { packageFile, type PublishedFile } from './published-file.ts';
import { parseSyntheticName, readSyntheticName, syntheticWorkload } from './synthetic.ts';
import { createWorkload, type Workload } from './workload.ts';

/** One file of a published package in two successive versions. */
interface Upgrade {
  title: string;
  from: PublishedFile;
  to: PublishedFile;
}

const pdfWorker = 'build/pdf.worker.min.mjs';
const threeCore = 'build/three.core.js';

/** Real library upgrades, as published by their authors. */
const upgrades: Readonly<Record<string, Upgrade>> = {
  pdfjs: {
    title: 'pdfjs-dist 5.3.31 -> 5.4.54, pdf.worker.min.mjs',
    from: {
      alias: 'pdfjs-dist-5.3.31',
      file: pdfWorker,
      sha256: 'b53a18c9bc0b7296fa96297fc47a09678fa46b4bce38ca469d978653af1d7bd6',
    },
    to: {
      alias: 'pdfjs-dist-5.4.54',
      file: pdfWorker,
      sha256: '9e9f4a4b55d8416262f932317969d9ebbdcb24418c94637a4ee9c99570d08b77',
    },
  },
  three: {
    title: 'three 0.180 -> 0.181, three.core.js',
    from: {
      alias: 'three-0.180',
      file: threeCore,
      sha256: 'eb077d2417f61d3e6d9264c317cabc4ea35769ed6b0ab533067292a550784c20',
    },
    to: {
      alias: 'three-0.181',
      file: threeCore,
      sha256: '03fb6e9fa08628385a9096948593251ae473239c7039496d7c280cba73d84631',
    },
  },
};

/** Names of the real upgrades, for messages and lists. */
export const catalogNames: readonly string[] = Object.keys(upgrades);

/** Names and forms that `findWorkload` accepts, for messages. */
const knownNames = `${catalogNames.join(', ')} and synthetic:SIZE (1B to 100MiB, for example synthetic:10KiB)`;

/** Why a command line cannot name this workload, to be appended to the name; null when it can. */
export function workloadProblem(name: string): string | null {
  if (Object.hasOwn(upgrades, name)) return null;
  const read = readSyntheticName(name);
  if (read === null) return `is not known; known are ${knownNames}`;
  return 'value' in read ? null : `has no such size; ${read.problem}`;
}

/** The files of other packages that the catalog reads. */
export const publishedFiles: readonly PublishedFile[] = Object.values(upgrades).flatMap(
  ({ from, to }) => [from, to],
);

/**
 * The workload of that name: a real upgrade of the catalog, or `synthetic:SIZE`.
 *
 * @throws OriginError CS_WORKLOAD_UNKNOWN listing the known names; CS_WORKLOAD_PACKAGE when a package is not installed,
 *   or its file has other bytes.
 */
export async function findWorkload(name: string): Promise<Workload> {
  const bytes = parseSyntheticName(name);
  if (bytes !== null) return syntheticWorkload(name, bytes);
  const upgrade = Object.hasOwn(upgrades, name) ? upgrades[name] : undefined;
  if (!upgrade)
    throw new OriginError(
      'CS_WORKLOAD_UNKNOWN',
      `no workload is called ${JSON.stringify(name)}; known are ${knownNames}`,
    );
  const { title, from, to } = upgrade;
  const [dictionary, resource] = await Promise.all([packageFile(from), packageFile(to)]);
  return createWorkload({ name, title, contentType: 'text/javascript' }, dictionary, resource);
}

/** The workloads that the origin serves by default: the real upgrades. */
export async function catalog(): Promise<Workload[]> {
  return Promise.all(catalogNames.map(findWorkload));
}
