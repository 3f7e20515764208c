import type { IncomingMessage } from 'node:http';
import { itemStamp } from '@cachescope/origin/routes/reclaim.ts';

/** What an answer turned out to be. */
export interface ReceivedBody {
  /** As they came over the wire. */
  bytes: number;
  /** Whether the origin's store had it, by its Cache-Status; null when it does not tell. */
  hit: boolean | null;
  /** What is wrong with the body; null when nothing is. */
  error: string | null;
}

export interface ExpectedBody {
  key: string;
  /** Before content coding. */
  bytes: number;
  coding: 'identity' | 'gzip';
}

/** First bytes of a gzip member (RFC 1952 section 2.3.1). */
const gzipMagic = '\x1f\x8b';

/** Takes a body to its end, and tells what it was: its length is checked, and how it begins. */
export function receivedBody(
  answer: IncomingMessage,
  expected: ExpectedBody,
  done: (body: ReceivedBody) => void,
): void {
  let bytes = 0;
  let head = '';
  answer.on('data', (chunk: Buffer) => {
    if (bytes === 0) head = chunk.toString('latin1', 0, 48);
    bytes += chunk.byteLength;
  });
  answer.once('end', () => {
    const isWhole = bytes === Number(answer.headers['content-length'] ?? bytes);
    const isRight = isWhole && answer.statusCode === 200 && rightBody(head, bytes, expected);
    const error = answer.statusCode === 200 && !isRight ? 'wrong body' : null;
    done({ bytes, hit: hitOf(answer), error });
  });
}

function rightBody(head: string, bytes: number, { key, bytes: decoded, coding }: ExpectedBody) {
  if (coding === 'gzip') return head.startsWith(gzipMagic);
  const stamp = itemStamp(key).slice(0, decoded);
  // The first piece of a body may be shorter than its stamp.
  return bytes === decoded && head.slice(0, stamp.length) === stamp.slice(0, head.length);
}

/** Cache-Status (RFC 9211) of the origin. */
function hitOf({ headers }: IncomingMessage): boolean | null {
  const status = headers['cache-status'];
  return typeof status === 'string' ? status.startsWith('cachescope; hit') : null;
}
