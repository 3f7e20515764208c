// Part of the start: runs on every Node that can start the project, and imports nothing but Node itself.
// @ts-check
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** What this user's Cachescope keeps from one run to the next. */
export function cacheFolder() {
  return join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'cachescope');
}

/** Options of npm that keep it quiet, run no code of a package, and hold where the user's settings differ. */
const options =
  '--no-audit --no-fund --no-update-notifier --loglevel=error --ignore-scripts --include=optional --global=false';

/**
 * A package of npm's registry that is fetched when it is first needed, and kept.
 *
 * @param {string} name
 * @param {string} version
 * @param {(modules: string) => boolean} isWhole Whether a node_modules has all that is needed: npm leaves out, without an
 *   error, an optional package that it could not fetch.
 */
export function keptPackage(name, version, isWhole) {
  const folder = join(cacheFolder(), `${name.replace('/', '-')}-${version}-${process.arch}`);
  const modules = join(folder, 'node_modules');
  const wanted = `${name}@${version}`;
  const isThere = () => isWhole(modules);
  return {
    folder,
    modules,
    /** What fetches it, to be typed. */
    command: ['npm', 'install', '--prefix', folder, wanted],
    isThere,
    /** Fetches it; true when it is there now. What npm says goes to stderr. */
    fetch() {
      // A fetch that is killed, or a second one at the same time, leaves no half of a package.
      try {
        mkdirSync(cacheFolder(), { recursive: true });
        const partial = mkdtempSync(`${folder}.`);
        const words = ['install', ...options.split(' '), '--prefix', partial, wanted];
        spawnSync('npm', words, { stdio: ['ignore', 2, 2] });
        if (isWhole(join(partial, 'node_modules')) && !isThere()) {
          rmSync(folder, { recursive: true, force: true });
          renameSync(partial, folder);
        }
        rmSync(partial, { recursive: true, force: true });
      } catch {
        // The folder cannot be written, or another start was first: the next line tells.
      }
      return isThere();
    },
  };
}
