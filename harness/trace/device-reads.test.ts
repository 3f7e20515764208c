import { expect, test } from 'vitest';
import { deviceReadsOf } from './device-reads.ts';
import { parseExtents } from './file-extents.ts';

const page = { beginUs: 1_000_000, endUs: 1_100_000 };
const spans = [
  { step: 'dispatch' as const, startMs: 0, endMs: 2 },
  { step: 'entryOpen' as const, startMs: 2, endMs: 30 },
  { step: 'bodyRead' as const, startMs: 31, endMs: 80 },
  { step: 'delivery' as const, startMs: 80, endMs: 100 },
];
const extents = [
  { file: 'cache/Default/Cache/Cache_Data/2b15e560b7cf6c9c_0', offset: 65_536, bytes: 262_144 },
  { file: 'cache/Default/Cache/Cache_Data/index', offset: 1_048_576, bytes: 4096 },
  { file: 'dictionaries/cache/f02910493a12010b_0', offset: 2_097_152, bytes: 4096 },
];

function read(startMs: number, offset: number, isMetadata = false) {
  const issueUs = page.beginUs + startMs * 1000;
  return {
    issueUs,
    completeUs: issueUs + 5000,
    offset,
    bytes: 4096,
    isMetadata,
    isReadAhead: true,
  };
}

const seen = [
  read(3, 0, true),
  read(9, 8192),
  read(20, 323_584),
  read(40, 65_536),
  read(70, 1_048_576),
  read(75, 2_097_152),
];

test('a read is classified by the file at its offset and by the step in which it happened', () => {
  const reads = deviceReadsOf(seen, { page, spans, extents, isShared: false });
  expect(reads.map(({ kind, file }) => [kind, file])).toEqual([
    ['metadata', undefined],
    // No file is stored there, so the read is file system metadata.
    ['metadata', undefined],
    ['headers', '2b15e560b7cf6c9c_0'],
    ['body', '2b15e560b7cf6c9c_0'],
    ['other', 'index'],
    ['dictionary', 'f02910493a12010b_0'],
  ]);
  expect(reads[2]).toMatchObject({ startMs: 20, endMs: 25, offset: 323_584, bytes: 4096 });
});

test('without the files only the kernel’s metadata flag is known', () => {
  const reads = deviceReadsOf(seen, { page, spans, extents: null, isShared: false });
  expect(reads.map(({ kind }) => kind)).toEqual([
    'metadata',
    'unknown',
    'unknown',
    'unknown',
    'unknown',
    'unknown',
  ]);
});

test('on a device shared with other programs, a read outside all files is unknown', () => {
  const reads = deviceReadsOf(seen, { page, spans, extents, isShared: true });
  expect(reads[1]?.kind).toBe('unknown');
});

test('reads before and after the page’s wait are left out', () => {
  const reads = deviceReadsOf([read(-9, 0), read(-2, 0), read(101, 0)], {
    page,
    spans,
    extents,
    isShared: false,
  });
  expect(reads.map(({ startMs }) => startMs)).toEqual([-2]);
});

test('extents are parsed from the output of filefrag', () => {
  const text = `Filesystem type is: ef53
File size of /mnt/a b/2b15_0 is 1049259 (1052672 blocks of 1 bytes)
 ext:     logical_offset:        physical_offset: length:   expected: flags:
   0:        0.. 1048575:  135041024.. 136089599: 1048576:
   1:  1048576.. 1052671:  153108480.. 153112575:   4096:  136089600: last,eof
/mnt/a b/2b15_0: 2 extents found
File size of /mnt/empty is 0 (0 blocks of 1 bytes)
/mnt/empty: 0 extents found
`;
  expect(parseExtents(text, '/mnt')).toEqual([
    { file: 'a b/2b15_0', offset: 135_041_024, bytes: 1_048_576 },
    { file: 'a b/2b15_0', offset: 153_108_480, bytes: 4096 },
  ]);
});
