// Part of the start: runs on every Node that can start the project, and imports nothing but Node itself.
// @ts-check
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';

export const fitVersions = '24.15, 25.7 or newer';

/**
 * True from Node 24.15 and 25.7 on: older ones ignore a Brotli dictionary without a word (nodejs/node#61763).
 *
 * @param {string} version
 */
function isRecent(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major === 24) return minor >= 15;
  if (major === 25) return minor >= 7;
  return major > 25;
}

/**
 * Why a Node cannot run the project; null: it can. Distributions build Node without parts: Debian's strips no types.
 *
 * @param {boolean} stripsTypes Whether the project is there as TypeScript.
 * @param {{ versions: { node: string }; features: object }} [node] Default: the running one.
 */
export function unfitReason(stripsTypes, node = process) {
  if (!isRecent(node.versions.node)) return `${fitVersions} is needed`;
  if (stripsTypes && !('typescript' in node.features && node.features.typescript))
    return 'it was built without type stripping';
  return null;
}

/** Path of the Node that our packages bring; null: the registry has none for this platform. */
export function broughtNode() {
  try {
    const name = `node-${process.platform}-${process.arch}/bin/node`;
    return createRequire(import.meta.url).resolve(name);
  } catch {
    return null;
  }
}

/** Debian's packages of the libraries that the Node of the registry needs. @type {Readonly<Record<string, string>>} */
export const libraryPackages = {
  'libatomic.so.1': 'libatomic1',
  'libstdc++.so.6': 'libstdc++6',
  'libgcc_s.so.1': 'libgcc-s1',
};

/**
 * Why a Node does not start, found out by starting it, and Debian's names of the packages that would mend it; null: it starts.
 *
 * @param {string} path
 * @returns {{ why: string; packages: string[] } | null}
 */
export function startObstacle(path) {
  const { status, stderr, error } = spawnSync(path, ['--version'], { encoding: 'utf8' });
  if (error !== undefined) {
    // The loader that it names does not exist.
    const isOtherLibc = /** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT';
    return { why: isOtherLibc ? 'it needs glibc' : error.message, packages: [] };
  }
  if (status === 0) return null;
  const libraries = missingLibraries(path, stderr);
  const packages = libraries.flatMap((name) => libraryPackages[name] ?? []);
  if (libraries.length === 0 || packages.length < libraries.length)
    return { why: stderr.trim() || `it ended with code ${status}`, packages: [] };
  return { why: `it needs ${libraries.join(', ')}`, packages };
}

/**
 * The loader names the first library that is missing, and ldd(1) all.
 *
 * @param {string} path
 * @param {string} stderr
 */
function missingLibraries(path, stderr) {
  const { stdout } = spawnSync('ldd', [path], { encoding: 'utf8' });
  const all = [...(stdout ?? '').matchAll(/^\s*(\S+) => not found/gm)].map(([, name]) => name);
  const first = /loading shared libraries: ([^:\s]+): cannot open/.exec(stderr)?.[1];
  return [...new Set([first, ...all])].filter((name) => name !== undefined);
}
