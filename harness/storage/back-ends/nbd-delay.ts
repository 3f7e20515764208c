import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { $, sleep } from 'zx';
import { CachescopeError } from '../../error.ts';
import type { BackEnd, DeviceParts } from './back-end.ts';
import { type DeviceProperties, fractionalDelays, propertiesAt } from '../device-properties.ts';
import { isMounted } from '../mounts.ts';
import { nbdServersIn } from './nbd-servers.ts';

/** How long nbdfuse may take to show the image, ms. */
const startLimitMs = 30_000;
const probeLimitMs = 30_000;

/**
 * The rate filter lets a share of the bandwidth through at once after a pause: two seconds' worth unless it is told
 * otherwise, which is more than a cached read takes. One request may not be larger than that share, or it waits far too
 * long; so requests are cut into pieces. Measured: 1.0, 10 and 100 MB/s asked gave 1.0, 10.0 and 100 MB/s for reads of 128
 * KiB.
 */
const pieceKiB = 32;
const burstBytes = 64 * 1024;

/** While this file is there, reads fail at the rate that nbdkit was started with. */
function badReadsFile({ directory }: DeviceParts): string {
  return join(directory, 'bad-reads');
}

/** What nbdkit's log filter writes. */
function requestLog({ directory }: DeviceParts): string {
  return join(directory, 'requests.log');
}

function delayWords({ readDelayMs, writeDelayMs }: DeviceProperties): string[] {
  return [`rdelay=${readDelayMs}ms`, `wdelay=${writeDelayMs}ms`];
}

/**
 * Requests that overlap wait for the delay together, as on a real disk, only when each has a connection of its own: over a
 * single one, four readers at once took twice the time of one; over 16, the same time, and ten readers too.
 */
const connections = 16;
/** Of nbdkit, for each connection. */
const threads = 4;

/** Linux keeps the path of a socket in 108 bytes, of which the last is 0 (unix(7)). */
const longestSocketPath = 107;

/** nbdfuse shows the image as the file `nbd` in here. */
function mountPoint({ directory }: DeviceParts): string {
  return join(directory, 'nbd');
}

function requestSocket({ directory }: DeviceParts): string {
  return join(directory, 'nbd.sock');
}

/** nbdkit's words for the properties. Filters named first see a request first, so a read that fails has waited. */
export function nbdkitCommand(parts: DeviceParts, properties: DeviceProperties): string[] {
  const { bandwidthBytesPerSecond, badReadRate, logsRequests = false } = properties;
  // The log comes first, so that its times hold the delay.
  const filters = [...(logsRequests ? ['log'] : []), 'delay'];
  const words = [
    ...(logsRequests ? [`logfile=${requestLog(parts)}`] : []),
    ...delayWords(properties),
  ];
  if (badReadRate > 0) {
    filters.push('error');
    words.push(`error-pread-rate=${badReadRate}`, `error-pread-file=${badReadsFile(parts)}`);
  }
  if (bandwidthBytesPerSecond !== null) {
    filters.push('blocksize', 'rate');
    // More digits than it takes to tell a byte, and never an exponent, which nbdkit does not read.
    const burstSeconds = (burstBytes / bandwidthBytesPerSecond).toFixed(9);
    const bitsPerSecond = Math.round(bandwidthBytesPerSecond * 8);
    words.push(`maxdata=${pieceKiB}K`, `rate=${bitsPerSecond}`, `burstiness=${burstSeconds}`);
  }
  return [
    'nbdkit',
    '--unix',
    requestSocket(parts),
    `--threads=${threads}`,
    ...filters.map((name) => `--filter=${name}`),
    'file',
    parts.image,
    ...words,
  ];
}

function requireSocketPath(path: string): void {
  const bytes = Buffer.byteLength(path);
  if (bytes <= longestSocketPath) return;
  throw new CachescopeError(
    'CS_STORAGE_NBD',
    `the socket ${path} has a path of ${bytes} bytes; Linux takes at most ${longestSocketPath}`,
    { hint: 'Set TMPDIR to a directory with a shorter path.', exitCode: 3 },
  );
}

