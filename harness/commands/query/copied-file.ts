import { constants, createWriteStream } from 'node:fs';
import { type FileHandle, lstat, open, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { byteSize } from '@cachescope/model/quantity.ts';
import { requireRegular } from '@cachescope/origin/foreign-file.ts';
import { ownFileMode } from '../../results/output-file.ts';

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;

/** How a file of a run is copied. */
export interface CopyRules {
  /** Size limit, bytes. */
  mostBytes: number;
  /** Ends the copying. */
  signal: AbortSignal;
  /** Looks at the file before it is copied; null: nothing is wrong with it. */
  faultOf?: (file: FileHandle, bytes: number) => Promise<string | null>;
}

/**
 * Copies a file of a run, which may be from another user: a link could show what only this user may read. Whether it is
 * what it should be, and has room, is checked first.
 *
 * @throws Error whose message names the file.
 */
export async function copyRunFile(
  source: string,
  target: string,
  { mostBytes, signal, faultOf }: CopyRules,
): Promise<void> {
  requireRegular(source, await lstat(source), { mostBytes });
  await using file = await open(source, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  const stat = await file.stat();
  requireRegular(source, stat, { mostBytes });
  const fault = await faultOf?.(file, stat.size);
  if (fault) throw new Error(`${source} ${fault}`);
  const { bavail, bsize } = await statfs(dirname(target));
  if (bavail * bsize < stat.size)
    throw new Error(
      `${source} has ${byteSize(stat.size)}, and ${dirname(target)} has room for ${byteSize(bavail * bsize)}: name a larger directory with TMPDIR`,
    );
  // No more than was checked, also of a file that grows.
  const bytes =
    stat.size === 0 ? [] : file.createReadStream({ end: stat.size - 1, autoClose: false });
  await pipeline(bytes, createWriteStream(target, { mode: ownFileMode, flags: 'wx' }), { signal });
}

const magic = 'PAR1';
/** Length of the footer's length and of the magic bytes after it, bytes. */
const endBytes = 8;

/** Why a file cannot be Parquet; null: it can be (https://parquet.apache.org/docs/file-format/). */
export async function parquetFault(file: FileHandle, bytes: number): Promise<string | null> {
  const read = async (length: number, position: number) =>
    (await file.read(Buffer.alloc(length), 0, length, position)).buffer;
  if (bytes < magic.length + endBytes) return `has ${bytes} bytes and is no Parquet file`;
  const [start, end] = [await read(magic.length, 0), await read(endBytes, bytes - endBytes)];
  if (start.toString('latin1') !== magic || end.subarray(4).toString('latin1') !== magic)
    return `is no Parquet file: it does not begin and end with ${magic}`;
  const footerBytes = end.readUInt32LE();
  return footerBytes > bytes - magic.length - endBytes
    ? `is cut: its footer has ${footerBytes} bytes, the file ${bytes}`
    : null;
}
