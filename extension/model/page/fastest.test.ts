import { expect, test } from 'vitest';
import { fastestOf, type Pairing } from './fastest.ts';

const pair = (of: string, against: string, way: 'greater' | 'lesser' | 'SAME' | null): Pairing => ({
  of,
  against,
  verdict:
    way === 'SAME' || way === null
      ? { outcome: way ?? 'UNKNOWN', direction: null }
      : { outcome: 'DIFFERENT', direction: way },
});

test.each([
  ['the one that is faster', [pair('DCB', 'Brotli', 'greater')], 'Brotli'],
  [
    'all that no verdict shows to be slower',
    [pair('DCB', 'Brotli', 'greater'), pair('Zstd', 'Brotli', null)],
    'Brotli, Zstd',
  ],
  ['nothing decided', [pair('DCB', 'Brotli', null), pair('Zstd', 'Brotli', 'SAME')], 'undecided'],
  ['all the same', [pair('DCB', 'Brotli', 'SAME'), pair('Zstd', 'Brotli', 'SAME')], 'the same'],
  ['nothing compared', [], ''],
  [
    'each slower than another',
    [pair('DCB', 'Brotli', 'greater'), pair('Brotli', 'DCB', 'greater')],
    'undecided',
  ],
] as const)('%s', (_, pairings, wanted) => {
  expect(fastestOf(['Brotli', 'DCB', 'Zstd'], pairings)).toBe(wanted);
});
