import * as z from 'zod/mini';

/** What the origin's process holds once all garbage is collected: looked at before the load, and after it. */
export const heldMemorySchema = z.object({
  kind: z.literal('held'),
  sequence: z.number(),
  when: z.enum(['before', 'after']),
  /** 0, or the end of the last window, ms since the first request was due. */
  atMs: z.number(),
  /** Of V8's heap, in use. */
  heapBytes: z.number(),
  /** Of buffers outside of the heap, the bodies among them. */
  externalBytes: z.number(),
});
export type HeldMemoryLine = z.infer<typeof heldMemorySchema>;

/** What one look finds, bytes. */
export type HeldMemory = Pick<HeldMemoryLine, 'heapBytes' | 'externalBytes'>;

/** What was held more after the load than before it, bytes; null unless both are known. */
export function heldGrowth(held: readonly HeldMemoryLine[]): number | null {
  const total = (when: HeldMemoryLine['when']): number | null => {
    const line = held.find((each) => each.when === when);
    return line ? line.heapBytes + line.externalBytes : null;
  };
  const [before, after] = [total('before'), total('after')];
  return before === null || after === null ? null : after - before;
}
