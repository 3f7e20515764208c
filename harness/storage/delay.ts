/** Largest delay, ms: beyond it every file system operation looks like a hang. */
export const maxDelayMs = 10_000;

/**
 * How long one mount or umount may take, ms: each waits for some ten requests, one after another, at the largest delay,
 * and a umount for what is not yet written.
 */
export const fileSystemLimitMs = 300_000;
