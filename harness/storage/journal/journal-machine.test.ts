import { expect, test } from 'vitest';
import { isHere, thisMachine } from './journal-machine.ts';

const here = { hostName: 'node1', bootId: 'a', pidNamespace: 'pid:[4026531836]' };

test.each([
  ['this system', {}, true],
  ['this machine before its restart', { bootId: 'b' }, true],
  ['another machine', { hostName: 'node2', bootId: 'b' }, false],
  ['a container on this machine', { hostName: 'c0ffee', pidNamespace: 'pid:[1]' }, false],
  ["a container with this machine's name", { pidNamespace: 'pid:[1]' }, false],
])('%s', (_, other, isSeen) => {
  expect(isHere({ ...here, ...other }, here)).toBe(isSeen);
});

test('a journal of an older version, without a machine, is of this one', () => {
  expect(isHere(undefined)).toBe(true);
  expect(isHere(thisMachine())).toBe(true);
});
