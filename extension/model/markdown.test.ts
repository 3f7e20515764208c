import { expect, test } from 'vitest';
import { markdownTable } from './markdown.ts';

test('a table with right-aligned numbers', () => {
  expect(markdownTable(['arm', 'ms'], [['br', '1.5']], 1)).toBe(
    '| arm | ms |\n| --- | ---: |\n| br | 1.5 |\n',
  );
});

test('a cell cannot end a row, start markup or mention a user', () => {
  const [, , row] = markdownTable(['x'], [['a|b\n<img src=x> [t](u) `c` @me #1']]).split('\n');
  expect(row).toBe(String.raw`| a\|b\\n\<img src=x\> \[t\](u) \`c\` \@me \#1 |`);
});
