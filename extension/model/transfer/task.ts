import type { TakenTransfer } from './sample.ts';

/** One request after another to one place, by a client that does it by itself and hands over the outcome at the end. */
export interface TransferTask {
  /** Of the origin, for one protocol: `https://127.0.0.1:41234`. */
  baseUrl: string;
  connection: 'cold' | 'warm';
  requests: number;
  requestBytes: number;
  responseBytes: number;
  /** Wait of the origin before each answer, ms. */
  serverDelayMs: number;
}

/** What a page hands over. */
export type TransferMessage =
  | { kind: 'ready' }
  | { kind: 'done'; taken: TakenTransfer[] }
  | { kind: 'failed'; reason: string };

/** What a page is given: work, or that there is none left. */
export type TransferOrder = { kind: 'time'; task: TransferTask } | { kind: 'end' };

/** Headers by which the origin's answer tells its own count of connections and requests, and its own time. */
export const transferHeaders = {
  connection: 'transfer-connection',
  request: 'transfer-request',
  originMs: 'transfer-origin-ms',
} as const;

/** What `GET /transfer` tells a client that wants to measure. */
export interface TransferDescription {
  version: 1;
  /** SHA-256 of the running kernel's boot id: equal on the client means one machine. null: unknown. */
  machine: string | null;
  /** Ports beside the one that was asked. */
  ports: { 'h1-tls': number; h2: number };
  /** PEM. */
  certificate: string;
  /** SHA-256 of its public key, base64. */
  publicKeySha256: string;
}

/** Path of the description. */
export const transferPath = '/transfer';
/** Largest body that the origin sends, bytes. */
export const largestResponseBytes = 64_000_000;
/** Largest body that it takes, bytes. */
export const largestRequestBytes = 1_000_000;
/** Longest wait before an answer, ms. */
export const longestServerDelayMs = 10_000;

/** Path and query of one request; `number` makes each URL its own. `closing` asks for the connection's end behind the answer. */
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
