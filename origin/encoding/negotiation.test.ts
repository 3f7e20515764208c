import type { Coding } from '@cachescope/model/coding.ts';
import { expect, test } from 'vitest';
import { negotiateCoding } from './negotiation.ts';

const chromium = 'gzip, deflate, br, zstd';
const chromiumWithDictionary = `${chromium}, dcb, dcz`;

// RFC 9110 section 12.5.3, and RFC 9842 section 6.1 for dcb and dcz.
const withoutDictionary: [acceptEncoding: string | undefined, served: Coding | null][] = [
  [undefined, 'identity'],
  ['', 'identity'],
  ['identity', 'identity'],
  [chromium, 'br'],
  ['gzip', 'gzip'],
  ['GZip', 'gzip'],
  ['gzip, zstd', 'zstd'],
  ['gzip;q=1.0, br;q=0.5', 'gzip'],
  ['br;q=0.001', 'br'],
  ['br;q=0, gzip', 'gzip'],
  ['br ; q=0.2 , gzip ; q=0.8', 'gzip'],
  ['compress, deflate', 'identity'],
  ['*', 'br'],
  ['*;q=0.5, gzip', 'gzip'],
  ['br;q=0, *', 'zstd'],
  ['identity;q=1, *;q=0', 'identity'],
  ['identity;q=0.5, gzip;q=0.2', 'identity'],
  ['gzip, identity;q=0', 'gzip'],
  ['identity;q=0', null],
  ['*;q=0', null],
  ['compress, identity;q=0', null],
  ['compress, *;q=0', null],
  ['br;q=abc', 'identity'],
  ['gzip;q=-1', 'identity'],
  ['gzip;q=2', 'identity'],
  ['gzip;q=0.1234', 'identity'],
  ['gzip;q=', 'identity'],
  ['gzip;q', 'identity'],
  ['gzip;level=9', 'identity'],
  ['gzip;q=1.000;q=x, zstd', 'zstd'],
  ['identity;q=-1', 'identity'],
  ['*;q=-1', 'identity'],
  ['br;q=-1, gzip;q=0.1', 'gzip'],
  [',,;;q=,', 'identity'],
  [chromiumWithDictionary, 'br'],
  ['dcb', 'identity'],
];

test.each(withoutDictionary)('without a dictionary, %j gets %s', (acceptEncoding, served) => {
  expect(negotiateCoding({ acceptEncoding, dictionaryUsable: false })).toBe(served);
});

const withDictionary: [acceptEncoding: string | undefined, served: Coding | null][] = [
  [undefined, 'identity'],
  [chromiumWithDictionary, 'dcb'],
  [`${chromium}, dcz`, 'dcz'],
  ['DCB', 'dcb'],
  [chromium, 'br'],
  ['*', 'br'],
  ['*, dcz', 'dcz'],
  ['dcb;q=0, dcz;q=0, *', 'br'],
  ['dcb;q=0.5, br', 'br'],
  ['dcb;q=0.5, dcz;q=0.6', 'dcz'],
  ['dcb, identity;q=0', 'dcb'],
  ['dcb;q=0, identity;q=0', null],
];

test.each(withDictionary)('with a dictionary, %j gets %s', (acceptEncoding, served) => {
  expect(negotiateCoding({ acceptEncoding, dictionaryUsable: true })).toBe(served);
});

const pinnedArms: [pinned: Coding, acceptEncoding: string | undefined, served: Coding | null][] = [
  ['identity', chromiumWithDictionary, 'identity'],
  ['gzip', chromiumWithDictionary, 'gzip'],
  ['br', chromiumWithDictionary, 'br'],
  ['zstd', chromiumWithDictionary, 'zstd'],
  ['dcb', chromiumWithDictionary, 'dcb'],
  ['dcz', chromiumWithDictionary, 'dcz'],
  ['br', 'br;q=0.1, identity', 'br'],
  ['br', 'gzip', 'identity'],
  ['br', undefined, 'identity'],
  ['br', 'br;q=0', 'identity'],
  ['br', 'gzip, identity;q=0', null],
  ['dcb', chromium, 'identity'],
  ['identity', 'br, identity;q=0', null],
];

test.each(pinnedArms)('pinned to %s, %j gets %s', (pinned, acceptEncoding, served) => {
  expect(negotiateCoding({ acceptEncoding, dictionaryUsable: true, pinned })).toBe(served);
});

test('pinned to dcb without the dictionary gets identity, not another compressed coding', () => {
  const acceptEncoding = chromiumWithDictionary;
  expect(negotiateCoding({ acceptEncoding, dictionaryUsable: false, pinned: 'dcb' })).toBe(
    'identity',
  );
});
