import type { BigIntStats } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import type { FileSystem } from '@cachescope/model/run/variant.ts';
import { $ } from 'zx';
import { ext4Package, type NeededPackage } from '../environment/setup/needs.mjs';
import { CachescopeError } from '../error.ts';

/** How a file system is created and mounted, so that the device reads of a cold read are reproducible. */
export interface FileSystemRecipe {
  /** Debian package, and the program whose presence shows that it is installed. */
  packages: NeededPackage;
  /** The command that creates the file system in an image file, without privilege. */
  make(image: string, owner: { uid: number; gid: number }): string[];
  /** Options of mount(8). */
  mountOptions: string;
  /**
   * False when `make` cannot make its user the owner of the root directory; then the owner is changed after mounting.
   */
  givesRoot: boolean;
  /** Minimum image size, bytes: below it mkfs refuses, or Chromium has no room for an entry. */
  leastBytes: number;
  /** For users: the settings that differ from its defaults. */
  describe: string;
}

/** File system block, bytes. Offsets and lengths of direct reads are multiples of it. */
export const blockBytes = 4096;

const mebibyte = 1024 ** 2;

/**
 * A drop of the page cache keeps blocks in use by a journal or a log, and the file system's own in-memory structures.
 * Each recipe keeps these as small as its file system allows, and otherwise uses the defaults; none writes to a file's
 * inode when it is read (`noatime`).
 */
export const fileSystemRecipes: Readonly<Record<FileSystem, FileSystemRecipe>> = {
  /**
   * No journal: blocks held by a journal stay in memory when the page cache is dropped, so every second launch read one
   * block less (harness/docs/storage.md). mkfs does the initialisation that ext4 would otherwise do later in the background.
   */
  ext4: {
    packages: ext4Package,
    make: (image, { uid, gid }) => {
      const extended = `lazy_itable_init=0,nodiscard,root_owner=${uid}:${gid}`;
      const journal = ['-O', '^has_journal', '-m', '0'];
      return ['mkfs.ext4', '-q', '-F', '-b', `${blockBytes}`, ...journal, '-E', extended, image];
    },
    mountOptions: 'noatime',
    givesRoot: true,
    leastBytes: 64 * mebibyte,
    describe: 'ext4 without journal',
  },
  /**
   * Its log cannot be switched off. A sync forces the log, and the drop then evicts its buffers too: ten cold reads of
   * a file, with files written between them, took the same number of device reads each.
   */
  xfs: {
    packages: { name: 'xfsprogs', program: 'mkfs.xfs', probe: ['-V'] },
    make: (image) => ['mkfs.xfs', '-q', '-f', '-K', '-b', `size=${blockBytes}`, image],
    mountOptions: 'noatime,nouuid',
    givesRoot: false,
    leastBytes: 300 * mebibyte,
    describe: 'xfs',
  },
  /**
   * One copy of the metadata, as on an SSD. Checksums stay on: reading them is part of the cost of btrfs. A sync
   * commits the whole transaction; only the roots of its trees stay in memory. In a small file system a root holds the
   * whole tree, so cold reads read almost only data from the device; this is reproducible too.
   */
  btrfs: {
    packages: { name: 'btrfs-progs', program: 'mkfs.btrfs', probe: ['--version'] },
    make: (image) => ['mkfs.btrfs', '-q', '-f', '-K', '-m', 'single', '-d', 'single', image],
    mountOptions: 'noatime',
    givesRoot: false,
    leastBytes: 128 * mebibyte,
    describe: 'btrfs, one copy of data and metadata',
  },
};

const limitMs = 60_000;

/**
 * Distinguishes a file from a later one at the same path, which may get its inode number. The number of its device may
 * change when the machine starts again, so it is no part of it.
 */
interface FileIdentity {
  inode: string;
  /** ns since 1970; 0 where the file system does not keep it. */
  birthtimeNs: string;
}

/** The identity of a file (statx(2)). */
export function identityOfFile({ ino, birthtimeNs }: BigIntStats): FileIdentity {
  return { inode: `${ino}`, birthtimeNs: `${birthtimeNs}` };
}

/** Creates a sparse file; fails with EEXIST when the path exists. Leaves nothing when the disk cannot hold it. */
export async function createImage(path: string, imageBytes: number): Promise<FileIdentity> {
  await using file = await open(path, 'wx', 0o600);
  await file.truncate(imageBytes).catch(async (error: unknown) => {
    await rm(path, { force: true });
    throw error;
  });
  return identityOfFile(await file.stat({ bigint: true }));
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
