import { open } from 'node:fs/promises';
import type { FileSystem } from '@cachescope/model/run/variant.ts';
import { $ } from 'zx';
import { CachescopeError } from '../error.ts';
import { fileSystemRecipes } from './file-system.ts';

const limitMs = 60_000;

/** Distinguishes a file from a later one at the same path. */
export interface FileIdentity {
  deviceNumber: number;
  inode: number;
}

/** Creates a sparse file; fails with EEXIST when the path exists. */
export async function createImage(path: string, imageBytes: number): Promise<FileIdentity> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.truncate(imageBytes);
    const { dev, ino } = await file.stat();
    return { deviceNumber: dev, inode: ino };
  } finally {
    await file.close();
  }
}

/**
 * Creates a file system in an image, owned by the calling user. Needs no privilege.
 *
 * @throws CachescopeError CS_STORAGE_IMAGE.
 */
export async function formatImage(path: string, fileSystem: FileSystem): Promise<void> {
  const owner = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  const command = fileSystemRecipes[fileSystem].make(path, owner);
  const environment = { ...process.env, PATH: `${process.env['PATH'] ?? ''}:/usr/sbin:/sbin` };
  const options = { quiet: true, nothrow: true, timeout: limitMs, env: environment } as const;
  const { exitCode, stderr } = await $(options)`${command}`;
  if (exitCode === 0) return;
  throw new CachescopeError(
    'CS_STORAGE_IMAGE',
    `no ${fileSystem} file system could be made in ${path}: ${stderr.trim()}`,
    {
      hint: 'The disk that holds it may be full; TMPDIR names another place.',
    },
  );
}
