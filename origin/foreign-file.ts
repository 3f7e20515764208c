import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  statSync,
  type Stats,
} from 'node:fs';
import { notText } from '@cachescope/model/file-signature.ts';

const { O_RDONLY, O_NONBLOCK, O_NOCTTY, O_NOFOLLOW } = constants;

/** Rules for reading a file that somebody else may have created. */
export interface ForeignFileRules {
  /** Size limit, bytes; a larger file is refused. */
  mostBytes: number;
  /** True: a symbolic link is refused. Absent: it is followed, because the user named it. */
  refuseLinks?: boolean;
}

function kindOf(stat: Stats): string {
  if (stat.isDirectory()) return 'a directory';
  if (stat.isFIFO()) return 'a FIFO';
  if (stat.isSymbolicLink()) return 'a symbolic link';
  return stat.isSocket() ? 'a socket' : 'a device';
}

/** @throws Error for anything but a regular file of at most this size. */
export function requireRegular(
  path: string,
  stat: Stats,
  { mostBytes }: Pick<ForeignFileRules, 'mostBytes'>,
): void {
  if (!stat.isFile()) throw new Error(`${path} is ${kindOf(stat)}, not a regular file`);
  if (stat.size > mostBytes)
    throw new Error(`${path} has ${stat.size} bytes; at most ${mostBytes} are read`);
}

const lineChunkBytes = 256 * 1024;
const newline = 0x0a;
const byteOrderMark = '\uFEFF';

/**
 * The content in chunks, with their largest size. Reads at most one byte more than allowed: files of /proc report no
 * size, and others may grow.
 */
function* chunksOf(
  path: string,
  rules: ForeignFileRules,
  mostChunkBytes = Number.POSITIVE_INFINITY,
): Generator<Buffer> {
  const { mostBytes, refuseLinks } = rules;
  let file: number | undefined;
  try {
    requireRegular(path, refuseLinks ? lstatSync(path) : statSync(path), rules);
    file = openSync(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | (refuseLinks ? O_NOFOLLOW : 0));
    const stat = fstatSync(file);
    requireRegular(path, stat, rules);
    for (let length = 0; length <= mostBytes;) {
      const expected = length <= stat.size ? stat.size + 1 - length : 65_536;
      const room = Math.min(expected, mostChunkBytes, mostBytes + 1 - length);
      const chunk = Buffer.allocUnsafe(room);
      const read = readSync(file, chunk);
      if (read === 0) return;
      yield chunk.subarray(0, read);
      length += read;
    }
    throw new Error(`${path} has more than ${mostBytes} bytes`);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw code === undefined
      ? error
      : new Error(`${path} cannot be read (${code})`, { cause: message });
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/**
 * Reads a file that the user named or somebody else created: a regular file of limited size. Its type is checked before
 * it is opened, because opening a FIFO blocks and opening a device may have side effects.
 *
 * @throws Error whose message begins with the path and says why the file is not read.
 */
export function readForeignFile(path: string, rules: ForeignFileRules): Buffer {
  const chunks = [...chunksOf(path, rules)];
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
}

/**
 * The same, decoded as UTF-8, without the byte order mark with which some programs begin files.
 *
 * @throws also for a compressed file and for UTF-16.
 */
export function readForeignText(path: string, rules: ForeignFileRules): string {
  return textOf(path, readForeignFile(path, rules));
}

function textOf(name: string, bytes: Buffer): string {
  checkText(name, bytes);
  const text = bytes.toString('utf8');
  return text.startsWith(byteOrderMark) ? text.slice(1) : text;
}

/**
 * All of a stream, such as stdin, as such a text.
 *
 * @throws the errors of `readForeignText`.
 */
export async function readForeignStream(
  name: string,
  stream: AsyncIterable<Buffer>,
  { mostBytes }: Pick<ForeignFileRules, 'mostBytes'>,
): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.length;
    if (length > mostBytes) throw new Error(`${name} has more than ${mostBytes} bytes`);
    chunks.push(chunk);
  }
  return textOf(name, Buffer.concat(chunks));
}

function checkText(path: string, start: Uint8Array): void {
  const says = notText(start);
  if (says !== null) throw new Error(`${path} ${says}`);
}

/** Maximum length of a line, bytes: a load of 100,000 resources has some 100 MB. */
const mostLineBytes = 256 * 1024 ** 2;

/**
 * The lines of such a text, without line feeds, one in memory at a time. Each is a string of its own, so that a part of
 * it that is kept does not keep the text.
 *
 * @throws the errors of `readForeignText`, while it is read.
 */
export function* foreignLines(path: string, rules: ForeignFileRules): Generator<string> {
  let isFirst = true;
  let isChecked = false;
  let begun: Buffer[] = [];
  let begunBytes = 0;
  const line = (end: Buffer): string => {
    const bytes = begun.length === 0 ? end : Buffer.concat([...begun, end]);
    const text = bytes.toString('utf8');
    const whole = isFirst && text.startsWith(byteOrderMark) ? text.slice(1) : text;
    isFirst = false;
    begun = [];
    begunBytes = 0;
    return whole;
  };
  for (const chunk of chunksOf(path, rules, lineChunkBytes)) {
    if (!isChecked) checkText(path, chunk);
    isChecked = true;
    let from = 0;
    for (let to = chunk.indexOf(newline); to >= 0; to = chunk.indexOf(newline, from)) {
      yield line(chunk.subarray(from, to));
      from = to + 1;
    }
    begun.push(chunk.subarray(from));
    begunBytes += chunk.length - from;
    if (begunBytes > mostLineBytes)
      throw new Error(`${path} has a line of more than ${mostLineBytes} bytes`);
  }
  yield line(Buffer.alloc(0));
}
