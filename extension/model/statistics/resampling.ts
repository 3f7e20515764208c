import type { Scope } from './design.ts';

/** How intervals are computed, and their scope. */
export interface ResamplingOptions {
  /** Random numbers in [0, 1); with a recorded seed (random.ts) the interval is reproducible. */
  random: () => number;
  /** 0 to 1, default 0.95. */
  confidence?: number | undefined;
  /** Default 10,000: the ends then vary by about 1 % of the interval's width from seed to seed. */
  resamples?: number | undefined;
  /** Default `any launch`. */
  scope?: Scope | undefined;
}

/** Number of bootstrap resamples. */
export const defaultResamples = 10_000;
