/** Ends a test that hangs, ms. No test may depend on it: no working test takes nearly as long. */
export const hangLimitMs = 1_200_000;
