import { expect, test } from 'vitest';
import { type Account, differing, isWrong } from './account.ts';
import { boundsOf } from './origin.ts';

const hit: Account = {
  page: ['200 whole', '200 whole'],
  'Resource Timing': ['network', 'cache'],
  origin: ['GET 200 dcz'],
};

test('the witnesses that tell two browsers apart are named', () => {
  expect(differing(hit, { ...hit })).toEqual([]);
  const twice = {
    ...hit,
    'Resource Timing': ['network', 'network'],
    origin: ['GET 200', 'GET 200'],
  };
  expect(differing(hit, twice)).toEqual(['Resource Timing', 'origin']);
});

test('wrong bytes in any read are found', () => {
  expect(isWrong(hit)).toBe(false);
  expect(isWrong({ ...hit, page: ['200 whole', '200 WRONG BYTES'] })).toBe(true);
});

test('bounds of a range: RFC 9110, section 14.1.2', () => {
  expect(boundsOf('bytes=1000-1999', 10_000)).toEqual([1000, 2000]);
  expect(boundsOf('bytes=5000-', 10_000)).toEqual([5000, 10_000]);
  expect(boundsOf('bytes=-500', 10_000)).toEqual([9500, 10_000]);
  expect(boundsOf('bytes=0-9,20-29', 10_000)).toBeNull();
  expect(boundsOf('bytes=-', 10_000)).toBeNull();
  expect(boundsOf('', 10_000)).toBeNull();
});
