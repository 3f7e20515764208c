import * as z from 'zod/mini';
import { microCaches } from './cache.ts';
import { microRows } from './row.ts';
import { cellKeyOf } from '../run/cell.ts';
import { deviceCountsSchema, storageKinds } from '../run/sample.ts';
import { diskCacheBackEnds } from '../run/variant.ts';

/**
 * The four benchmarks: the `table` of rows, sizes and caches; a `list` of resources loaded twice; `search` for keys in
 * a cache with many entries; the `crossover`, the size from which on disk is slower than memory.
 */
export const microParts = ['table', 'list', 'search', 'crossover'] as const;
export type MicroPart = (typeof microParts)[number];

/**
 * State before the runs. `running`: the same browser stored the entries. `first`: the first runs of a launch, with the
 * page cache dropped, so that the cache's index may not be loaded yet. `lost`: as `first`, with the index file removed:
 * the back end rebuilds the index from every entry's file, which takes longer the more entries there are. `relaunched`:
 * in a later launch. `dropped`: in a later launch (in the crossover: before every run) with the page cache dropped.
 */
export const microStates = ['running', 'first', 'lost', 'relaunched', 'dropped'] as const;
export type MicroState = (typeof microStates)[number];

/** One combination of factor levels. */
export const microCellSchema = z.object({
  part: z.enum(microParts),
  cache: z.enum(microCaches),
  /** A row of the table; for a search, whether its keys are in the cache. */
  row: z.enum([...microRows, 'present', 'absent']),
  /** Body bytes of the resource. */
  bytes: z.number(),
  state: z.enum(microStates),
  /** The disk cache's back end, when the part sets it; absent: the browser's default. */
  backEnd: z.optional(z.enum(diskCacheBackEnds)),
  /** Entries in the searched cache; absent in other parts. */
  entries: z.optional(z.number()),
  /** Storage of the disk cache: ordinary storage (`none`), or a device with a delay. */
  storage: z.enum(storageKinds),
  /** Requested read delay of the device, ms; 0 on ordinary storage. */
  delayMs: z.number(),
});
export type MicroCell = z.infer<typeof microCellSchema>;

/** Why a slice is kept but excluded from the statistics. */
const microFlags = [
  /** A run that must stay in the cache reached the origin. */
  'origin-touched',
  /** The origin did not see exactly one request for each miss. */
  'requests-unequal',
  /** A search found a key that is not in the cache, or did not find one that is. */
  'found-unequal',
  /** With the page cache dropped, a read did not reach the slow device. */
  'device-silent',
  /** A process of the browser, the harness, the storage or the machine did not run during the slice. */
  'suspended',
] as const;
export type MicroFlag = (typeof microFlags)[number];

/** A slice of minutes has about 100,000; each becomes a reading in memory. */
const mostBatches = 1_000_000;

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Consecutive runs of one cell in one page: a line of slices.ndjson. */
export const microSliceSchema = z.object({
  /** Position in the run, from 0, in order of measurement. */
  sequence: z.number(),
  cell: microCellSchema,
  /** Number of the browser launch, from 0 over the whole run. */
  launch: z.number(),
  /** The machine that measured it, in a run merged from shards (run/shard.ts); absent otherwise. */
  machine: z.optional(z.string()),
  /** ISO 8601, UTC. */
  takenAt: z.string(),
  /** Smallest step of the page's clock, ms. */
  timerStepMs: z.number(),
  /** From the start of the first run to the end of the last, ms. */
  totalMs: z.number(),
  runs: z.number(),
  /** Runs per clock reading: above 1 when one run is too short for the clock's steps. */
  batch: z.number(),
  /** Batch durations, whole µs, rising, and the count of each: every duration, without their order. */
  batchUs: z.array(z.number()),
  counts: z
    .array(z.int().check(z.gte(0)))
    .check(z.refine((counts) => sumOf(counts) <= mostBatches, `more than ${mostBatches} batches`)),
  /** Runs in which a read succeeded, or a search found its key. */
  found: z.number(),
  /** Requests for the resources that reached the origin during the runs. */
  requests: z.number(),
  /** Number of distinct resources among these requests; absent: not counted. */
  distinct: z.optional(z.number()),
  /** Counters of the slow device; null when unknown or not read. */
  device: z.nullable(deviceCountsSchema),
  flags: z.array(z.enum(microFlags)),
});
export type MicroSlice = z.infer<typeof microSliceSchema>;

export const microCellKey = cellKeyOf(microCellSchema);

/** Requests that one run of a cell must send to the origin. */
function expectedPerRun({ part, cache, row }: MicroCell): 0 | 1 {
  // A script that is in no cache must come from the network: Blink's memory and the disk cannot be searched alone.
  if (part === 'search') return cache === 'blink' && row === 'absent' ? 1 : 0;
  return row.startsWith('miss-') ? 1 : 0;
}

type Witnessed = Pick<MicroSlice, 'runs' | 'found' | 'requests' | 'distinct' | 'device'>;

/** All disagreements between the witnesses of a slice and its cell; empty when they agree. */
export function microFlagsOf(
  cell: MicroCell,
  { runs, found, requests, distinct, device }: Witnessed,
): MicroFlag[] {
  const expected = expectedPerRun(cell) * runs;
  const isAbsentSearch = cell.part === 'search' && cell.row === 'absent' && cell.cache !== 'blink';
  const flags: MicroFlag[] = [];
  if (expected === 0 && requests > 0) flags.push('origin-touched');
  // One request per new key, not two for one and none for another.
  const isEachAsked = cell.row !== 'miss-query' || distinct === undefined || distinct === expected;
  if (expected > 0 && !(requests === expected && isEachAsked)) flags.push('requests-unequal');
  if (found !== (isAbsentSearch ? 0 : runs)) flags.push('found-unequal');
  const isFromDevice = cell.state === 'dropped' && cell.cache === 'disk' && cell.storage !== 'none';
  if (isFromDevice && device?.reads === 0) flags.push('device-silent');
  return flags;
}
