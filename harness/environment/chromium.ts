import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { choiceText, confinedBrowsers, findChromium, type FoundChromium } from '../browser/find.ts';
import { CachescopeError } from '../error.ts';
import type { Privilege } from '../privilege.ts';
import { installPackages } from './packages.ts';
import { isUbuntu } from './setup/distribution.mjs';
import { browserPackages } from './setup/needs.mjs';

/** Time limit for a Chromium to report its version, ms. */
const versionLimitMs = 30_000;

/** The version that a Chromium reports, such as `156.0.8078.79`; null when it reports none, or cannot be started. */
export async function chromiumVersion(path: string): Promise<string | null> {
  const options = { timeout: versionLimitMs };
  const reported = promisify(execFile)(path, ['--version'], options);
  const { stdout } = await reported.catch(() => ({ stdout: '' }));
  return /\d+(?:\.\d+)+/.exec(stdout)?.[0] ?? null;
}

/**
 * Finds Chromium, or installs the distribution's package when there is none, except on Ubuntu. A named browser that
 * cannot be started is an error; no other one is used instead. Says which one is measured, and why.
 *
 * @param release Text of os-release(5); default: this system's.
 * @throws CachescopeError CS_BROWSER_MISSING, exit code 3.
 */
export async function requireChromium(
  named: string | undefined,
  privilege: Privilege,
  say: (line: string) => void,
  release?: string,
): Promise<FoundChromium> {
  const found = await findChromium(named);
  if (found) {
    say(choiceText(found));
    return found;
  }
  const path = named || process.env['CHROME_PATH'];
  if (path) {
    const reason = existsSync(path) ? 'is not an executable file' : 'does not exist';
    throw new CachescopeError(
      'CS_BROWSER_MISSING',
      `${named ? '--browser ' : 'CHROME_PATH='}${path} ${reason}`,
      {
        hint: 'Name the program itself, for example /usr/bin/chromium, or omit the option to have one found.',
      },
    );
  }
  const confined = confinedBrowsers();
  const only = confined.length === 0 ? '' : ` that can be used; there is ${confined.join(', ')}`;
  if (isUbuntu(release))
    throw new CachescopeError(
      'CS_BROWSER_MISSING',
      `no Chromium was found${only}; Ubuntu's package chromium is a snap, which cannot use the cache directory`,
      {
        hint: 'Install Google Chrome, or Chrome for Testing (npx @puppeteer/browsers install chrome), and name it with --browser PATH.',
      },
    );
  await installPackages(browserPackages, 'Measuring', privilege, say);
  const installed = await findChromium(undefined);
  if (installed) {
    say(choiceText(installed));
    return installed;
  }
  throw new CachescopeError(
    'CS_BROWSER_MISSING',
    'no Chromium was found, not even after installing the package chromium',
    { hint: 'Install Chromium or Chrome for Testing and name it with --browser PATH.' },
  );
}
