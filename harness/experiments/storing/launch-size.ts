import type { StoringPlan } from '@cachescope/model/storing/run.ts';

/** Limit of a cache that one launch must not fill, bytes. */
export const ampleBytes = 2 ** 30;
/** Responses that are loaded at the same time. */
export const atOnce = 10;
/** Entries of a cell that is also loaded ten at once: twice ten, and one each for two and for ten readers. */
const entriesAtOnce = 2 * atOnce + 2;

/** Loads of each size in one launch: about as many bytes of each, from 3 to 20. */
export function loadsOf(bytes: number): number {
  return Math.max(3, Math.min(20, Math.round(10 * (2 ** 20 / bytes))));
}

/** Bytes of all bodies that one launch stores. */
export function storedByLaunch({
  sizesBytes,
  tenBytes,
  bodies,
  codings,
}: Pick<StoringPlan, 'sizesBytes' | 'tenBytes' | 'bodies' | 'codings'>): number {
  const entriesOf = (bytes: number) =>
    loadsOf(bytes) + 1 + (bytes === tenBytes ? entriesAtOnce : 0);
  const ofEach = sizesBytes.map((bytes) => bytes * entriesOf(bytes));
  return bodies.length * codings.length * ofEach.reduce((sum, bytes) => sum + bytes, 0);
}
