import { expect, test } from 'vitest';
import { cachescope } from '../command-under-test.ts';

test.each<[words: string[], problems: string[]]>([
  [
    ['compare', '--frobnicate', '--margin', '2'],
    ['--frobnicate is not an option of compare', '--margin is "2"'],
  ],
  [
    ['compare', '/no/such/a', '/no/such/b'],
    ['/no/such/a does not exist', '/no/such/b does not exist'],
  ],
  [
    ['report', '--frobnicate', '--format', 'floppy'],
    ['--frobnicate is not an option of report', '"floppy"'],
  ],
  [
    ['clean', '--frobnicate', 'now'],
    ['--frobnicate is not an option of clean', 'now is one argument too many'],
  ],
  [
    ['storage', 'up', '--image', '/dev/null/disk.img', '--bandwidth', '1B/s'],
    ['/dev/null is not a directory', '--bandwidth is "1B/s"'],
  ],
])('%j reports all problems at once, with exit code 2', async (words, problems) => {
  const { code, stdout, stderr } = await cachescope(...words);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  for (const problem of problems) expect(stderr).toContain(problem);
});
