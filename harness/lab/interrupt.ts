/** Signals closer together than this count as one: a terminal and npm each pass on the same Ctrl-C. */
const sameWishMs = 400;

export interface Interrupt {
  /** True after the first signal: finish the sample, save, clean up. */
  readonly requested: boolean;
  /** Stops listening. */
  dispose(): void;
}

/** Calls a function at each SIGINT, SIGTERM and SIGHUP; returns what stops that. */
export function onSignals(call: (signal: NodeJS.Signals) => void): () => void {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, call);
  return () => {
    for (const signal of signals) process.off(signal, call);
  };
}

/**
 * Listens for SIGINT, SIGTERM and SIGHUP. The first requests an orderly end; a second, later one calls `atOnce` and
 * exits with code 130.
 */
export function listenForInterrupt(
  say: (line: string) => void,
  atOnce: () => void,
  finishing = 'finishing this sample',
): Interrupt {
  let firstAt: number | null = null;
  const dispose = onSignals(() => {
    if (firstAt === null) {
      firstAt = Date.now();
      say(
        `Interrupted: ${finishing}, then saving and cleaning up. Press Ctrl-C again to stop now.`,
      );
    } else if (Date.now() - firstAt >= sameWishMs) {
      atOnce();
      process.exit(130);
    }
  });
  return {
    get requested() {
      return firstAt !== null;
    },
    dispose,
  };
}

/**
 * Runs a short piece of work that must not be interrupted. A signal meanwhile is recorded and reported; the work may
 * check it at points where it can stop.
 */
export async function withoutInterrupt<Result>(
  say: (line: string) => void,
  work: (interrupt: { readonly requested: boolean }) => Promise<Result>,
): Promise<Result> {
  const interrupt = { requested: false };
  const dispose = onSignals(() => {
    if (!interrupt.requested)
      say('Interrupted: finishing this step, so that nothing is left half done.');
    interrupt.requested = true;
  });
  try {
    return await work(interrupt);
  } finally {
    dispose();
  }
}
