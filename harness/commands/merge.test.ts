import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { madeUpShard } from '@cachescope/model/fixtures/made-up-shard.ts';
import { expect, onTestFinished, test } from 'vitest';
import { mergeCommand } from './merge.ts';

test('shards whose samples are too many together are refused, before one is read', async () => {
  const base = mkdtempSync(join(tmpdir(), 'cachescope-test-'));
  onTestFinished(() => rmSync(base, { recursive: true }));
  const shards = [1, 2].map((number) => {
    const path = join(base, `${number}`);
    mkdirSync(path);
    writeFileSync(join(path, 'run.json'), JSON.stringify(madeUpShard(number, 2).run));
    writeFileSync(join(path, 'samples.ndjson'), '');
    truncateSync(join(path, 'samples.ndjson'), 1.5 * 1024 ** 3);
    return path;
  });
  const out = join(base, 'out');
  const merged = mergeCommand().parseAsync(['node', 'merge', ...shards, '--out', out]);
  await expect(merged).rejects.toMatchObject({
    code: 'CS_NOT_MERGED',
    message: expect.stringContaining('3 GiB and must have at most 2 GiB together'),
    hint: expect.stringContaining('npm run query'),
  });
});
