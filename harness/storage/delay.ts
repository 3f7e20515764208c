/** Maximum delay, ms: above it every file system operation looks like a hang. */
export const maxDelayMs = 10_000;

/**
 * Time limit for one mount or umount, ms: each waits for about ten serial requests at the maximum delay, and a umount
 * also for unwritten data.
 */
export const fileSystemLimitMs = 300_000;
