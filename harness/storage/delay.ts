/** Largest delay, ms: beyond it every file system operation looks like a hang. */
export const maxDelayMs = 10_000;
