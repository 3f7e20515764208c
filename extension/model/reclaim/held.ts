import * as z from 'zod/mini';

/** Memory of the origin's process after garbage collection: measured before the load and after it. */
export const heldMemorySchema = z.object({
  kind: z.literal('held'),
  sequence: z.number(),
  when: z.enum(['before', 'after']),
  /** 0, or the end of the last window, ms since the first request was due. */
  atMs: z.number(),
  /** Used heap of V8, bytes. */
  heapBytes: z.number(),
  /** Buffers outside the heap, bodies included, bytes. */
  externalBytes: z.number(),
});
export type HeldMemoryLine = z.infer<typeof heldMemorySchema>;

/** One measurement, bytes. */
export type HeldMemory = Pick<HeldMemoryLine, 'heapBytes' | 'externalBytes'>;

/** Growth from before the load to after it, bytes; null unless both are known. */
export function heldGrowth(held: readonly HeldMemoryLine[]): number | null {
  const total = (when: HeldMemoryLine['when']): number | null => {
    const line = held.find((each) => each.when === when);
    return line ? line.heapBytes + line.externalBytes : null;
  };
  const [before, after] = [total('before'), total('after')];
  return before === null || after === null ? null : after - before;
}
