import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sleep } from 'zx';
import { CachescopeError } from '../error.ts';
import { isMounted } from './mounts.ts';
import type { BackEnd, DeviceParts, DeviceProperties } from './back-end.ts';

/** How long nbdfuse may take to show the image, ms. */
const startLimitMs = 10_000;

/** nbdkit's delay filter over the image, shown as a file by nbdfuse. The path is that of the file. */
async function serveImage(
  parts: DeviceParts,
  { delayMs, delayWrites }: DeviceProperties,
): Promise<string> {
  const { directory, image, journal, privilege } = parts;
  const path = join(directory, 'nbd');
  if (!privilege.dryRun) await mkdir(path, { recursive: true });
  journal.record({ kind: 'fuse', path });
  const delays = [`rdelay=${delayMs}ms`, `wdelay=${delayWrites ? delayMs : 0}ms`];
  const server = ['nbdkit', '--exit-with-parent', '--filter=delay', 'file', image, ...delays];
  const child = await privilege.start(['nbdfuse', path, '[', ...server, ']']);
  if (child === null) return join(path, 'nbd');
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
  return join(path, 'nbd');
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
  async bringUp(parts, properties) {
    const file = await serveImage(parts, properties);
    parts.journal.record({ kind: 'loop', backingFile: file });
    // Direct I/O: else the page cache of the served file answers, and the delay is gone on second reads.
    const device = await parts.privilege.run([
      'losetup',
      '--find',
      '--show',
      '--direct-io=on',
      file,
    ]);
    return device.trim() || '/dev/loopN';
  },
};
