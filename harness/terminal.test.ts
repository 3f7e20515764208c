import { afterEach, expect, test, vi } from 'vitest';
import { say, show, showBytes, showJson } from './terminal.ts';

afterEach(() => void vi.restoreAllMocks());

const hostile = '\u001b]0;x\u0007 \u202Eend\r';

test('nothing that is written can steer the terminal', () => {
  const written: string[] = [];
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  say(hostile);
  show(`${hostile}\n`);
  showJson({ title: hostile });
  expect(written).toHaveLength(3);
  // A line feed is the only control character.
  expect(written.join('').replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  expect(JSON.parse(written[2] ?? '')).toEqual({ title: hostile });
});

test('bytes are not written to a terminal', () => {
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const { isTTY } = process.stdout;
  try {
    process.stdout.isTTY = true;
    expect(() => showBytes(new Uint8Array([27]))).toThrow('binary');
  } finally {
    process.stdout.isTTY = isTTY;
  }
  expect(written).not.toHaveBeenCalled();
});
