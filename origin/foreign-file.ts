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

function checkStat(path: string, stat: Stats, { mostBytes }: ForeignFileRules): void {
  if (!stat.isFile()) throw new Error(`${path} is ${kindOf(stat)}, not a regular file`);
  if (stat.size > mostBytes)
    throw new Error(`${path} has ${stat.size} bytes; at most ${mostBytes} are read`);
}

/** Reads at most one byte more than allowed: files of /proc report no size, and other files may grow. */
function readAtMost(file: number, mostBytes: number, expectedBytes: number): Buffer {
  const chunks: Buffer[] = [];
  let length = 0;
  for (let room = expectedBytes + 1; length <= mostBytes; room = 65_536) {
    const chunk = Buffer.allocUnsafe(Math.min(room, mostBytes + 1 - length));
    const read = readSync(file, chunk);
    if (read === 0) break;
    chunks.push(chunk.subarray(0, read));
    length += read;
  }
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
}

/**
 * Reads a file that the user named or somebody else created: a regular file of limited size. Its type is checked before
 * it is opened, because opening a FIFO blocks and opening a device may have side effects.
 *
 * @throws Error whose message begins with the path and says why the file is not read.
 */
export function readForeignFile(path: string, rules: ForeignFileRules): Buffer {
  let file: number | undefined;
  try {
    checkStat(path, rules.refuseLinks ? lstatSync(path) : statSync(path), rules);
    const link = rules.refuseLinks ? O_NOFOLLOW : 0;
    file = openSync(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | link);
    const stat = fstatSync(file);
    checkStat(path, stat, rules);
    const content = readAtMost(file, rules.mostBytes, stat.size);
    if (content.length <= rules.mostBytes) return content;
    throw new Error(`${path} has more than ${rules.mostBytes} bytes`);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw code === undefined
      ? error
      : new Error(`${path} cannot be read (${code})`, { cause: message });
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** The same, decoded as UTF-8, without the byte order mark with which some programs begin files. */
export function readForeignText(path: string, rules: ForeignFileRules): string {
  const text = readForeignFile(path, rules).toString('utf8');
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}
