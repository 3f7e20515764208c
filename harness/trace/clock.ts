/** Current CLOCK_MONOTONIC, µs: the clock of Chromium's and of the kernel's trace. */
export function monotonicUs(): number {
  return Number(process.hrtime.bigint() / 1000n);
}

/**
 * Wall-clock time at CLOCK_MONOTONIC 0, µs since 1970; accurate to some µs, by waiting for the next ms of the wall
 * clock.
 */
export function wallClockOffsetUs(): number {
  const first = Date.now();
  let now = Date.now();
  while (now === first) now = Date.now();
  return now * 1000 - monotonicUs();
}
