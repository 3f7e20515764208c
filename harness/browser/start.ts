import { AsyncLocalStorage } from 'node:async_hooks';
import type { ChildProcess } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, LaunchOptions } from 'puppeteer-core';
import { CachescopeError, messageOf } from '../error.ts';
import { withTimeLimit } from '../time-limit.ts';
import { kernelText } from '../kernel-text.ts';
import { programInNamespace } from '../network/program-in-namespace.ts';
import type { LinkEnd } from '../network/emulated-link.ts';
import { shortTwin } from '../storage/journal/short-twin.ts';
import { lastWords, startFailure } from './start-failure.ts';

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
  /** The end of an emulated link at which it runs: it finds 127.0.0.1 at the other end. Absent: it runs here. */
  link?: LinkEnd | undefined;
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
  const output = { text: '' };
  try {
    const launching = launch(output, {
      executablePath: programOf(options),
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
      ...leavesSignals,
    });
    // Puppeteer's own limit does not cover a program that starts and never responds.
    browser = await withTimeLimit('Starting Chromium', startLimitMs, launching);
    return await ready(browser);
  } catch (error) {
    browser?.process()?.kill('SIGKILL');
    // A launch that did not return has not reported which process it started.
    endChildrenSince(children);
    throw notStarted(executablePath, error, output);
  }
}

/** The program to start: the browser, or a script in its profile that starts it behind a link. */
function programOf({ executablePath, profileDirectory, link }: StartOptions): string {
  if (!link) return executablePath;
  mkdirSync(profileDirectory, { recursive: true });
  return programInNamespace(executablePath, link.enter, profileDirectory);
}

/** What a browser wrote to stderr since its launch. */
interface Output {
  text: string;
}

/** Its output is read until here: more of it does not tell why a start failed. */
const mostCharacters = 20_000;

/** A cause that the browser named has exit code 3: another attempt would fail in the same way. */
function notStarted(executablePath: string, error: unknown, { text }: Output): CachescopeError {
  const known = startFailure(text);
  if (known !== null)
    return new CachescopeError(
      'CS_BROWSER_LAUNCH',
      `${executablePath} did not start: ${known.what}`,
      { hint: known.todo, cause: error, exitCode: 3 },
    );
  const words = lastWords(text);
  const wrote = words === '' ? '' : `; it wrote: ${words}`;
  const message = `${executablePath} did not start: ${messageOf(error)}${wrote}`;
  const hint =
    'Start it by hand with --headless to see its output; name another with --browser PATH.';
  return new CachescopeError('CS_BROWSER_LAUNCH', message, { hint, cause: error });
}

/** During a launch: receives the 'error' of its process, and its output. */
const launches = new AsyncLocalStorage<{ refuse: (error: Error) => void; output: Output }>();
subscribe('child_process', (message) => {
  const own = launches.getStore();
  if (!own) return;
  const { process: child } = message as { process: ChildProcess };
  child.on('error', own.refuse);
  // The channel reports a process before it has its streams.
  setImmediate(() =>
    child.stderr?.on('data', (chunk: Buffer) => {
      if (own.output.text.length < mostCharacters) own.output.text += chunk.toString();
    }),
  );
});

/**
 * Puppeteer's launch. With a pipe it does not listen to the 'error' of a process that the kernel refuses to start
 * (execve(2): ENOENT; fork(2): EAGAIN), which would end this program before it has cleaned up.
 */
async function launch(output: Output, options: LaunchOptions): Promise<Browser> {
  const { default: puppeteer } = await import('puppeteer-core');
  const refused = Promise.withResolvers<never>();
  const own = { refuse: refused.reject, output };
  const launching = launches.run(own, () => puppeteer.launch(options));
  return Promise.race([refused.promise, launching]);
}

/**
 * Puppeteer's own handlers would end this program before it has cleaned up; and a run first finishes its sample. A
 * browser whose program has ended exits by itself.
 */
