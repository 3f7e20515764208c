import { open, rm } from 'node:fs/promises';
import type { FileSystem } from '@cachescope/model/variant.ts';
import { $ } from 'zx';
import { CachescopeError } from '../error.ts';
import { fileSystemRecipes } from './file-system.ts';

const limitMs = 60_000;

/**
 * Makes a file system in a new sparse file, owned by the calling user. Needs no privilege.
 *
 * @throws CachescopeError CS_STORAGE_IMAGE; nothing is left of the image then.
 */
export async function createImage(
  path: string,
  fileSystem: FileSystem,
  imageBytes: number,
): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  await file.truncate(imageBytes);
  await file.close();
  const owner = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  const command = fileSystemRecipes[fileSystem].make(path, owner);
  const environment = { ...process.env, PATH: `${process.env['PATH'] ?? ''}:/usr/sbin:/sbin` };
  const { exitCode, stderr } = await $({
    quiet: true,
    nothrow: true,
    timeout: limitMs,
    env: environment,
  })`${command}`;
  if (exitCode === 0) return;
  await rm(path, { force: true });
  throw new CachescopeError(
    'CS_STORAGE_IMAGE',
    `no ${fileSystem} file system could be made in ${path}: ${stderr.trim()}`,
    {
      hint: 'The disk that holds it may be full; TMPDIR names another place.',
    },
  );
}
