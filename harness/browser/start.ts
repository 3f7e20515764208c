import { mkdirSync } from 'node:fs';
import puppeteer, { type Browser } from 'puppeteer-core';
import { CachescopeError, messageOf } from '../error.ts';
import { withTimeLimit } from '../time-limit.ts';
import { childProcesses, endChildrenSince } from './child-processes.ts';
import { chromiumFlags, type LaunchChoice } from './flags.ts';
import { startLimitMs } from './start-limit.ts';

/** Options of one start of Chromium. */
export interface StartOptions extends LaunchChoice {
  executablePath: string;
  /** `--user-data-dir`: the profile, dictionaries included. */
  profileDirectory: string;
  headful: boolean;
  /** Folder of an extension to load; absent: none. */
  extensionDirectory?: string;
  /** Environment variables of the browser, added to this program's. */
  environment?: Readonly<Record<string, string>> | undefined;
  /** Directory for its temporary files; created when missing. Absent: Chromium's default. */
  temporaryDirectory?: string | undefined;
}

/**
 * Starts Chromium and returns what `ready` makes of it. Puppeteer attaches only to the browser and, with an extension, to
 * service workers.
 *
 * @throws CachescopeError CS_BROWSER_LAUNCH when Chromium does not start within 2 min, or `ready` fails: it is ended.
 */
export async function startChromium<Started>(
  options: StartOptions,
  ready: (browser: Browser) => Promise<Started>,
): Promise<Started> {
  const { executablePath, extensionDirectory } = options;
  let browser: Browser | undefined;
  const children = childProcesses();
  try {
    const launching = puppeteer.launch({
      executablePath,
      userDataDir: options.profileDirectory,
      headless: !options.headful,
      pipe: true,
      ...(extensionDirectory !== undefined && { enableExtensions: [extensionDirectory] }),
      waitForInitialPage: false,
      timeout: startLimitMs,
      targetFilter: (target) =>
        target.type() === 'browser' ||
        (extensionDirectory !== undefined && target.type() === 'service_worker'),
      args: chromiumFlags(options, process.getuid?.() === 0),
      env: { ...process.env, ...temporaryIn(options.temporaryDirectory), ...options.environment },
      // The run decides when the browser ends: on an interrupt it first finishes the sample.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
    });
    // Puppeteer's own limit does not cover a program that starts and never responds.
    browser = await withTimeLimit('Starting Chromium', startLimitMs, launching);
    return await ready(browser);
  } catch (error) {
    browser?.process()?.kill('SIGKILL');
    // A launch that did not return has not reported which process it started.
    endChildrenSince(children);
    const message = `${executablePath} did not start: ${messageOf(error)}`;
    const hint =
      'Start it by hand with --headless to see its output; name another with --browser PATH.';
    throw new CachescopeError('CS_BROWSER_LAUNCH', message, { hint, cause: error });
  }
}

/**
 * Chromium binds a socket in `TMPDIR/org.chromium.Chromium.XXXXXX`, and a socket's path has at most 107 bytes
 * (unix(7)).
 */
const longestTemporaryPath = 107 - '/org.chromium.Chromium.XXXXXX/SingletonSocket'.length;

/** `TMPDIR` for a browser, in a directory that is removed with its profile; empty where the path would be too long. */
export function temporaryIn(directory: string | undefined): { TMPDIR?: string } {
  if (directory === undefined || Buffer.byteLength(directory) > longestTemporaryPath) return {};
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  return { TMPDIR: directory };
}
