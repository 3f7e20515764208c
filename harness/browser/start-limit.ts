/** Time limit for Chromium to start and respond, ms: on a busy machine it took over 15 s. */
export const startLimitMs = 120_000;
