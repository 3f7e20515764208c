import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { sleep } from 'zx';
import { CachescopeError, messageOf } from '../error.ts';
import type { Privilege } from '../privilege.ts';
import { programOf } from '../processes.ts';
import { waitAtMost } from '../time-limit.ts';
import { Journal } from '../storage/journal/journal.ts';
import { identityOf } from '../storage/journal/process-identity.ts';
import { undo } from '../storage/journal/undo.ts';
import { makeWorkDirectory } from '../storage/journal/work-directory.ts';
import type { NginxBinary } from './nginx-binary.ts';
import type { NginxPlace } from './nginx-config.ts';

const execute = promisify(execFile);
/** How long nginx may take until it listens, ms. */
const startLimitMs = 10_000;
const endLimitMs = 5_000;
/** Somebody else may take a free port before nginx does; then another is tried. */
const mostPorts = 5;

/** A running nginx. */
type NginxServer = NonNullable<Awaited<ReturnType<typeof launch>>>;

/**
 * Starts nginx with an empty cache on a free port of loopback, in a directory of its own; both are journaled. `configOf`
 * writes its configuration for them.
 *
 * @throws CachescopeError CS_NGINX_CONFIG when this nginx refuses the configuration, CS_NGINX_START when it does not come up.
 */
export async function startNginx(
  binary: NginxBinary,
  configOf: (place: NginxPlace) => string,
  privilege: Privilege,
): Promise<NginxServer> {
  const work = await makeWorkDirectory('nginx', privilege);
  try {
    // Its workers run as another user, and pass through here.
    await chmod(work.path, 0o711);
    await mkdir(join(work.path, 'temp'), { mode: 0o711 });
    for (let attempt = 1; ; attempt++) {
      const port = await freePort();
      const user = await workerUser(work.path);
      const config = configOf({ directory: work.path, port, user });
      await writeFile(join(work.path, 'nginx.conf'), config);
      await test(binary, work.path);
      const server = await launch(binary, work.path, port, privilege);
      if (server) return { ...server, close: () => server.close().then(work.remove) };
      if (attempt === mostPorts) {
        const errors = await errorLines(work.path);
        throw startError(
          binary,
          errors.join('; ') || `it exited on each of ${mostPorts} ports and logged no error`,
        );
      }
    }
  } catch (error) {
    await work.remove();
    throw error;
  }
}

function startError({ path }: NginxBinary, reason: string): CachescopeError {
  return new CachescopeError('CS_NGINX_START', `${path} did not come up: ${reason}`);
}

function args(directory: string): string[] {
  // -e: before it has read its configuration it would write to the distribution's log.
  return ['-p', directory, '-c', join(directory, 'nginx.conf'), '-e', join(directory, 'error.log')];
}

async function test({ path }: NginxBinary, directory: string): Promise<void> {
  try {
    await execute(path, ['-t', '-q', ...args(directory)], { timeout: startLimitMs });
  } catch (error) {
    const words = (error as { stderr?: string }).stderr?.trim() || messageOf(error);
    throw new CachescopeError(
      'CS_NGINX_CONFIG',
      `${path} refuses its configuration: ${words.split('\n')[0]}`,
      words.includes('proxy_cache_tempfile')
        ? { hint: 'nginx-tempfiles needs a binary with the tempfiles patch.' }
        : {},
    );
  }
}

/** Starts it and waits until it listens; null when it ends before: with a tested configuration, the port was taken meanwhile. */
async function launch(binary: NginxBinary, directory: string, port: number, privilege: Privilege) {
  const journal = Journal.begin();
  // In a process group of its own, out of reach of a terminal's Ctrl-C.
  const child = spawn(binary.path, args(directory), { stdio: 'ignore', detached: true });
  const process = child.pid === undefined ? null : identityOf(child.pid);
  try {
    if (process) journal.record({ kind: 'process', name: programOf(process.pid), process });
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
  const exited = exitOf(child);
  const close = async () => {
    child.kill('SIGTERM');
    await waitAtMost(endLimitMs, exited);
    await undo(journal, privilege);
    journal.end();
  };
  const start = await startOn(port, join(directory, 'nginx.pid'), exited);
  if (start !== 'listens') {
    await close();
    if (start === 'ended') return null;
    throw startError(binary, (await errorLines(directory)).join('; ') || 'it logged no error');
  }
  const failed = exited.then((how) => {
    throw new CachescopeError('CS_NGINX_ENDED', `nginx ended by itself (${how})`);
  });
  failed.catch(() => undefined);
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    /** Rejects when it ends by itself, and settles in no other way. */
    failed,
    /** Errors of its log, at most five, each once: a full disk, too many open files. */
    errors: () => errorLines(directory),
    /** Ends it and removes all that it wrote. Does nothing the second time. */
    close,
  };
}

function exitOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
}

/** What became of a start: nginx accepts connections, has ended before it did, or does neither within the limit. */
async function startOn(
  port: number,
  pidFile: string,
  exited: Promise<string>,
): Promise<'listens' | 'ended' | 'silent'> {
  const gone = exited.then(() => 'gone' as const);
  for (const end = Date.now() + startLimitMs; Date.now() < end;) {
    // Who accepts may be another that took the port. nginx writes its pid only after it has the port.
    if (existsSync(pidFile) && (await accepts(port)))
      return (await Promise.race([gone, sleep(0)])) === 'gone' ? 'ended' : 'listens';
    if ((await Promise.race([gone, sleep(10)])) === 'gone') return 'ended';
  }
  return 'silent';
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** A port of loopback that nobody listens on just now. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/**
 * Whose the workers of an nginx that root starts are: `nobody` with its group, or root where nobody else may go as far as
 * the directory, as in a private TMPDIR. null when it is not root that starts it: then they are as it is.
 */
async function workerUser(directory: string): Promise<string | null> {
  if (process.getuid?.() !== 0) return null;
  if (!(await isOpenToAll(directory))) return 'root';
  const users = await readFile('/etc/passwd', 'utf8');
  const [, gid] = /^nobody:[^:]*:\d+:(\d+):/m.exec(users) ?? [];
  const groups = await readFile('/etc/group', 'utf8');
  const group = groups.split('\n').find((line) => line.split(':')[2] === gid);
  return group === undefined ? 'nobody' : `nobody ${group.split(':')[0]}`;
}

/** Whether everybody may pass through every folder on the way to it, and through itself. */
async function isOpenToAll(directory: string): Promise<boolean> {
  const { mode } = await stat(directory);
  const parent = dirname(directory);
  return (mode & 0o001) !== 0 && (parent === directory || (await isOpenToAll(parent)));
}

const mostErrors = 5;

/** Errors of the log without time, connection and request, each once. */
async function errorLines(directory: string): Promise<string[]> {
  const text = await readFile(join(directory, 'error.log'), 'utf8').catch(() => '');
  const bad = [...text.matchAll(/\[(?:error|crit|alert|emerg)\] \d+#\d+: (?:\*\d+ )?([^\n,]*)/g)];
  return [...new Set(bad.map(([, message = '']) => message))].slice(0, mostErrors);
}
