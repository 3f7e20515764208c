import { type FileSystem } from '@cachescope/model/run/variant.ts';

/** How a file system is made and mounted, so that what a cold read finds on the device comes out again. */
export interface FileSystemRecipe {
  /** Debian package, and the program that tells it is there. */
  packages: { name: string; program: string };
  /** The command that makes it in an image file, without privilege. */
  make(image: string, owner: { uid: number; gid: number }): string[];
  /** Options of mount(8). */
  mountOptions: string;
  /** False when `make` cannot give the root directory to its user; then it is given away once it is mounted. */
  givesRoot: boolean;
  /** Smallest image, bytes: below it mkfs refuses, or Chromium has no room for an entry. */
  leastBytes: number;
  /** For people: what was changed of its defaults. */
  describe: string;
}

/** File system block, bytes: one direct read of the proof. */
export const blockBytes = 4096;

const mebibyte = 1024 ** 2;

/**
 * Between a drop of the page cache and the device lies what the drop spares: blocks in use by a journal or a log, and
 * what the file system holds in structures of its own. Each recipe keeps that as small as its file system allows, and
 * leaves the rest as people have it; none touches a file when it is read (`noatime`).
 */
export const fileSystemRecipes: Readonly<Record<FileSystem, FileSystemRecipe>> = {
  /**
   * No journal: blocks that a journal holds stay in memory when the page cache is dropped, which made every second launch
   * read one block less (ARCHITECTURE.md). What ext4 would do later in the background is done by mkfs.
   */
  ext4: {
    packages: { name: 'e2fsprogs', program: 'mkfs.ext4' },
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
   * Its log cannot be switched off. A sync forces it, and the drop then evicts the buffers too: ten cold reads of a file,
   * with files written between them, took the same number of device reads each.
   */
  xfs: {
    packages: { name: 'xfsprogs', program: 'mkfs.xfs' },
    make: (image) => ['mkfs.xfs', '-q', '-f', '-K', '-b', `size=${blockBytes}`, image],
    mountOptions: 'noatime,nouuid',
    givesRoot: false,
    leastBytes: 300 * mebibyte,
    describe: 'xfs',
  },
  /**
   * One copy of the metadata, as on an SSD. Checksums stay on: reading them is part of what btrfs costs. A sync commits the
   * whole transaction; only the roots of its trees stay in memory, and in a small file system a root holds all the rest, so
   * that cold reads find little but data on the device. That comes out again, too.
   */
  btrfs: {
    packages: { name: 'btrfs-progs', program: 'mkfs.btrfs' },
    make: (image) => ['mkfs.btrfs', '-q', '-f', '-K', '-m', 'single', '-d', 'single', image],
    mountOptions: 'noatime',
    givesRoot: false,
    leastBytes: 128 * mebibyte,
    describe: 'btrfs, one copy of data and metadata',
  },
};
