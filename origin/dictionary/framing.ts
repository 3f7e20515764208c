import { createHash } from 'node:crypto';

/** First bytes of a dictionary-compressed body (RFC 9842 section 4: dcb; section 5: dcz, a zstd skippable frame). */
const magic = {
  dcb: Uint8Array.of(0xff, 0x44, 0x43, 0x42),
  dcz: Uint8Array.of(0x5e, 0x2a, 0x4d, 0x18, 0x20, 0x00, 0x00, 0x00),
} as const;

/** Length of the header before the compressed stream, bytes. */
export const frameHeaderBytes = { dcb: 36, dcz: 40 } as const;

/** The header of a dcb or dcz body: magic, then the SHA-256 of the dictionary. */
export function frameHeader(coding: 'dcb' | 'dcz', dictionary: Uint8Array): Uint8Array {
  return Buffer.concat([magic[coding], createHash('sha256').update(dictionary).digest()]);
}
