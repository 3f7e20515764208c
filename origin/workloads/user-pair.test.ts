import { createHash } from 'node:crypto';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { userWorkload } from './user-pair.ts';

let directory: string;
const inDirectory = (name: string) => join(directory, name);

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'cachescope-pair-'));
  await writeFile(inDirectory('old.js'), 'let a = 1;');
  await writeFile(inDirectory('new.js'), 'let a = 2;');
  await writeFile(inDirectory('empty.js'), '');
  await writeFile(inDirectory('large.js'), '');
  await truncate(inDirectory('large.js'), 100 * 1024 * 1024 + 1);
});

afterAll(() => rm(directory, { recursive: true, force: true }));

test('two files make a workload', async () => {
  const workload = await userWorkload(inDirectory('old.js'), inDirectory('new.js'));
  expect(workload).toMatchObject({ title: 'old.js -> new.js', contentType: 'text/javascript' });
  expect(Buffer.from(workload.dictionary).toString()).toBe('let a = 1;');
  expect(workload.resourceSha256).toBe(createHash('sha256').update('let a = 2;').digest('hex'));
});

test.each([
  ['missing.js', /missing\.js cannot be read \(ENOENT\)/],
  ['empty.js', /empty\.js is empty/],
  ['large.js', /large\.js has 104857601 bytes; at most 104857600/],
  ['.', /is a directory, not a regular file/],
])('%s is refused', async (name, message) => {
  const pair = userWorkload(inDirectory('old.js'), inDirectory(name));
  await expect(pair).rejects.toThrow(message);
  await expect(pair).rejects.toMatchObject({ code: 'CS_WORKLOAD_FILE' });
});

test('the problems of both files are reported at once', async () => {
  const pair = userWorkload(inDirectory('empty.js'), inDirectory('missing.js'));
  await expect(pair).rejects.toThrow(/empty\.js is empty.*\n.*missing\.js cannot be read/);
});
