import { createHash } from 'node:crypto';
import type { Violation } from '@cachescope/model/judge/play.ts';
import { boundsOf, type ConformanceOrigin, sha256 } from './origin.ts';
import type { RawRead } from './read-in-page.ts';
import type { Answer, Read } from './situation.ts';

/** The word for a body with other bytes than its status promises, by SHA-256. */
export const wrongBytes = 'WRONG BYTES';
const older = 'older';

/** What the origin has sent of the file that was read. */
interface Sent {
  answer: Answer;
  /** Number of the origin's latest answer. */
  latest: number;
  /** Number of the answer that is not older than the read requires. */
  current: number;
  origin: Pick<ConformanceOrigin, 'body'>;
}

/** `whole`, `older`: of an earlier answer, `bytes=0-9`, `nothing`, `aborted`, `failed: TypeError`, or wrong bytes. */
export function bodyOf({ sha, end, status }: RawRead, { init = {} }: Read, sent: Sent): string {
  if (end === 'loaded') return 'whole';
  if (end !== null) return end.endsWith('Error') ? `failed: ${end}` : end;
  const { answer, latest, current, origin } = sent;
  const is = (bytes: Uint8Array): boolean => sha === sha256(bytes);
  if (init.method === 'HEAD') return is(Buffer.alloc(0)) ? 'nothing' : wrongBytes;
  const range = new Headers(init.headers).get('Range') ?? '';
  const promised = (version: number): Uint8Array | null => {
    const whole = origin.body(answer, version);
    if (status !== 206) return whole;
    const bounds = boundsOf(range, whole.length);
    return bounds && whole.subarray(...bounds);
  };
  for (let version = latest; version > 0; version--) {
    const bytes = promised(version);
    if (bytes === null || !is(bytes)) continue;
    if (version < current && answer.changes) return older;
    return status === 206 ? range : 'whole';
  }
  return wrongBytes;
}

/**
 * The safety rules that a read broke.
 *
 * @param requests How often the origin was asked during the read; null: unknown.
 */
export function violationsOf(
  { init = {}, must, mayFail, abortAfterBytes }: Read,
  { end, sha }: RawRead,
  { body, requests }: { body: string; requests: number | null },
): Violation[] {
  const { method = 'GET' } = init;
  const isUnasked = requests === 0;
  const isSafe = method === 'GET' || method === 'HEAD';
  const hasBody = sha !== null || end === 'loaded';
  const hasFailed = body.startsWith('failed');
  const found: [Violation, boolean][] = [
    ['wrong-bytes', body === wrongBytes],
    ['stale-as-fresh', must === 'ask' && isSafe && hasBody && (isUnasked || body === older)],
    ['read-by-others', must === 'fail' && hasBody],
    [
      'lost',
      (!isSafe && isUnasked) ||
        (hasFailed && must !== 'fail' && !mayFail && abortAfterBytes === undefined),
    ],
  ];
  return found.flatMap(([violation, isBroken]) => (isBroken ? [violation] : []));
}

/** The hash of a body for Subresource Integrity, or that of another body. */
export function integrityOf(which: 'right' | 'wrong', body: Uint8Array): string {
  const bytes = which === 'right' ? body : Buffer.concat([body, Buffer.from('altered')]);
  return `sha256-${createHash('sha256').update(bytes).digest('base64')}`;
}
