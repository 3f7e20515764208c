import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { $ } from 'zx';

/** A part of a file that is contiguous on the device. */
export interface FileExtent {
  /** Path relative to the searched directory. */
  file: string;
  /** Offset on the file system, bytes. */
  offset: number;
  bytes: number;
}

/** `   0:        0..    4095:  153108480.. 153112575:   4096:             last,eof` */
const extentLine = /^\s*\d+:\s*\d+\.\.\s*\d+:\s*(?<first>\d+)\.\.\s*\d+:\s*(?<bytes>\d+):/;
const fileLine = /^File size of (?<path>.*) is \d+ \(/;

/** Parses the output of filefrag(8), in bytes (`-e -b1`). */
export function parseExtents(text: string, directory: string): FileExtent[] {
  let file = '';
  const extents: FileExtent[] = [];
  for (const line of text.split('\n')) {
    const path = fileLine.exec(line)?.groups?.['path'];
    if (path !== undefined) file = relative(directory, path);
    const { first, bytes } = extentLine.exec(line)?.groups ?? {};
    if (first !== undefined) extents.push({ file, offset: Number(first), bytes: Number(bytes) });
  }
  return extents;
}

/**
 * Extents of the files below a directory (FIEMAP, through filefrag); null where they are not available. The files are
 * written back first: data that is not yet written has no location. The call reads inodes, so it must come before the
 * page cache is dropped.
 */
export async function fileExtents(directory: string): Promise<FileExtent[] | null> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  if (files.length === 0) return [];
  const path = `${process.env['PATH'] ?? ''}:/usr/sbin:/sbin`;
  const options = { quiet: true, nothrow: true, env: { ...process.env, PATH: path } } as const;
  const { exitCode, stdout } = await $(options)`filefrag -s -e -b1 ${files}`;
  return exitCode === 0 ? parseExtents(stdout, directory) : null;
}