const leavesSignals = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false };

/** Chromium binds a socket at this place below its TMPDIR. */
const socketBelow = '/org.chromium.Chromium.XXXXXX/SingletonSocket';

/** `TMPDIR` for a browser, in a directory that is removed with its profile, and whose path is short enough. */
function temporaryIn(directory: string | undefined): { TMPDIR?: string } {
  if (directory === undefined) return {};
  const short = shortTwin(directory, socketBelow);
  mkdirSync(short, { recursive: true, mode: 0o700 });
  return { TMPDIR: short };
}

/** Time limit for Chromium to start and respond, ms: on a busy machine it took over 15 s. */
export const startLimitMs = 120_000;

/** Options of one launch of Chromium, in addition to those that all launches of this project share. */
interface LaunchChoice {
  /** `--disk-cache-dir`: holds the HTTP cache and V8's code cache, not the dictionaries. */
  cacheDirectory: string;
  link?: LinkEnd | undefined;
  /** Flags of the user or of an arm; they come last, so that they take precedence. */
  extra?: readonly string[] | undefined;
}

/**
 * Chromium's command line for a measurement. `asRoot` turns the sandbox off; as root Chromium refuses to start with it.
 * Nothing outside the machine is resolved or contacted: by default Chromium contacts its vendor's hosts at start-up.
 */
function chromiumFlags(choice: LaunchChoice, asRoot: boolean): string[] {
  return [
    `--disk-cache-dir=${choice.cacheDirectory}`,
    `--host-resolver-rules=${hostRules(choice.link)}`,
    '--no-default-browser-check',
    '--disable-quic',
    '--disable-gpu',
    // Versions from 130 to about 138 load extensions over the pipe only with it.
    '--enable-unsafe-extension-debugging',
    ...(asRoot ? ['--no-sandbox'] : []),
    ...(choice.extra ?? []),
  ];
}

/** Hosts of this machine alone. Behind a link 127.0.0.1 is at its other end. */
function hostRules(link: LinkEnd | undefined): string {
  if (!link) return 'MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE localhost';
  const { host } = link;
  return `MAP 127.0.0.1 ${host} , MAP * ~NOTFOUND , EXCLUDE localhost , EXCLUDE ${host}`;
}

/** Lifts that limit: the last of repeated switches applies, and an empty list of rules is no rule. */
export const anyHostFlags: readonly string[] = ['--host-resolver-rules='];

/**
 * Ids of this program's child processes (proc(5), /proc/PID/task/TID/children); empty where the kernel does not report
 * them.
 */
function childProcesses(): number[] {
  const children = kernelText(`/proc/self/task/${process.pid}/children`);
  return children.split(' ').filter(Boolean).map(Number);
}

/** Kills, by their ids, the child processes that were started since `before` was read. */
function endChildrenSince(before: readonly number[]): void {
  for (const pid of childProcesses().filter((child) => !before.includes(child))) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has just exited by itself.
    }
  }
}

/**
 * Starts Chromium without the extension, with profile, cache and temporary files in one directory. The caller closes it.
 *
 * @param extra flags that come last.
 * @param options further options of Puppeteer.
 * @throws CachescopeError CS_BROWSER_LAUNCH when Chromium does not start.
 */
export function startIn(
  directory: string,
  executablePath: string,
  extra: readonly string[] = [],
  options: LaunchOptions = {},
): Promise<Browser> {
  const cacheDirectory = join(directory, 'cache');
  const output = { text: '' };
  return launch(output, {
    executablePath,
    userDataDir: join(directory, 'profile'),
    pipe: true,
    timeout: startLimitMs,
    env: { ...process.env, ...temporaryIn(join(directory, 't')) },
    args: chromiumFlags({ cacheDirectory, extra }, process.getuid?.() === 0),
    ...leavesSignals,
    ...options,
  }).catch((error: unknown) => {
    throw notStarted(executablePath, error, output);
  });
}
