import type { CDPSession } from 'puppeteer-core';
import { CachescopeError, messageOf } from '../error.ts';
import { withTimeLimit } from '../time-limit.ts';

const pieceBytes = 1024 * 1024;
/** Time limit for Chromium's processes to hand over their trace data, ms. */
const endLimitMs = 120_000;

/** A recorded trace. */
export interface TakenTrace {
  /** Its JSON, in chunks. It can be read once. */
  pieces: AsyncIterable<Uint8Array>;
  /** Chromium's buffer was full: events are missing. */
  isCutOff: boolean;
}

/**
 * Traces the whole browser, including the network service, while `work` runs; attaches to no page. The session must be
 * the browser's: a trace started by a page's session omits the network service.
 *
 * @throws CachescopeError CS_BROWSER_TRACE when Chromium does not start tracing or does not return the trace, CS_TIMEOUT
 *   when it does not end it.
 */
export async function traceBrowser<Result>(
  root: CDPSession,
  categories: readonly string[],
  work: () => Promise<Result>,
): Promise<{ result: Result; trace: TakenTrace }> {
  const complete = new Promise<{ stream?: string | undefined; dataLossOccurred: boolean }>(
    (resolve) => root.once('Tracing.tracingComplete', resolve),
  );
  await root
    .send('Tracing.start', {
      transferMode: 'ReturnAsStream',
      streamFormat: 'json',
      traceConfig: {
        recordMode: 'recordUntilFull',
        includedCategories: [...categories],
        excludedCategories: ['*'],
      },
    })
    .catch((error: unknown) => {
      const message = `Chromium did not start tracing: ${messageOf(error)}`;
      throw new CachescopeError('CS_BROWSER_TRACE', message, { cause: error });
    });
  const result = await work().catch(async (error: unknown) => {
    // Otherwise the next trace of this browser could not be started; a browser that is gone has none to end.
    await root.send('Tracing.end').catch(() => undefined);
    throw error;
  });
  await root.send('Tracing.end');
  const { stream, dataLossOccurred } = await withTimeLimit(
    'Ending the trace',
    endLimitMs,
    complete,
  );
  if (stream === undefined)
    throw new CachescopeError(
      'CS_BROWSER_TRACE',
      'Chromium recorded a trace and did not return it',
    );
  return { result, trace: { pieces: piecesOf(root, stream), isCutOff: dataLossOccurred } };
}

async function* piecesOf(root: CDPSession, handle: string): AsyncGenerator<Uint8Array> {
  try {
    for (;;) {
      const piece = await root.send('IO.read', { handle, size: pieceBytes });
      yield Buffer.from(piece.data, piece.base64Encoded ? 'base64' : 'utf8');
      if (piece.eof) return;
    }
  } finally {
    await root.send('IO.close', { handle });
  }
}
