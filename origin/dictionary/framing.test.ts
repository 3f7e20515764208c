import { expect, test } from 'vitest';
import { frameHeader, frameHeaderBytes } from './framing.ts';

// SHA-256 of "abc" (FIPS 180-4, appendix B.1).
const sha256OfAbc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';

test.each([
  ['dcb', 'ff444342'],
  ['dcz', '5e2a4d1820000000'],
] as const)("%s begins with the RFC's magic and the hash of the dictionary", (coding, magic) => {
  const header = frameHeader(coding, Buffer.from('abc'));
  expect(Buffer.from(header).toString('hex')).toBe(magic + sha256OfAbc);
  expect(frameHeaderBytes[coding]).toBe(header.byteLength);
});
