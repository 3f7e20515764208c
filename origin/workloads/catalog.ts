import { readFile } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { pathToFileURL } from 'node:url';
import { OriginError } from '../error.ts';
import { parseSyntheticName, readSyntheticName, syntheticWorkload } from './synthetic.ts';
import { createWorkload, type Workload } from './workload.ts';

/** One file of a published package in two successive versions. */
interface Upgrade {
  title: string;
  /** Aliases of the package in this package's dependencies, one per version. */
  from: string;
  to: string;
  file: string;
}

/** Real library upgrades, as published by their authors. */
const upgrades: Readonly<Record<string, Upgrade>> = {
  pdfjs: {
    title: 'pdfjs-dist 5.3.31 -> 5.4.54, pdf.worker.min.mjs',
    from: 'pdfjs-dist-5.3.31',
    to: 'pdfjs-dist-5.4.54',
    file: 'build/pdf.worker.min.mjs',
  },
  three: {
    title: 'three 0.180 -> 0.181, three.core.js',
    from: 'three-0.180',
    to: 'three-0.181',
    file: 'build/three.core.js',
  },
};

/** Names of the real upgrades, for messages and lists. */
export const catalogNames: readonly string[] = Object.keys(upgrades);

/** Names and forms that `findWorkload` accepts, for messages. */
export const knownNames = `${catalogNames.join(', ')} and synthetic:SIZE (1B to 100MiB, for example synthetic:10KiB)`;

/** Why a command line cannot name this workload, to be appended to the name; null when it can. */
export function workloadProblem(name: string): string | null {
  if (Object.hasOwn(upgrades, name)) return null;
  const read = readSyntheticName(name);
  if (read === null) return `is not known; known are ${knownNames}`;
  return 'value' in read ? null : `has no such size; ${read.problem}`;
}

/** A file of an installed package, even if the package does not export it. */
async function packageFile(alias: string, file: string): Promise<Buffer> {
  const manifest = findPackageJSON(alias, import.meta.url);
  if (manifest === undefined) {
    throw new OriginError(
      'CS_WORKLOAD_PACKAGE',
      `the package ${alias} is not installed; run any npm script of the project to install it`,
    );
  }
  return readFile(new URL(file, pathToFileURL(manifest)));
}

/**
 * The workload of that name: a real upgrade of the catalog, or `synthetic:SIZE`.
 *
 * @throws OriginError CS_WORKLOAD_UNKNOWN listing the known names; CS_WORKLOAD_PACKAGE when a package is not installed.
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
  const { title, from, to, file } = upgrade;
  const [dictionary, resource] = await Promise.all([
    packageFile(from, file),
    packageFile(to, file),
  ]);
  return createWorkload({ name, title, contentType: 'text/javascript' }, dictionary, resource);
}

/** The workloads that the origin serves by default: the real upgrades. */
export async function catalog(): Promise<Workload[]> {
  return Promise.all(catalogNames.map(findWorkload));
}
