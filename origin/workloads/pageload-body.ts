import { crc32, deflateSync } from 'node:zlib';
import { isText, type Page, type RecordedBody } from '@cachescope/model/pageload/page.ts';
import { type Markup, markupOf } from './pageload-markup.ts';
import { binaryPayload, textPayload } from './pageload-payload.ts';

/** A body, and the position of its payload: only the payload differs between versions. */
export interface PageBody {
  bytes: Buffer;
  payload: { from: number; to: number };
}

/**
 * The body of the resource at a place: as large as the page specifies, unless the markup that requests its children
 * needs more. A recorded text that a browser would execute is put into a comment, so that none of it is executed and no
 * URL in it is requested; all other recorded bodies are unchanged.
 */
export function pageBody(page: Page, place: number, recorded?: RecordedBody): PageBody {
  const resource = page.resources[place];
  if (!resource) throw new RangeError(`the page has no resource ${place}`);
  const { bodyBytes, wireShare, mimeType, type } = resource;
  const own = recorded && Buffer.from(recorded.text, recorded.isBase64 ? 'base64' : 'utf8');
  const markup = markupOf(page, place);
  if (markup)
    return inMarkup(markup, bodyBytes, (room) => own ?? textPayload(room, wireShare, place));
  if (own) return whole(own);
  if (mimeType === 'image/svg+xml') return svg(bodyBytes, wireShare, place);
  if (type === 'image') return whole(image(bodyBytes, place));
  return whole(
    isText(mimeType) ? textPayload(bodyBytes, wireShare, place) : binaryPayload(bodyBytes, place),
  );
}

function whole(bytes: Buffer): PageBody {
  return { bytes, payload: { from: 0, to: bytes.length } };
}

/** Distributes the payload after the pieces in equal parts, each in a comment. */
function inMarkup(
  { before, pieces, after, comment }: Markup,
  bodyBytes: number,
  payloadOf: (room: number) => Buffer,
): PageBody {
  const shown = pieces.length === 0 ? [''] : pieces;
  const commentBytes = comment.open.length + comment.close.length;
  const markupBytes = before.length + after.length + shown.join('').length;
  const room = Math.max(0, bodyBytes - markupBytes - shown.length * commentBytes);
  const payload = harmless(payloadOf(room), comment.close).subarray(0, room);
  const parts: Buffer[] = [Buffer.from(before)];
  const { open, close } = comment;
  for (const [index, piece] of shown.entries()) {
    const [from, to] = [index, index + 1].map((at) =>
      Math.floor((payload.length * at) / shown.length),
    );
    const part = payload.subarray(from, to);
    parts.push(
      Buffer.from(piece),
      ...(part.length > 0 ? [Buffer.from(open), part, Buffer.from(close)] : []),
    );
  }
  const missing = bodyBytes - after.length - parts.reduce((sum, part) => sum + part.length, 0);
  // Padding: the remaining bytes are too few for another comment.
  parts.push(Buffer.alloc(Math.max(0, missing), ' '), Buffer.from(after));
  const bytes = Buffer.concat(parts);
  const hasComments = payload.length > 0 && pieces.length > 0;
  const from = before.length + open.length;
  // The pieces of a document must not be edited; a document is never a dictionary.
  return { bytes, payload: hasComments ? { from, to: from } : { from, to: from + payload.length } };
}

/** Ensures that the payload neither ends its comment nor opens one (`--!>` ends a comment in HTML too). */
function harmless(payload: Buffer, close: string): Buffer {
  const text = payload.toString('latin1');
  const safe =
    close === '-->' ? text.replaceAll('-', '_').replaceAll('>', ')') : text.replaceAll('*/', '* ');
  return Buffer.from(safe, 'latin1');
}

function svg(bodyBytes: number, wireShare: number, seed: number): PageBody {
  const [open, close] = [
    '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"><!--',
    '--></svg>',
  ];
  const room = Math.max(0, bodyBytes - open.length - close.length);
  const bytes = Buffer.concat([
    Buffer.from(open),
    textPayload(room, wireShare, seed),
    Buffer.from(close),
  ]);
  return { bytes, payload: { from: open.length, to: open.length + room } };
}

/** The smallest GIF that Chromium displays: one transparent pixel. */
const smallestImage = Buffer.from(
  'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7',
  'base64',
);

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(8);
  framed.writeUInt32BE(data.length, 0);
  framed.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([framed.subarray(0, 4), body, framed.subarray(4)]);
}

const signature = Buffer.from('89504e470d0a1a0a', 'hex');
/** One pixel, 8 bits of grey (PNG, Third Edition, section 11.2.1). */
const header = chunk('IHDR', Buffer.from('00000001000000010800000000', 'hex'));
const pixels = chunk('IDAT', deflateSync(Buffer.from([0, 0])));
const end = chunk('IEND', Buffer.alloc(0));
/** An image of one pixel, whose size comes from a chunk that every decoder skips. */
function png(filling: Buffer): Buffer {
  return Buffer.concat([signature, header, chunk('csPd', filling), pixels, end]);
}

const leastPngBytes = png(Buffer.alloc(0)).length;

/**
 * A decodable image: a browser discards one that it cannot decode. The chunk that gives it its size is ancillary, private
 * and safe to copy (PNG section 5.4). A body that is too small for it is a GIF.
 */
function image(bodyBytes: number, seed: number): Buffer {
  if (bodyBytes >= leastPngBytes) return png(binaryPayload(bodyBytes - leastPngBytes, seed));
  const gif = Buffer.alloc(bodyBytes);
  smallestImage.copy(gif);
  return gif;
}
