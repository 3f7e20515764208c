const gzip = 'is compressed with gzip: decompress it first, for example with gunzip';
const utf16 =
  'is text in UTF-16, as PowerShell\'s ">" writes it: save it as UTF-8, for example with iconv -f UTF-16 -t UTF-8';

/** First bytes of files that are not UTF-8 text, with what they are and what to do. */
const signatures: readonly (readonly [bytes: readonly number[], says: string])[] = [
  [[0x1f, 0x8b], gzip],
  [[0x50, 0x4b, 0x03, 0x04], 'is a zip archive: unpack it first'],
  [
    [0x28, 0xb5, 0x2f, 0xfd],
    'is compressed with zstd: decompress it first, for example with unzstd',
  ],
  [[0xfd, 0x37, 0x7a, 0x58], 'is compressed with xz: decompress it first, for example with unxz'],
  [[0x42, 0x5a, 0x68], 'is compressed with bzip2: decompress it first, for example with bunzip2'],
  [[0xff, 0xfe], utf16],
  [[0xfe, 0xff], utf16],
];

/** Number of bytes that `notText` needs. */
export const signatureBytes = 4;

/** What a file is that is not UTF-8 text, and what to do with it, by its first bytes; null: it can be read. */
export function notText(start: Uint8Array): string | null {
  const found = signatures.find(([bytes]) => bytes.every((byte, at) => start[at] === byte));
  // UTF-16 without a byte order mark: one byte of an ASCII character is 0.
  const isWide = start.length > 1 && (start[0] === 0) !== (start[1] === 0);
  return found?.[1] ?? (isWide ? utf16 : null);
}
