import * as z from 'zod/mini';
import type { ConnectionState, TakenTransfer } from './sample.ts';

/** Sequential requests to one origin. The client runs them on its own, and reports the results at the end. */
export interface TransferTask {
  /** Base URL of the origin for one protocol: `https://127.0.0.1:41234`. */
  baseUrl: string;
  connection: ConnectionState;
  /** Pause before each request, ms; 0: none. */
  pauseMs: number;
  requests: number;
  requestBytes: number;
  responseBytes: number;
  /** Wait of the origin before each response, ms. */
  serverDelayMs: number;
}

/** A message of a page. */
export type TransferMessage =
  | { kind: 'ready' }
  | { kind: 'done'; taken: TakenTransfer[] }
  | { kind: 'failed'; reason: string };

/** A message to a page: a task, or that there are no more. */
export type TransferOrder = { kind: 'time'; task: TransferTask } | { kind: 'end' };

/** Response headers with the origin's own counts of connections and requests, and its own time. */
export const transferHeaders = {
  connection: 'transfer-connection',
  request: 'transfer-request',
  originMs: 'transfer-origin-ms',
} as const;

const port = z.int().check(z.gte(1), z.lte(65_535));

/** The response to `GET /transfer`, for a client that wants to measure. */
export const transferDescriptionSchema = z.object({
  version: z.literal(1),
  /** SHA-256 of the kernel's boot id: equal to the client's means the same machine. null: unknown. */
  machine: z.nullable(z.string()),
  /** Ports of the other protocols. */
  ports: z.object({ 'h1-tls': port, h2: port }),
  /** PEM. */
  certificate: z.string(),
  /** SHA-256 of its public key, base64. It becomes a part of an option of Chromium. */
  publicKeySha256: z.string().check(z.regex(/^[A-Za-z0-9+/]{43}=$/)),
});
export type TransferDescription = z.infer<typeof transferDescriptionSchema>;

/** Path of the origin's transfers; the number of response bytes follows it. */
export const transferPath = '/transfer';
/** Largest body that the origin sends, bytes. */
export const largestResponseBytes = 64_000_000;
/** Largest body that the origin accepts, bytes. */
export const largestRequestBytes = 1_000_000;
/** Longest wait before a response, ms. */
export const longestServerDelayMs = 10_000;

/**
 * URL of one request; `number` makes each URL unique. `closing` asks the origin to close the connection after the
 * response.
 */
export function transferUrl(
  { baseUrl, serverDelayMs }: Pick<TransferTask, 'baseUrl' | 'serverDelayMs'>,
  responseBytes: number,
  number: number,
  closing: boolean,
): string {
  const words = [`n=${number}`];
  if (serverDelayMs > 0) words.push(`delay=${serverDelayMs}`);
  if (closing) words.push('close=1');
  return `${baseUrl}/transfer/${responseBytes}?${words.join('&')}`;
}

/**
 * URLs of a task, numbered from `first`. The untimed ones, for empty responses, close the connection of earlier tasks,
 * and open a warm connection before the clock starts.
 */
export function transferUrls(
  task: TransferTask,
  first: number,
): Record<'untimed' | 'timed', string[]> {
  const isCold = task.connection === 'cold';
  const untimed = (isCold ? [true] : [true, false]).map((closing, place) =>
    transferUrl({ ...task, serverDelayMs: 0 }, 0, first + place, closing),
  );
  const timed = Array.from({ length: task.requests }, (_, place) =>
    transferUrl(task, task.responseBytes, first + untimed.length + place, isCold),
  );
  return { untimed, timed };
}
