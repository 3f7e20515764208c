import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { which } from 'zx';

/** Program names under which distributions and vendors install Chromium, unbranded ones first. */
const commandNames = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Folders in which test tools keep Chrome for Testing, and the path of the program within one version. */
const testingCaches = [
  { folder: '.cache/puppeteer/chrome', program: 'chrome-linux64/chrome' },
  { folder: '.cache/ms-playwright', program: 'chrome-linux/chrome' },
];

export interface FoundChromium {
  path: string;
  /** Where the path comes from: a flag, a variable, the search path or a cache folder. For users. */
  foundBy: string;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function fromTestingCaches(home: string): FoundChromium | null {
  for (const { folder, program } of testingCaches) {
    const cache = join(home, folder);
    if (!existsSync(cache)) continue;
    const newestFirst = readdirSync(cache).toSorted((a, b) =>
      b.localeCompare(a, 'en', { numeric: true }),
    );
    for (const version of newestFirst) {
      const path = join(cache, version, program);
      if (isExecutable(path)) return { path, foundBy: cache };
    }
  }
  return null;
}

/**
 * Finds the Chromium to measure: `--browser`, then CHROME_PATH, then the search path, then Chrome for Testing caches. A
 * named path that is not executable is not skipped: the result is null, and the caller reports it.
 */
export async function findChromium(
  named: string | undefined,
  environment: NodeJS.ProcessEnv = process.env,
  home: string = homedir(),
): Promise<FoundChromium | null> {
  if (named) return isExecutable(named) ? { path: named, foundBy: '--browser' } : null;
  const variable = environment['CHROME_PATH'];
  if (variable) return isExecutable(variable) ? { path: variable, foundBy: 'CHROME_PATH' } : null;
  for (const name of commandNames) {
    const path = await which(name, { nothrow: true, path: environment['PATH'] ?? '' });
    if (path) return { path, foundBy: 'the search path' };
  }
  return fromTestingCaches(home);
}
