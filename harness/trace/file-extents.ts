import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { $ } from 'zx';

/** A piece of a file that lies in one piece on the device. */
export interface FileExtent {
  /** Path below the directory that was looked at. */
  file: string;
  /** Place on the file system, bytes. */
  offset: number;
  bytes: number;
}

/** `   0:        0..    4095:  153108480.. 153112575:   4096:             last,eof` */
const extentLine = /^\s*\d+:\s*\d+\.\.\s*\d+:\s*(?<first>\d+)\.\.\s*\d+:\s*(?<bytes>\d+):/;
const fileLine = /^File size of (?<path>.*) is \d+ \(/;

/** Reads what filefrag(8) says of files, in bytes (`-e -b1`). */
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
 * Where the files below a directory lie on its device (FIEMAP, through filefrag); null where nobody tells. They are
 * written back first, for what waits for it lies nowhere yet. Looking reads inodes, so it comes before the page cache is
 * dropped.
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
