import * as z from 'zod/mini';
import { cellKeyOf } from '../run/cell.ts';

/** Protocol of a request: HTTP/1.1 in the clear, HTTP/1.1 over TLS, HTTP/2 over TLS. */
export const transferProtocols = ['h1', 'h1-tls', 'h2'] as const;
export type TransferProtocol = (typeof transferProtocols)[number];

/** Names of the protocols for people. */
export const protocolLabels: Readonly<Record<TransferProtocol, string>> = {
  h1: 'HTTP/1.1',
  'h1-tls': 'HTTP/1.1 over TLS',
  h2: 'HTTP/2',
};

/** `nextHopProtocol` of Resource Timing for each: the ALPN protocol ID (RFC 7301). */
const protocolNames: Readonly<Record<TransferProtocol, string>> = {
  h1: 'http/1.1',
  'h1-tls': 'http/1.1',
  h2: 'h2',
};

/** The client: a page in Chromium, or Node as the control without a browser. */
export const transferClients = ['chromium', 'node'] as const;
export type TransferClient = (typeof transferClients)[number];

/** Names of the clients for people. */
export const clientLabels: Readonly<Record<TransferClient, string>> = {
  chromium: 'Chromium',
  node: 'Node',
};

/**
 * `cold`: every request opens a new connection. `warm`: all requests share one open connection. `idle`: as warm, and the
 * connection is unused for `idlePauseMs` before each.
 */
export const connectionStates = ['cold', 'warm', 'idle'] as const;
export type ConnectionState = (typeof connectionStates)[number];
/** Pause before each request of the state `idle`, ms: several retransmission timeouts, after which TCP begins again. */
export const idlePauseMs = 2000;

/** All requests that differ only in the time at which they were sent. */
export const transferCellSchema = z.object({
  client: z.enum(transferClients),
  protocol: z.enum(transferProtocols),
  connection: z.enum(connectionStates),
  /** Body bytes of the response. */
  responseBytes: z.number(),
  /** The way to the origin (TransferPath.name); absent: the only one. */
  path: z.optional(z.string()),
});
export type TransferCell = z.infer<typeof transferCellSchema>;

/** All cells of one client, protocol and connection state: they differ in the size of the response. */
export type TransferLane = Omit<TransferCell, 'responseBytes'>;

export const transferCellKey = cellKeyOf(transferCellSchema);

/** One request as reported by the client and by the origin's response. Times in ms by the client's clock. */
export const takenTransferSchema = z.object({
  /** From the call until the program has the last byte of the body. */
  totalMs: z.number(),
  /** Time to open the connection, TLS included; 0 on an open connection; null: unknown. */
  connectMs: z.nullable(z.number()),
  /** From the first byte of the request to the first byte of the response; null: unknown. */
  waitMs: z.nullable(z.number()),
  /** From the first to the last byte of the response; null: unknown. */
  downloadMs: z.nullable(z.number()),
  /** ALPN protocol ID of the protocol used, from Resource Timing or the socket; null: unknown. */
  protocolName: z.nullable(z.string()),
  /** Received body bytes. */
  bodyBytes: z.number(),
  /** Number of the connection, counted by the origin; null when the response does not say. */
  originConnection: z.nullable(z.number()),
  /** Number of the request on that connection, counted by the origin from 1; null when the response does not say. */
  originRequest: z.nullable(z.number()),
  /**
   * From the arrival of the request at the origin until it handed over its response, ms; null when the response does
   * not say.
   */
  originMs: z.nullable(z.number()),
});
export type TakenTransfer = z.infer<typeof takenTransferSchema>;

/** Why a sample is kept but excluded from the statistics. */
export const transferFlags = [
  /** A warm request on a new connection, by the origin's count or by the client's times. */
  'opened-connection',
  /** A cold request on a reused connection, by either. */
  'reused-connection',
  /** Another protocol than requested. */
  'other-protocol',
  'wrong-size',
  /** The response does not say which connection carried it, so there is no proof of cold or warm. */
  'connection-unknown',
  /** A process of a client, the harness or the machine did not run during the batch of the request. */
  'suspended',
  /** The emulated link was not as set, before or after the requests of its launch. */
  'link-off',
] as const;
export type TransferFlag = (typeof transferFlags)[number];

/** One timed request. */
export const transferSampleSchema = z.extend(takenTransferSchema, {
  /** Increases by 1 with every sample, from 0. */
  sequence: z.number(),
  /** Browser launch, or round of the control with its own connections: samples of one launch are correlated. */
  launch: z.number(),
  /** The machine that measured it, in a run merged from shards (run/shard.ts); absent otherwise. */
  machine: z.optional(z.string()),
  /** ISO 8601, UTC: the start of its batch. */
  takenAt: z.string(),
  cell: transferCellSchema,
  flags: z.array(z.enum(transferFlags)),
});
export type TransferSample = z.infer<typeof transferSampleSchema>;

/**
 * Checks a request against its cell. Two witnesses say whether the connection was new: the client's times and the
 * origin's count. Either of them suffices for a flag.
 */
export function transferFlagsOf(cell: TransferCell, taken: TakenTransfer): TransferFlag[] {
  const { originRequest, connectMs, protocolName, bodyBytes } = taken;
  const flags: TransferFlag[] = [];
  const saysNew = new Set([
    originRequest === null ? null : originRequest === 1,
    connectMs === null ? null : connectMs > 0,
  ]);
  if (originRequest === null) flags.push('connection-unknown');
  if (cell.connection !== 'cold' && saysNew.has(true)) flags.push('opened-connection');
  if (cell.connection === 'cold' && saysNew.has(false)) flags.push('reused-connection');
  if (protocolName !== null && protocolName !== protocolNames[cell.protocol])
    flags.push('other-protocol');
  if (bodyBytes !== cell.responseBytes) flags.push('wrong-size');
  return flags;
}
