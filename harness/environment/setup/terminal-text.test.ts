import { expect, test } from 'vitest';
import { terminalText } from './terminal-text.mjs';

test('lines break between words; a command to type stays whole, on a line of its own', () => {
  const command = `apt-get install ${'package '.repeat(20)}last`;
  const text = terminalText(
    `CS_USAGE: ${'words '.repeat(30)}\n  - one\nDo it. Type as root: ${command}`,
    80,
  );
  const lines = text.split('\n');
  expect(lines).toContain('  - one');
  expect(lines.slice(-2)).toEqual(['Do it. Type as root:', `  ${command}`]);
  for (const line of lines.slice(0, -1)) expect(line.length).toBeLessThanOrEqual(80);
  expect(lines.slice(0, 3).join(' ').trim()).toBe(`CS_USAGE: ${'words '.repeat(30)}`.trim());
});
