import type { Variant } from '@cachescope/model/run/variant.ts';
import { expect, test } from 'vitest';
import { requireTyped } from './typed-variants.ts';

const other: Variant = { name: 'other', browser: '/tmp/evil' };

test('a browser, switch or variable that only run.json names is not used', () => {
  const byFile = [
    { variants: [other] },
    { settings: { browser: '/tmp/evil' } },
    { variants: [{ name: 'one', flags: ['--renderer-cmd-prefix=/tmp/evil'] }] },
    { variants: [{ name: 'one', environment: { LD_PRELOAD: '/tmp/evil.so' } }] },
  ];
  for (const plan of byFile) {
    expect(() => requireTyped(plan, undefined)).toThrow('none of them is used');
    expect(() => requireTyped(plan, [{ name: 'one' }])).toThrow('none of them is used');
  }
});

test('variants are used when the user names the same again, or when they start no other browser', () => {
  expect(() => requireTyped({ variants: [other] }, [{ ...other }])).not.toThrow();
  expect(() =>
    requireTyped({ variants: [{ name: 'a', diskCache: 'sql' }] }, undefined),
  ).not.toThrow();
});
