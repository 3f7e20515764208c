import type { IncomingMessage } from 'node:http';
import { itemStamp } from '@cachescope/origin/routes/reclaim.ts';

/** A received response body and the result of its checks. */
export interface ReceivedBody {
  /** Encoded bytes received. */
  bytes: number;
  /** Whether it was a hit in the origin's store, from its Cache-Status; null: unknown. */
  hit: boolean | null;
  /** The error of the body; null: none. */
  error: string | null;
}

export interface ExpectedBody {
  key: string;
  /** Size before content coding. */
  bytes: number;
  coding: 'identity' | 'gzip';
}

/** First bytes of a gzip member (RFC 1952 section 2.3.1). */
const gzipMagic = '\x1f\x8b';

/** Reads a body to its end and checks its length and its first bytes. */
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
  // The first chunk of a body may be shorter than the stamp.
  return bytes === decoded && head.slice(0, stamp.length) === stamp.slice(0, head.length);
}

/** Whether the origin's Cache-Status (RFC 9211) reports a hit; null: unknown. */
function hitOf({ headers }: IncomingMessage): boolean | null {
  const status = headers['cache-status'];
  return typeof status === 'string' ? status.startsWith('cachescope; hit') : null;
}
