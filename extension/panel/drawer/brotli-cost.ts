/** One compression of a body with plain Brotli. */
export interface BrotliCost {
  /** 0 to 11. */
  quality: number;
  /** Size of the Brotli stream, bytes. */
  bytes: number;
  /** Compression time in this browser, in WebAssembly, ms. */
  compressMs: number;
}

/** A request to the worker. */
export interface CostQuestion {
  body: Uint8Array;
  qualities: readonly number[];
}

/** The worker's answer: one for each quality, or one problem if it fails. */
export type CostAnswer = { cost: BrotliCost } | { problem: string };

/** Typical qualities of an origin: 5 when it compresses each response, 11 when it compresses once in advance. */
const costQualities: readonly number[] = [5, 11];

/** Larger bodies are not compressed: quality 11 takes about 2 s per MiB. 32 MiB. */
const largestBody = 32 * 1024 ** 2;

/**
 * Sizes of a decoded body compressed with plain Brotli (RFC 7932, window 22), for each quality. The work runs in a
 * separate worker, which ends with it. The sizes match those of the reference encoder without a size hint, as for a
 * stream: within 0.01 % at quality 5 and 0.5 % at quality 11. With a size hint an encoder saves up to 5 % more at
 * quality 5 for bodies of 1 MiB or more.
 *
 * @throws Error CS_BODY_TOO_LARGE beyond 32 MiB, CS_BROTLI when the encoder fails, the signal's reason when cancelled.
 */
export async function brotliCosts(
  body: Uint8Array,
  signal?: AbortSignal,
  qualities: readonly number[] = costQualities,
): Promise<BrotliCost[]> {
  signal?.throwIfAborted();
  if (body.length > largestBody) {
    throw new Error(
      `The body is ${(body.length / 1024 ** 2).toFixed(1)} MiB; the panel compresses at most ${largestBody / 1024 ** 2} MiB. (CS_BODY_TOO_LARGE)`,
    );
  }
  const worker = new Worker(new URL('./brotli-worker.ts', import.meta.url), { type: 'module' });
  try {
    return await answers(worker, { body, qualities }, signal);
  } finally {
    worker.terminate();
  }
}

function answers(
  worker: Worker,
  question: CostQuestion,
  signal: AbortSignal | undefined,
): Promise<BrotliCost[]> {
  const { promise, resolve, reject } = Promise.withResolvers<BrotliCost[]>();
  const fail = (why: string): void =>
    reject(new Error(`Brotli cannot run here: ${why}. (CS_BROTLI)`));
  const costs: BrotliCost[] = [];
  worker.addEventListener('message', ({ data }: MessageEvent<CostAnswer>) => {
    if ('problem' in data) return fail(data.problem);
    costs.push(data.cost);
    if (costs.length === question.qualities.length) resolve(costs);
  });
  worker.addEventListener('error', ({ message }) => fail(message || 'the worker did not start'));
  const cancel = (): void => reject(signal?.reason as Error);
  signal?.addEventListener('abort', cancel, { once: true });
  worker.postMessage(question, []);
  return promise.finally(() => signal?.removeEventListener('abort', cancel));
}
