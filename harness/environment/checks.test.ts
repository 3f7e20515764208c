import { expect, test } from 'vitest';
import type { Check } from './check.ts';
import { checks } from './checks.ts';
import { findOn, noPrivilege } from './made-up-machine.ts';

test('a machine without any files is unknown, never in order', async () => {
  // These checks examine the machine itself, not its files.
  const others = new Set([
    'privileges',
    'chromium',
    'sandbox',
    'packages',
    'disk-space',
    'disk-speed',
  ]);
  const known = { privilege: noPrivilege };
  for (const check of checks.filter(({ id }) => !others.has(id)))
    expect(await findOn(check, {}, known), check.id).toMatchObject({ status: 'unknown' });
});

test('a check that fails is unknown, with the reason', async () => {
  const broken: Check = {
    id: 'broken',
    why: 'Why.',
    examine: () => Promise.reject(new Error('torn')),
  };
  expect(await findOn(broken, {})).toEqual({
    id: 'broken',
    status: 'unknown',
    what: 'The check failed: torn',
    why: 'Why.',
    todo: null,
  });
});

test('every check has a unique name', () => {
  const ids = checks.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});
