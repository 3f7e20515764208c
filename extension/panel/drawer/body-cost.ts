import { type Resource, responseUrl } from '@cachescope/model/load/load.ts';
import { withoutFragment } from '@cachescope/model/web-url.ts';
import { type BrotliCost, brotliCosts } from './brotli-cost.ts';

/** Cost of plain Brotli for one resource; `costs` is null while it is computed. */
export interface BodyCost {
  /** The resource's number in the displayed load. */
  sequence: number;
  decodedBytes: number | null;
  costs: readonly BrotliCost[] | null;
  problem: string;
}

/** Compresses the decoded body of a resource with plain Brotli. Never rejects: an error is returned as `problem`. */
export async function bodyCost(
  resource: Resource,
  signal: AbortSignal,
): Promise<Omit<BodyCost, 'sequence'>> {
  try {
    const body = await inspectedBody(responseUrl(resource));
    const costs = await brotliCosts(body, signal);
    return { decodedBytes: body.length, costs, problem: '' };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return { decodedBytes: null, costs: null, problem };
  }
}

/** The decoded body in DevTools: that of the last request for this URL since DevTools was opened. */
async function inspectedBody(url: string): Promise<Uint8Array> {
  const { entries } = await new Promise<HarLog>((resolve) =>
    chrome.devtools.network.getHAR((log) => resolve(log as unknown as HarLog)),
  );
  const entry = entries.findLast(({ request }) => withoutFragment(request.url) === url);
  if (!entry) {
    throw new Error('DevTools no longer has the body. Reload the page, then try again.');
  }
  const { text, encoding } = await new Promise<Content>((resolve) =>
    entry.getContent((text, encoding) => resolve({ text, encoding })),
  );
  if (text === null || text === undefined) {
    throw new Error('DevTools has no body for this resource: there is none, or it was discarded.');
  }
  if (encoding === 'base64') return Uint8Array.from(atob(text), (each) => each.charCodeAt(0));
  return new TextEncoder().encode(text);
}

interface HarLog {
  entries: {
    request: { url: string };
    getContent: (tell: (text: string | null, encoding: string) => void) => void;
  }[];
}

interface Content {
  text: string | null | undefined;
  encoding: string;
}
