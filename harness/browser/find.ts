import { homedir } from 'node:os';
import { findBrowsers } from '../environment/setup/browsers.mjs';
import { isExecutable } from '../environment/setup/programs.mjs';

export interface FoundChromium {
  path: string;
  /** Where the path comes from: a flag, a variable, the search path or a folder. For users. */
  foundBy: string;
  /** Paths of other browsers on this machine, which were not chosen; empty when the user named this one. */
  others: string[];
}

/**
 * Finds the Chromium to measure: `--browser`, then CHROME_PATH, then the first of those on this machine. A named path that
 * is not executable is not skipped: the result is null, and the caller reports it. A browser inside the sandbox of snap
 * or Flatpak is never chosen: it does not see the cache directory.
 */
export async function findChromium(
  named: string | undefined,
  environment: NodeJS.ProcessEnv = process.env,
  home: string = homedir(),
): Promise<FoundChromium | null> {
  if (named) return isExecutable(named) ? { path: named, foundBy: '--browser', others: [] } : null;
  const variable = environment['CHROME_PATH'];
  if (variable)
    return isExecutable(variable) ? { path: variable, foundBy: 'CHROME_PATH', others: [] } : null;
  const [first, ...others] = findBrowsers(environment, home);
  if (first === undefined || first.confinedBy !== null) return null;
  const { path, foundBy } = first;
  return { path, foundBy, others: others.map(nameOf) };
}

/** The browsers that cannot be chosen, for users; empty when there are none. */
export function confinedBrowsers(environment: NodeJS.ProcessEnv = process.env): string[] {
  return findBrowsers(environment)
    .filter(({ confinedBy }) => confinedBy !== null)
    .map(nameOf);
}

function nameOf({ path, confinedBy }: { path: string; confinedBy: string | null }): string {
  return confinedBy === null ? path : `${path} (${confinedBy}: does not see the cache directory)`;
}

/** Which browser is measured, and why, in one sentence. */
export function choiceText({ path, foundBy, others }: FoundChromium): string {
  const choice = `Browser: ${path} (${foundBy})`;
  if (others.length === 0) return choice;
  return `${choice}, the first found; also here: ${others.join(', ')}. Choose with --browser PATH`;
}
