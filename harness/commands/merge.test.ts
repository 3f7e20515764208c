import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { madeUpShard } from '@cachescope/model/fixtures/made-up-shard.ts';
import type { SweepRunDocument } from '@cachescope/model/sweep/run.ts';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { writeLines } from '../results/line-file.ts';
import { RunDirectory } from '../results/run-directory.ts';
import { mergeCommand } from './merge.ts';

let base = '';
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'cachescope-test-'));
  onTestFinished(() => rmSync(base, { recursive: true }));
});

function written(name: string, { run, samples }: SweepRunDocument): string {
  const path = join(base, name);
  mkdirSync(path);
  writeFileSync(join(path, 'run.json'), JSON.stringify(run));
  writeLines(join(path, 'samples.ndjson'), samples);
  return path;
}

function merge(...shards: string[]): Promise<unknown> {
  const words = [...shards, '--out', join(base, 'out')];
  return mergeCommand().parseAsync(['node', 'merge', ...words]);
}

const one = madeUpShard(1, 2);
const two = madeUpShard(2, 2);
const chromium = { ...two.run.environment.chromium, version: 'Chrome/155.0.1.2' };
const { shard: _, ...plain } = two.run;

test.each<[string, SweepRunDocument[], string, string]>([
  [
    'one shard twice with different samples',
    [one, { ...one, samples: one.samples.toReversed() }],
    'CS_NOT_MERGED',
    'shard 1 occurs twice with different samples, taken on m1: name only one of them',
  ],
  [
    'another Chromium',
    [one, { ...two, run: { ...two.run, environment: { ...two.run.environment, chromium } } }],
    'CS_NOT_MERGED',
    'Chromium is "Chrome/156.0.8078.79" in shard 1 on m1, "Chrome/155.0.1.2" in shard 2 on m2',
  ],
  ['a shard of another plan', [one, madeUpShard(2, 3)], 'CS_NOT_MERGED', 'number of shards is 2'],
  ['a run that is no shard', [one, { ...two, run: plain }], 'CS_NOT_MERGED', 'is not a shard'],
  [
    'samples that are none',
    [one, { ...two, samples: [{}] as SweepRunDocument['samples'] }],
    'CS_RUN_INVALID',
    'samples.ndjson line 1: sequence',
  ],
])('%s is refused by name; nothing is written and no shard changes', async (...row) => {
  const [, documents, code, message] = row;
  const paths = documents.map((document, place) => written(`${place}`, document));
  cpSync(base, `${base}-before`, { recursive: true });
  onTestFinished(() => rmSync(`${base}-before`, { recursive: true }));
  await expect(merge(...paths)).rejects.toMatchObject({
    code,
    exitCode: 2,
    message: expect.stringContaining(message),
  });
  expect(contents(base)).toEqual(contents(`${base}-before`));
});

test('an existing target keeps its files', async () => {
  const out = join(base, 'out');
  mkdirSync(out);
  writeFileSync(join(out, 'notes.txt'), 'mine');
  await expect(merge(written('1', one), written('2', two))).rejects.toMatchObject({
    code: 'CS_USAGE',
    message: expect.stringContaining(`${out} exists`),
  });
  expect(readdirSync(out)).toEqual(['notes.txt']);
});

test('a merge that fails at its last file leaves no directory', async () => {
  const full = Object.assign(new Error('no space left'), { code: 'ENOSPC' });
  const writing = vi.spyOn(RunDirectory.prototype, 'writeRun').mockRejectedValueOnce(full);
  onTestFinished(() => writing.mockRestore());
  await expect(merge(written('1', one), written('2', two))).rejects.toBe(full);
  expect(existsSync(join(base, 'out'))).toBe(false);
});

test('shards whose samples are too many together are refused, before one is read', async () => {
  const shards = [one, two].map((shard, place) => written(`${place}`, shard));
  // Sparse: they take no room on the disk.
  for (const path of shards) truncateSync(join(path, 'samples.ndjson'), 6 * 1024 ** 3);
  await expect(merge(...shards)).rejects.toMatchObject({
    code: 'CS_NOT_MERGED',
    message: expect.stringContaining('12 GiB and must have at most 10 GiB together'),
    hint: expect.stringContaining('npm run query'),
  });
  expect(existsSync(join(base, 'out'))).toBe(false);
});

/** Every file with its text. */
function contents(directory: string): string[] {
  const names = readdirSync(directory, { recursive: true, withFileTypes: true });
  return names
    .filter((each) => each.isFile())
    .map(
      ({ parentPath, name }) =>
        `${parentPath.slice(directory.length)}/${name}: ${readFileSync(join(parentPath, name), 'utf8')}`,
    )
    .toSorted();
}
