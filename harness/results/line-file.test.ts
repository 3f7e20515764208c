import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { appendLine } from './line-file.ts';

async function newFile(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'cachescope-line-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  return join(directory, 'traced.ndjson');
}

test('each item is a separate line', async () => {
  const path = await newFile();
  await appendLine(path, { one: 1 });
  await appendLine(path, { two: 2 });
  expect(await readFile(path, 'utf8')).toBe('{"one":1}\n{"two":2}\n');
});

test('a line cut off by a crash does not corrupt the next', async () => {
  const path = await newFile();
  await writeFile(path, '{"one":1}\n{"tw');
  await appendLine(path, { three: 3 });
  expect(await readFile(path, 'utf8')).toBe('{"one":1}\n{"tw\n{"three":3}\n');
});
