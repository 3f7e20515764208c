import type { HarEntry } from '../har/schema.ts';
import { count, counted } from '../quantity.ts';
import { bodyBytesOf, urlOf } from './har-resource.ts';
import type { RecordedBody } from './page.ts';

// Global in Chromium and in Node; TypeScript knows them only with the types of one of the two.
const web = globalThis as unknown as {
  TextEncoder: new () => { encode(text: string): Uint8Array };
  atob(text: string): string;
};

/** The bodies that an archive holds, by index of their entry, and which it does not hold, in sentences. */
export interface RecordedBodies {
  bodies: ReadonlyMap<number, RecordedBody>;
  notes: string[];
}

/**
 * The recorded bodies of entries. A text that does not have the size of the decoded body is not the body: programs cut
 * long texts, write Base64 without saying so, or write the bytes before content decoding.
 */
export function recordedBodies(entries: readonly HarEntry[]): RecordedBodies {
  const bodies = new Map<number, RecordedBody>();
  const wrong: string[] = [];
  for (const [place, entry] of entries.entries()) {
    const { text, encoding } = entry.response.content ?? {};
    if (!text) continue;
    const body = { text, isBase64: encoding === 'base64' };
    const bytes = bytesOf(body);
    if (bytes === bodyBytesOf(entry)) bodies.set(place, body);
    else
      wrong.push(
        `${urlOf(entry)}: ${held(bytes)} instead of ${count(bodyBytesOf(entry) ?? 0)} bytes`,
      );
  }
  const missing = entries.length - bodies.size;
  const notes = [
    ...(missing === 0
      ? []
      : [
          `The archive holds ${bodies.size} of ${entries.length} bodies; the others are synthetic.`,
        ]),
    ...(wrong.length === 0
      ? []
      : [
          `Synthetic, because the recorded text does not have the size of the body: ${counted(wrong.length, 'request')} (${wrong[0]}${wrong.length > 1 ? '; and others' : ''}).`,
        ]),
  ];
  return { bodies, notes };
}

function held(bytes: number | null): string {
  return bytes === null ? 'no valid Base64' : count(bytes);
}

/** Size of a recorded body, bytes; null when it is called Base64 and is not. */
function bytesOf({ text, isBase64 }: RecordedBody): number | null {
  if (!isBase64) return new web.TextEncoder().encode(text).byteLength;
  try {
    return web.atob(text).length;
  } catch {
    return null;
  }
}
