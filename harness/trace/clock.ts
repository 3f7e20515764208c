/** µs of CLOCK_MONOTONIC, the clock of Chromium's and of the kernel's trace. */
export function monotonicUs(): number {
  return Number(process.hrtime.bigint() / 1000n);
}

/** What the wall clock shows when CLOCK_MONOTONIC is 0, µs since 1970; to some µs, by waiting for its next ms. */
export function wallClockOffsetUs(): number {
  const first = Date.now();
  let now = Date.now();
  while (now === first) now = Date.now();
  return now * 1000 - monotonicUs();
}
