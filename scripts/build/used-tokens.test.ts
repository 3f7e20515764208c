import { expect, test } from 'vitest';
import { withUsedTokens } from './used-tokens.ts';

test('a custom property is kept when a rule, a kept property or the code uses it', () => {
  const css =
    ':root{--a:var(--b);--b:1px;--c:var(--d);--d:2px;--e:3px}p{margin:var(--a);color:red}';
  expect(withUsedTokens(css, 'token("--e")')).toBe(
    ':root{--a:var(--b);--b:1px;--e:3px}p{margin:var(--a);color:red}',
  );
});

test('a declaration is removed completely, whatever its value contains', () => {
  const css = `.x{--icon:url("data:image/svg+xml;a='}'");width:1px}.y{--last:0}`;
  expect(withUsedTokens(css, '')).toBe('.x{width:1px}.y{}');
});
