import * as z from 'zod/mini';
import { withoutFragment } from '../web-url.ts';
import { mayAsk, type PageResource } from './page.ts';

/** DevTools' `_initiator`: a position in a document or stylesheet, or a JavaScript stack trace (Network.Initiator). */
const initiatorSchema = z.object({
  url: z.optional(z.string()),
  stack: z.optional(z.unknown()),
});
const stackSchema = z.object({
  callFrames: z.optional(z.array(z.object({ url: z.optional(z.string()) }))),
  parent: z.optional(z.unknown()),
});

/** Maximum number of parent stacks (of timers and promises) that are followed. */
const deepestStack = 32;

/** The fields of an entry that identify its initiator. */
interface Initiated {
  _initiator?: unknown;
  request: { headers?: { name: string; value: string }[] | undefined };
}

/**
 * Sets the parent of every resource: the one that its initiator names, if that is an earlier resource that can request
 * it; otherwise the one that its Referer names; otherwise the document, which is the first.
 */
export function placeInTree(
  entries: readonly Initiated[],
  resources: readonly PageResource[],
): PageResource[] {
  const places = new Map<string, number>();
  return resources.map((resource, place) => {
    const candidates = [...initiatorUrls(entries[place]?._initiator), refererOf(entries[place])];
    const parent = candidates
      .map((url) => places.get(withoutFragment(url)))
      .find((at) => at !== undefined && mayAsk(resources[at], resource));
    places.set(resource.url, place);
    return { ...resource, parent: place === 0 ? null : (parent ?? 0) };
  });
}

/** The URLs that an initiator names, the nearest first. */
export function initiatorUrls(initiator: unknown): string[] {
  const read = initiatorSchema.safeParse(initiator);
  if (!read.success) return [];
  const { url, stack } = read.data;
  return [...(url ? [url] : []), ...stackUrls(stack, deepestStack)];
}

function stackUrls(stack: unknown, deepest: number): string[] {
  const read = stackSchema.safeParse(stack);
  if (!read.success || deepest === 0) return [];
  const { callFrames = [], parent } = read.data;
  const urls = callFrames.flatMap(({ url }) => (url ? [url] : []));
  return [...urls, ...stackUrls(parent, deepest - 1)];
}

function refererOf(entry: Initiated | undefined): string {
  const headers = entry?.request.headers ?? [];
  return headers.find(({ name }) => name.toLowerCase() === 'referer')?.value ?? '';
}
