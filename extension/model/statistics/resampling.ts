import type { Scope } from './design.ts';

/** How intervals are drawn, and what they are to hold for. */
export interface ResamplingOptions {
  /** Numbers in [0, 1); give it a kept seed (random.ts) and the interval can be made again. */
  random: () => number;
  /** 0 to 1, default 0.95. */
  confidence?: number | undefined;
  /** Default 10,000: the ends then move by about a hundredth of the interval's width from seed to seed. */
  resamples?: number | undefined;
  /** Default `any launch`. */
  scope?: Scope | undefined;
}

export const defaultResamples = 10_000;
