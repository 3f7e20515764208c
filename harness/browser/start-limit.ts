/** How long Chromium may take to start and answer, ms: on a machine with much else to do it took over 15 s. */
export const startLimitMs = 120_000;
