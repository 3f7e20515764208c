import { type ReadRequest, readMarks } from '@cachescope/model/load/messages.ts';
import type { PageReading } from '@cachescope/model/load/page-message.ts';
import { resourceEntry } from './resource-entry.ts';

/** The browser functions that a read uses, taken before any page script could replace them. */
export interface Natives {
  now: () => number;
  fetch: (url: string) => Promise<Response>;
  arrayBuffer: (response: Response) => Promise<ArrayBuffer>;
  sha256: (bytes: ArrayBuffer) => Promise<ArrayBuffer>;
  sleep: (ms: number) => Promise<void>;
  mark: (name: string) => void;
  Observer: typeof PerformanceObserver;
}

/**
 * Times one read: from the call of fetch() to the complete decoded body. While the clock runs this script does nothing
 * else: it waits for the page to settle before, and reads timing and bytes only afterwards.
 */
export async function timedRead(natives: Natives, request: ReadRequest): Promise<PageReading> {
  const { now, fetch, arrayBuffer } = natives;
  const url = new URL(request.url, location.href).href;
  await natives.sleep(request.settleMs);

  let status = 0;
  let body: ArrayBuffer | null = null;
  let failure: string | undefined;
  if (request.marks) natives.mark(readMarks.begin);
  const startedAt = now();
  try {
    const response = await fetch(url);
    status = response.status;
    body = await arrayBuffer(response);
  } catch (error) {
    failure = String(error);
  }
  const endedAt = now();
  if (request.marks) natives.mark(readMarks.end);

  return {
    url,
    readMs: endedAt - startedAt,
    status,
    bodyBytes: body?.byteLength ?? 0,
    bodySha256: body === null ? '' : hex(await natives.sha256(body)),
    timing: await resourceEntry(natives.Observer, { url, fromMs: startedAt, toMs: endedAt }),
    hasServiceWorker: Boolean(navigator.serviceWorker?.controller),
    ...(failure !== undefined && { failure }),
  };
}

function hex(digest: ArrayBuffer): string {
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
