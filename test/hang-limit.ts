/** Ends a test that hangs. No test may depend on it: nothing that works comes near. */
export const hangLimitMs = 1_200_000;