/** nbdfuse shows what comes over the socket as a file, until it is unmounted. */
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
    const reasons = [failure ?? `nothing in ${startLimitMs / 1000} s`, words.trim()];
    throw new CachescopeError(
      'CS_STORAGE_NBD',
      `nbdfuse did not show the image: ${reasons.filter((text) => text !== '').join('; ')}`,
      { hint: 'nbd-delay needs /dev/fuse, nbdfuse, and nbdkit with its delay filter.' },
    );
  }
  // Neither the process nor its words may keep this program from ending.
  child.unref();
  child.stderr?.destroy();
}

/** nbdkit's filters over the image, shown as a file by nbdfuse. The path is that of the file. */
async function serveImage(parts: DeviceParts, properties: DeviceProperties): Promise<string> {
  const { directory, journal, privilege } = parts;
  const [path, socket] = [mountPoint(parts), requestSocket(parts)];
  requireSocketPath(socket);
  if (!privilege.dryRun) {
    await mkdir(path, { recursive: true });
    // A server that was killed left it, and nbdkit takes no socket that is there.
    await rm(socket, { force: true });
  }
  const entry = journal.record({ kind: 'fuse', path });
  // It goes on in the background once it takes connections.
  await privilege.run(nbdkitCommand(parts, properties), { limitMs: startLimitMs });
  await showAsFile(parts, path, socket);
  journal.refine(entry, { kind: 'fuse', path, servers: nbdServersIn(directory) });
  return join(path, 'nbd');
}

/**
 * Whether this nbdkit's delay filter counts in fractions of a ms. Asked, not derived from its version: an older one takes
 * `0.5ms` for 0 and does not say so, but knows no microseconds.
 */
async function countsFractions(): Promise<boolean> {
  const probe = ['nbdkit', '-U', '-', '--filter=delay', 'null', 'rdelay=1us', '--run', 'true'];
  const options = { quiet: true, nothrow: true, timeout: probeLimitMs } as const;
  const { exitCode } = await $(options)`${probe}`;
  return exitCode === 0;
}

/** User-space delay for kernels without dm-delay. The delay is fixed when nbdkit starts, so a change brings it up anew. */
export const nbdDelay: BackEnd = {
  kind: 'nbd-delay',
  changesLive: false,
  packages: [
    { name: 'nbdkit', program: 'nbdkit' },
    { name: 'libnbd-bin', program: 'nbdfuse' },
  ],
  title: "nbdkit's delay filter behind nbdfuse and a loop device with direct I/O",
  delayedWritesText: 'writes delayed as reads, flushes not',
  async problems(options, readDelayMs) {
    const problems: string[] = [];
    const fractions = fractionalDelays(propertiesAt(options, readDelayMs));
    if (fractions.length > 0 && !(await countsFractions())) {
      problems.push(
        `the delay is ${fractions.join(' and ')} ms; this nbdkit counts delays in whole ms: round it, or use a newer nbdkit`,
      );
    }
    // Under delayed writes it is left away, and told (describe).
    if (options.flushDelayMs) {
      problems.push(
        `the flush delay is ${options.flushDelayMs} ms; nbdkit's filter cannot delay flushes: use --storage dm-delay, or leave it away`,
      );
    }
    return problems;
  },
  async bringUp(parts, properties) {
    if (!parts.privilege.dryRun) await rm(badReadsFile(parts), { force: true });
    const file = await serveImage(parts, properties);
    const made = { kind: 'loop', backingFile: file } as const;
    const entry = parts.journal.record(made);
    // Direct I/O: else the page cache of the served file answers, and the delay is gone on second reads.
    const attach = ['losetup', '--find', '--show', '--direct-io=on', file];
    const device = (await parts.privilege.run(attach)).trim() || '/dev/loopN';
    parts.journal.refine(entry, { ...made, device });
    return device;
  },
  requestLog,
  async switchBadReads(parts, _properties, on) {
    if (on) await writeFile(badReadsFile(parts), '');
    else await rm(badReadsFile(parts), { force: true });
  },
};
