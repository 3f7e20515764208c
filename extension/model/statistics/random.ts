/**
 * A seeded random number generator for [0, 1): the same seed gives the same numbers on every machine, so a schedule or
 * an interval can be reproduced from the seed in the run document. Mulberry32 by Tommy Ettinger (public domain); 32
 * bits of state, good for shuffling and resampling, not for secrets.
 */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
