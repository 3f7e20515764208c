import { expect, test } from 'vitest';
import { possibleTwins, shortTwin } from './short-twin.ts';

const below = '/nbd.sock';
const own = 'cachescope-disk-0123abcd';
const long = `/${'x'.repeat(90)}/${own}`;

test('a path that leaves room for the socket stays', () => {
  const edge = `/${'x'.repeat(107 - below.length - 1)}`;
  expect(Buffer.byteLength(edge + below)).toBe(107);
  expect(shortTwin(edge, below)).toBe(edge);
});

test('a longer one gets the same name in a short place, where its end removes it', () => {
  const twin = shortTwin(`${long}/t`, below);
  expect(twin).toBe(`/tmp/${own}/t`);
  expect(possibleTwins(long)).toContain(`/tmp/${own}`);
});

test('bytes count, not characters', () => {
  expect(shortTwin(`/${'é'.repeat(52)}/${own}`, below)).toBe(`/tmp/${own}`);
});

test('a directory of another program has no twin: the limit is named', () => {
  expect(possibleTwins('/home/me/project')).toEqual([]);
  expect(() => shortTwin(`/${'x'.repeat(120)}`, below)).toThrow(
    /has 121 bytes; at most 98 leave room for a socket in it/,
  );
});
