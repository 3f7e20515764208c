import * as z from 'zod/mini';

/** How a request travels: HTTP/1.1 in the clear, HTTP/1.1 over TLS, HTTP/2 over TLS. */
export const transferProtocols = ['h1', 'h1-tls', 'h2'] as const;
export type TransferProtocol = (typeof transferProtocols)[number];

export const protocolLabels: Readonly<Record<TransferProtocol, string>> = {
  h1: 'HTTP/1.1',
  'h1-tls': 'HTTP/1.1 over TLS',
  h2: 'HTTP/2',
};

/** What `nextHopProtocol` of Resource Timing says of each: its ALPN name (RFC 7301). */
export const protocolNames: Readonly<Record<TransferProtocol, string>> = {
  h1: 'http/1.1',
  'h1-tls': 'http/1.1',
  h2: 'h2',
};

/** Who asks: a page in Chromium, or Node as the control, which has no browser around its sockets. */
export const transferClients = ['chromium', 'node'] as const;
export type TransferClient = (typeof transferClients)[number];

export const clientLabels: Readonly<Record<TransferClient, string>> = {
  chromium: 'Chromium',
  node: 'Node',
};

/** `cold`: every request opens a connection of its own. `warm`: all of them share one that is open already. */
export const connectionStates = ['cold', 'warm'] as const;
export type ConnectionState = (typeof connectionStates)[number];

/** All requests that differ in nothing but when they were made. */
export const transferCellSchema = z.object({
  client: z.enum(transferClients),
  protocol: z.enum(transferProtocols),
  connection: z.enum(connectionStates),
  /** Body bytes of the answer. */
  responseBytes: z.number(),
});
export type TransferCell = z.infer<typeof transferCellSchema>;

/** What names a cell. */
export function transferCellKey(cell: TransferCell): string {
  return `${cell.client} ${cell.protocol} ${cell.connection} ${cell.responseBytes}`;
}

/** What a client and the origin's answer tell of one request. Times in ms by the client's own clock. */
export const takenTransferSchema = z.object({
  /** From the call to the last byte of the body, in the program's hands. */
  totalMs: z.number(),
  /** To open the connection, TLS included; 0 on one that was open; null: unknown. */
  connectMs: z.nullable(z.number()),
  /** From the request's first byte to the answer's first; null: unknown. */
  waitMs: z.nullable(z.number()),
  /** From the answer's first byte to its last; null: unknown. */
  downloadMs: z.nullable(z.number()),
  /** ALPN name of the protocol that was used, by Resource Timing or the socket; null: unknown. */
  protocolName: z.nullable(z.string()),
  /** Body bytes that arrived. */
  bodyBytes: z.number(),
  /** Number of the connection by the origin's count; null when the answer did not say. */
  originConnection: z.nullable(z.number()),
  /** Number of the request on that connection by the origin's count, from 1; null when the answer did not say. */
  originRequest: z.nullable(z.number()),
  /** From the request's arrival at the origin until its answer was handed over, ms; null when the answer did not say. */
  originMs: z.nullable(z.number()),
});
export type TakenTransfer = z.infer<typeof takenTransferSchema>;

/** Why a sample is kept but left out of the statistics. */
export const transferFlags = [
  /** A warm request whose connection was new: by the origin's count, or by the client's times. */
  'opened-connection',
  /** A cold request whose connection was not new, by either. */
  'reused-connection',
  /** Another protocol than asked for. */
  'other-protocol',
  'wrong-size',
  /** The answer does not say which connection carried it, so nothing proves cold or warm. */
  'connection-unknown',
] as const;
export type TransferFlag = (typeof transferFlags)[number];

/** One timed request. */
export const transferSampleSchema = z.extend(takenTransferSchema, {
  /** Rises by 1 with every sample, from 0. */
  sequence: z.number(),
  /** Browser launch, or round of the control with connections of its own: samples of one resemble each other. */
  launch: z.number(),
  /** The machine that took it, in a run merged from shards (run/shard.ts); absent otherwise. */
  machine: z.optional(z.string()),
  /** ISO 8601, UTC: when its batch began. */
  takenAt: z.string(),
  cell: transferCellSchema,
  flags: z.array(z.enum(transferFlags)),
});
export type TransferSample = z.infer<typeof transferSampleSchema>;

/** Samples that the statistics may use. */
export function usableTransfers(samples: readonly TransferSample[]): TransferSample[] {
  return samples.filter(({ flags }) => flags.length === 0);
}
