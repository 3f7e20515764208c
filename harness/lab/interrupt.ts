/** Signals closer together than this count as one: a terminal and npm each pass on the same Ctrl-C. */
const sameWishMs = 400;

export interface Interrupt {
  /** True after the first signal: finish the sample, save, clean up. */
  readonly requested: boolean;
  /** Stops listening. */
  dispose(): void;
}

/**
 * Listens for SIGINT, SIGTERM and SIGHUP. The first requests an orderly end; a second, later one calls `atOnce` and
 * exits with code 130.
 */
export function listenForInterrupt(
  say: (line: string) => void,
  atOnce: () => void,
  now: () => number = Date.now,
  finishing = 'finishing this sample',
): Interrupt {
  let firstAt: number | null = null;
  const onSignal = () => {
    if (firstAt === null) {
      firstAt = now();
      say(
        `Interrupted: ${finishing}, then saving and cleaning up. Press Ctrl-C again to stop now.`,
      );
      return;
    }
    if (now() - firstAt < sameWishMs) return;
    atOnce();
    process.exit(130);
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, onSignal);
  return {
    get requested() {
      return firstAt !== null;
    },
    dispose() {
      for (const signal of signals) process.off(signal, onSignal);
    },
  };
}
