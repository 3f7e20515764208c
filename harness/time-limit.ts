import { CachescopeError } from './error.ts';

/**
 * Waits for a step with a time limit. The step itself is not stopped: the caller gives up the browser in which it
 * hangs.
 *
 * @throws CachescopeError CS_TIMEOUT naming the step.
 */
export async function withTimeLimit<Value>(
  step: string,
  limitMs: number,
  work: Promise<Value>,
): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () =>
        reject(new CachescopeError('CS_TIMEOUT', `${step} took longer than ${limitMs / 1000} s`)),
      limitMs,
    );
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits until a step settles, at most `limitMs`. No timer is left that would keep the program from ending. */
export async function waitAtMost(limitMs: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs);
  });
  try {
    await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}
