import { fileSystems } from '@cachescope/model/run/variant.ts';
import { storageKinds } from '@cachescope/model/run/sample.ts';
import * as z from 'zod/mini';
import { machineSchema } from './journal-machine.ts';

const whole = z.int().check(z.gte(0));
/** A whole number that may exceed 2^53. */
const digits = z.string().check(z.regex(/^\d{1,20}$/));
const path = z.string().check(z.startsWith('/'), z.maxLength(4096));
const processSchema = z.object({ pid: z.int().check(z.gte(1)), startTime: whole });

/** A resource that outlives the program unless it is undone. Recorded before it is made. */
export const madeSchema = z.discriminatedUnion('kind', [
  /** A work directory of ours; its name begins with `cachescope-`. */
  z.object({ kind: z.literal('directory'), path }),
  /** A mounted file system. */
  z.object({ kind: z.literal('mount'), path }),
  /**
   * A file system that nbdfuse serves, in a work directory of ours; with the nbdfuse and nbdkit processes, once they
   * run.
   */
  z.object({ kind: z.literal('fuse'), path, servers: z.optional(z.array(processSchema)) }),
  /**
   * The loop device over this file, `/dev/loop3` once it has one. The file distinguishes it from other programs' loop
   * devices.
   */
  z.object({ kind: z.literal('loop'), backingFile: path, device: z.optional(z.string()) }),
  z.object({ kind: z.literal('device-mapper'), name: z.string() }),
  /** A disk image at a path that the user chose; without its identity it was not yet made. */
  z.object({
    kind: z.literal('image'),
    path,
    file: z.optional(z.object({ inode: digits, birthtimeNs: digits })),
  }),
  /**
   * A directory of outputs that is being written; without its identity it was not yet made. `drafts`: it existed before,
   * and only the drafts in it are ours to remove.
   */
  z.object({
    kind: z.literal('output'),
    path,
    drafts: z.optional(z.literal(true)),
    file: z.optional(z.object({ inode: digits, birthtimeNs: digits })),
  }),
  /** An instance of the kernel's tracing (tracefs). */
  z.object({ kind: z.literal('tracing-instance'), path }),
  /** A named network namespace (ip-netns(8)); its virtual network interfaces are removed with it. */
  z.object({ kind: z.literal('network-namespace'), name: z.string() }),
  /** An nginx of ours; `name` is the program's name as the kernel reported it. */
  z.object({ kind: z.literal('process'), name: z.string(), process: processSchema }),
]);
export type Made = z.infer<typeof madeSchema>;

const amount = z.optional(z.number().check(z.gte(0), z.lte(Number.MAX_SAFE_INTEGER)));

const diskOptions = {
  /** Writes and flushes take the read delay, unless they have their own delay. */
  delayWrites: z.boolean(),
  /** Delay of writes, ms, independent of the read delay; absent: 0, or the read delay under `delayWrites`. */
  writeDelayMs: amount,
  /** Delay of flushes, ms; absent: 0, or the read delay under `delayWrites`. */
  flushDelayMs: amount,
  /** Default: no limit. */
  bandwidthBytesPerSecond: amount,
  /** Share of device reads that fail once bad reads are switched on, 0 to 1. Default 0. */
  badReadRate: amount,
  /** Default ext4. */
  fileSystem: z.optional(z.enum(fileSystems)),
  /** Default 128, Linux's default. */
  readAheadKiB: amount,
  /** Size of the image, bytes. Default 1 GiB. */
  imageBytes: amount,
};
const optionsSchema = z.object(diskOptions);
/** The options of a disk that the journal keeps for standing storage. */
export type RecordedOptions = z.infer<typeof optionsSchema>;

/** Standing storage, with the settings needed to change its delay. */
export const standingSchema = z.object({
  kind: z.enum(storageKinds),
  /** Read delay that was last set, ms. */
  delayMs: z.number().check(z.gte(0)),
  /** Median latency that the device draws for each read in addition to the delay, ms; absent: none is drawn. */
  drawnMs: amount,
  /** True while bad reads are switched on. */
  readsFail: z.optional(z.boolean()),
  ...diskOptions,
});
export type StandingStorage = z.infer<typeof standingSchema>;

/** A journal's header; the last header line applies. */
const headSchema = z.object({
  /** Only the owner undoes the entries; once it has exited, any process may. */
  owner: processSchema,
  startedAt: z.string(),
  machine: z.optional(machineSchema),
  /** Storage that stays when its owner exits (`storage up`), with the settings needed to change it; else null. */
  standing: z.nullable(standingSchema),
});
export type JournalHead = z.infer<typeof headSchema>;

/** One line of a journal. */
export const lineSchema = z.union([
  z.strictObject({ head: headSchema }),
  z.strictObject({ number: whole, make: madeSchema }),
  z.strictObject({ undone: whole }),
]);
export type JournalLine = z.infer<typeof lineSchema>;
