import * as z from 'zod/mini';
import { runBaseSchema } from '../run/base.ts';
import { type RunWith, savedMeasurements } from '../run/measurements.ts';
import { transferLinkSchema } from './link.ts';
import { pathProofSchema, transferPathSchema } from './path.ts';
import {
  connectionStates,
  transferClients,
  transferProtocols,
  type TransferSample,
  transferSampleSchema,
} from './sample.ts';

/** The plan of a `transfer` run. */
export const transferPlanSchema = z.object({
  clients: z.array(z.enum(transferClients)),
  /** The first is the baseline of the comparisons. */
  protocols: z.array(z.enum(transferProtocols)),
  connections: z.array(z.enum(connectionStates)),
  /** Body bytes of the responses, ascending. */
  sizesBytes: z.array(z.number()),
  requestBytes: z.number(),
  /** Timed requests of each cell, spread over the launches. */
  requestsPerCell: z.number(),
  launches: z.number(),
  /** Wait of the origin before each response, ms; 0: none. */
  serverDelayMs: z.number(),
  seed: z.number(),
  /** Equivalence margin: SAME where the whole interval of the relative difference is within it. */
  margin: z.number(),
  /** The ways to the origin; absent: one, described by the run's `link`. */
  paths: z.optional(z.array(transferPathSchema)),
});
export type TransferPlan = z.infer<typeof transferPlanSchema>;

/** Round trips of a path, measured by Node before and after its requests in each launch. Raw values, ms. */
export const roundTripProofSchema = z.object({
  /** ISO 8601, UTC. */
  takenAt: z.string(),
  /** From connect() to the end of the TCP handshake, each on a new connection. */
  tcpConnectMs: z.array(z.number()),
  /** Requests without a body for a response without one, on one open HTTP/1.1 connection. */
  emptyRequestMs: z.array(z.number()),
  /** The path (TransferPath.name); absent: the only one. */
  path: z.optional(z.string()),
});
export type RoundTripProof = z.infer<typeof roundTripProofSchema>;

/** run.json of transfers. */
export const transferRunSchema = z.extend(runBaseSchema, {
  experiment: z.literal('transfer'),
  plan: transferPlanSchema,
  link: transferLinkSchema,
  roundTrips: z.array(roundTripProofSchema),
  /** What the emulated links did; absent: there was none. */
  pathProofs: z.optional(z.array(pathProofSchema)),
});
export type TransferRun = z.infer<typeof transferRunSchema>;

/** Transfers with their samples. */
export type TransferRunDocument = RunWith<'samples', TransferRun, TransferSample>;

/** How to read saved transfers. */
export const savedTransfer = savedMeasurements({
  lineFile: 'transfers.ndjson',
  itemName: 'request',
  items: 'samples',
  runSchema: transferRunSchema,
  itemSchema: transferSampleSchema,
  idOf: (sample) => sample.sequence,
});
