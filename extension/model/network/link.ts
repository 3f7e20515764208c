import * as z from 'zod/mini';

const share = z.number().check(z.gte(0), z.lt(1));
const time = z.number().check(z.gte(0));

/** One direction of an emulated link. */
export const directionSchema = z.object({
  /** One-way delay of each packet, ms. */
  delayMs: time,
  /** Random part of the delay, ms: uniform from -jitterMs to +jitterMs, in order. 0: none. */
  jitterMs: time,
  /** bit/s; null: not limited. */
  bitsPerSecond: z.nullable(z.number().check(z.gt(0))),
  /** Size of the queue before the rate limit, bytes; a packet that does not fit is dropped (drop tail). */
  queueBytes: z.number().check(z.gt(0)),
  /** Share of packets that are dropped at random, 0 to below 1. */
  lossShare: share,
  /** Share of packets that are sent without the delay, and so overtake others, 0 to below 1. */
  reorderShare: share,
});
export type LinkDirection = z.infer<typeof directionSchema>;

/** An emulated link between a client and a server. */
export const linkSchema = z.object({
  /** As typed: `20ms,50Mbit/s`, or the name of a profile. */
  name: z.string(),
  /** From the client to the server. */
  up: directionSchema,
  /** From the server to the client. */
  down: directionSchema,
});
export type Link = z.infer<typeof linkSchema>;

/** Packets of one direction of a link since it was brought up. */
export const directionCountsSchema = z.object({
  packets: z.number(),
  bytes: z.number(),
  /** Packets that the queue had no room for. */
  queueDrops: z.number(),
  /** Packets that were dropped at random, as the link's loss. */
  lossDrops: z.number(),
  /** Packets that the receiving end did not take. */
  refused: z.number(),
  /** Greatest time that a packet was delivered after its due time, ms: the emulator's own error. */
  maxLateMs: z.number(),
});
export const linkCountsSchema = z.object({
  up: directionCountsSchema,
  down: directionCountsSchema,
});
export type LinkCounts = z.infer<typeof linkCountsSchema>;

/** What the link did, measured by packets of its own. Raw values. */
export const linkProofSchema = z.object({
  /** ISO 8601, UTC. */
  takenAt: z.string(),
  /** Round trips of UDP packets of 64 bytes, ms. */
  udpEchoMs: z.array(z.number()),
  /** From connect() to the end of the TCP handshake, ms. */
  tcpConnectMs: z.array(z.number()),
  /** Rate of a train of packets by its spread at the receiver, bit/s; null where the direction has no limit. */
  upBitsPerSecond: z.nullable(z.number()),
  downBitsPerSecond: z.nullable(z.number()),
});
export type LinkProof = z.infer<typeof linkProofSchema>;

/** A link that was proved around measurements. */
export const linkUseSchema = z.object({
  before: linkProofSchema,
  /** null: the run ended first. */
  after: z.nullable(linkProofSchema),
  /** Packets so far, those of the proofs included; null: the run ended first. */
  counts: z.nullable(linkCountsSchema),
});
export type LinkUse = z.infer<typeof linkUseSchema>;

/** The part of run.json of an experiment that takes a link. Not in the base: reports without a link stay small. */
export const linkedRunFields = {
  /** Checks of the emulated link, in the order taken; absent: there was none. */
  linkProofs: z.optional(z.array(linkUseSchema)),
};
export interface LinkedRun {
  linkProofs?: LinkUse[] | undefined;
}

/** What the kernel of the server keeps of a connection, by ss(8). */
export const socketStatisticsSchema = z.object({
  /** Congestion control: `cubic`. */
  congestion: z.string(),
  /** Congestion window, segments. */
  windowSegments: z.number(),
  /** Smoothed round trip, ms; null: unknown. */
  roundTripMs: z.nullable(z.number()),
  /** Segments that were sent again so far. */
  retransmits: z.number(),
  /** Bytes sent so far, those sent again included; null: unknown. */
  sentBytes: z.nullable(z.number()),
  /** Data segments sent so far; absent: unknown. */
  sentSegments: z.optional(z.number()),
  /** Time in which the client's receive window, and this machine's send buffer, were all that limited it, ms; absent: unknown. */
  receiveWindowLimitedMs: z.optional(z.number()),
  sendBufferLimitedMs: z.optional(z.number()),
});
export type SocketStatistics = z.infer<typeof socketStatisticsSchema>;

/** Round trip that the delays of a link add up to, ms. */
export function roundTripMsOf({ up, down }: Link): number {
  return up.delayMs + down.delayMs;
}

/** Initial congestion window of Linux, segments (RFC 6928). */
export const defaultInitialWindow = 10;
/** Linux's default, which is named so that machines with another one measure the same. */
export const defaultCongestion = 'cubic';

/** Bytes of a packet on the link: IPv4 over a device with this MTU. */
export const mtuBytes = 1500;
/** Payload of a full TCP segment: the MTU without the headers of IPv4 (20) and TCP (20 and 12 for timestamps). */
export const segmentBytes = mtuBytes - 52;
