import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { sleep } from 'zx';
import { deviceTodos } from '../../environment/setup/surroundings.mjs';
import { CachescopeError } from '../../error.ts';
import type { DeviceParts } from './back-end.ts';
import { isMounted } from '../mounts.ts';
import { nbdServersIn } from '../journal/processes-naming.ts';
import { shortTwin } from '../journal/short-twin.ts';

/** Time limit for nbdfuse to present the image, ms. */
const startLimitMs = 30_000;

/**
 * Overlapping requests wait for the delay in parallel, as on a real disk, only when each has its own connection: over a
 * single one, four concurrent readers took twice the time of one; over 16, the same time, also with ten readers.
 */
const connections = 16;
/** Threads of nbdkit per connection. */
const threads = 4;

/** nbdfuse presents the image as the file `nbd` in this directory. */
function mountPoint({ directory }: DeviceParts): string {
  return join(directory, 'nbd');
}

function requestSocket({ directory }: DeviceParts): string {
  return join(shortTwin(directory, '/nbd.sock'), 'nbd.sock');
}

/** Output file of nbdkit's log filter. */
export function requestLog({ directory }: DeviceParts): string {
  return join(directory, 'requests.log');
}

/** nbdkit's arguments for a request log; the filter comes first, so that its times include the delay. */
export function logFilter(parts: DeviceParts): { filters: string[]; words: string[] } {
  return { filters: ['--filter=log'], words: [`logfile=${requestLog(parts)}`] };
}

/** nbdfuse presents the export of the socket as a file, until it is unmounted. */
async function showAsFile({ privilege }: DeviceParts, path: string, socket: string): Promise<void> {
  const over = ['--connections', `${connections}`];
  const child = await privilege.start(['nbdfuse', ...over, path, '--unix', socket]);
  if (child === null) return;
  let words = '';
  child.stderr?.on('data', (chunk: Buffer) => (words += chunk.toString()));
  let failure: string | null = null;
  child.on('error', (error) => (failure = error.message));
  child.on('exit', (code, signal) => (failure ??= `it ended with ${signal ?? `code ${code}`}`));
  for (const end = Date.now() + startLimitMs; !isMounted(path); await sleep(5)) {
    if (failure === null && Date.now() < end) continue;
    const reasons = [
      failure ?? `nothing in ${startLimitMs / 1000} s`,
      words.trim().replaceAll('\n', '; '),
    ];
    throw new CachescopeError(
      'CS_STORAGE_NBD',
      `nbdfuse did not show the image: ${reasons.filter((text) => text !== '').join('; ')}`,
      {
        hint: `nbd-live and nbd-delay need /dev/fuse, nbdfuse and nbdkit. ${deviceTodos['/dev/fuse']}`,
      },
    );
  }
  // Neither the process nor its output may keep this program from exiting.
  child.unref();
  child.stderr?.destroy();
}

/** Presents nbdkit's export, with these filters and this plugin, as a file by nbdfuse. Returns the path of the file. */
async function serveImage(parts: DeviceParts, words: readonly string[]): Promise<string> {
  const { directory, journal, privilege } = parts;
  const [path, socket] = [mountPoint(parts), requestSocket(parts)];
  if (!privilege.dryRun) {
    await mkdir(path, { recursive: true });
    await mkdir(dirname(socket), { recursive: true, mode: 0o700 });
    // A killed server left it, and nbdkit refuses an existing socket.
    await rm(socket, { force: true });
  }
  const entry = journal.record({ kind: 'fuse', path });
  // nbdkit moves to the background once it accepts connections.
  const nbdkit = ['nbdkit', '--unix', socket, `--threads=${threads}`, ...words];
  await privilege.run(nbdkit, { limitMs: startLimitMs });
  await showAsFile(parts, path, socket);
  journal.refine(entry, { kind: 'fuse', path, servers: nbdServersIn(directory) });
  return join(path, 'nbd');
}

/** Creates a loop device over nbdkit's export; returns its path. `words` name nbdkit's filters and its plugin. */
export async function bringUpNbd(parts: DeviceParts, words: readonly string[]): Promise<string> {
  const file = await serveImage(parts, words);
  const made = { kind: 'loop', backingFile: file } as const;
  const entry = parts.journal.record(made);
  // Direct I/O: without it the page cache of the served file answers second reads without the delay.
  const attach = ['losetup', '--find', '--show', '--direct-io=on', file];
  const device = (await parts.privilege.run(attach)).trim() || '/dev/loopN';
  parts.journal.refine(entry, { ...made, device });
  return device;
}
