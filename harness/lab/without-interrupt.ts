const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs a short piece of work that must not be interrupted. A signal meanwhile is recorded and reported; the work may
 * check it at points where it can stop.
 */
export async function withoutInterrupt<Result>(
  say: (line: string) => void,
  work: (interrupt: { readonly requested: boolean }) => Promise<Result>,
): Promise<Result> {
  const interrupt = { requested: false };
  const onSignal = () => {
    if (!interrupt.requested)
      say('Interrupted: finishing this step, so that nothing is left half done.');
    interrupt.requested = true;
  };
  for (const signal of signals) process.on(signal, onSignal);
  try {
    return await work(interrupt);
  } finally {
    for (const signal of signals) process.off(signal, onSignal);
  }
}
