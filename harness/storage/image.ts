import { open } from 'node:fs/promises';
import { $ } from 'zx';
import { CachescopeError } from '../error.ts';

/** Sparse: it takes space only as it is written. On a smaller disk Chromium refuses large entries (one eighth of the cache at most). */
export const imageBytes = 1024 ** 3;

/** File system block, bytes: one direct read of the proof. */
export const blockBytes = 4096;

const limitMs = 60_000;

/**
 * Makes an ext4 file system in a new sparse file, owned by the calling user. Everything that ext4 would do later in the
 * background is done now, so that no I/O of its own disturbs a measurement. It has no journal: blocks that a journal holds
 * stay in memory when the page cache is dropped, which made every second launch read one block less (ARCHITECTURE.md).
 * Needs no privilege.
 */
export async function createImage(path: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  await file.truncate(imageBytes);
  await file.close();
  const owner = `root_owner=${process.getuid?.() ?? 0}:${process.getgid?.() ?? 0}`;
  const extended = `lazy_itable_init=0,nodiscard,${owner}`;
  const environment = { ...process.env, PATH: `${process.env['PATH'] ?? ''}:/usr/sbin:/sbin` };
  const { exitCode, stderr } = await $({
    quiet: true,
    nothrow: true,
    timeout: limitMs,
    env: environment,
  })`mkfs.ext4 -q -F -b ${blockBytes} -O ^has_journal -m 0 -E ${extended} ${path}`;
  if (exitCode === 0) return;
  throw new CachescopeError(
    'CS_STORAGE_IMAGE',
    `no ext4 file system could be made in ${path}: ${stderr.trim()}`,
    {
      hint: 'The disk that holds it may be full; TMPDIR names another place.',
    },
  );
}
