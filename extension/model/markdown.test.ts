import { expect, test } from 'vitest';
import { markdownTable } from './markdown.ts';

test('a table, with numbers to the right', () => {
  expect(markdownTable(['arm', 'ms'], [['br', '1.5']], 1)).toBe(
    '| arm | ms |\n| --- | ---: |\n| br | 1.5 |\n',
  );
});

test('a cell ends no row, starts no markup and mentions nobody', () => {
  const [, , row] = markdownTable(['x'], [['a|b\n<img src=x> [t](u) `c` @me #1']]).split('\n');
  expect(row).toBe(String.raw`| a\|b?\<img src=x\> \[t\](u) \`c\` \@me \#1 |`);
});
