import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cellKey } from '@cachescope/model/run/sample.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { readRunOf } from '../../harness/results/run-directory.ts';
import { base, cachescope, expectNothingLeft, lacking, lastTaken } from '../command-under-test.ts';

const words = '1 1 1 --samples 2 --launches 2 --workload synthetic:100KiB --storage nbd-live';
const options = [...words.split(' '), '--no-recompress', '--seed', '5'];

describe.skipIf(lacking)('a sweep of two shards', () => {
  const plan = join(base, 'plan.json');
  const shards = [join(base, 'first'), join(base, 'second')] as const;
  const merged = join(base, 'merged');

  const takeShard = (place: string, out: string) =>
    cachescope('sweep', '--plan', plan, '--shard', place, '--env', 'skip', '--out', out);

  beforeAll(async () => {
    const planned = await cachescope('plan', 'sweep', ...options, '--out', plan);
    expect(planned.code, planned.stderr).toBe(0);
    expect(planned.stderr).toMatch(/Plan [0-9a-f]{12}, at most 2 shards/);
    const first = await takeShard('1/2', shards[0]);
    expect(first.code, first.stderr).toBe(0);
  });

  test('while the second shard is missing, the merged run is partial and names it', async () => {
    const out = join(base, 'partial');
    const ended = await cachescope('merge', shards[0], '--out', out);
    expect(ended.code, ended.stderr).toBe(4);
    expect(ended.stderr).toContain('shard 2 of 2 is missing');
    const { run } = await readRunOf('sweep', out);
    expect(run).toMatchObject({ status: 'partial', statusReason: 'shard 2 of 2 is missing' });
  });

  test('both shards make the complete run of the plan', async () => {
    const second = await takeShard('2/2', shards[1]);
    expect(second.code, second.stderr).toBe(0);
    const ended = await cachescope('merge', ...shards, '--out', merged);
    expect(ended.code, ended.stderr).toBe(0);
    const { run, samples } = await readRunOf('sweep', merged);
    expect(run.plan).toEqual((JSON.parse(readFileSync(plan, 'utf8')) as { plan: object }).plan);
    const timed = Map.groupBy(
      lastTaken(samples).filter(({ kind }) => kind === 'timed'),
      ({ cell }) => cellKey(cell),
    );
    expect(timed.size).toBe(2 * 2);
    for (const own of timed.values()) {
      expect(own).toHaveLength(2);
      expect(new Set(own.map(({ launch }) => launch)).size).toBe(2);
    }
    expect(samples.every(({ machine }) => machine !== undefined)).toBe(true);
    expect(existsSync(join(merged, 'report.html'))).toBe(true);
    expectNothingLeft();
  });

  test('a complete shard is not measured again', async () => {
    const before = readFileSync(join(shards[0], 'samples.ndjson'), 'utf8');
    const again = await takeShard('1/2', shards[0]);
    expect(again.code).toBe(0);
    expect(again.stderr).toContain('is complete already');
    expect(readFileSync(join(shards[0], 'samples.ndjson'), 'utf8')).toBe(before);
  });

  test('merging in another order, or a merged run again, gives the same files', async () => {
    const again = join(base, 'again');
    const pattern = join(base, '{second,merged,first}');
    const ended = await cachescope('merge', pattern, '--out', again);
    expect(ended.code, ended.stderr).toBe(0);
    for (const name of ['run.json', 'samples.ndjson'])
      expect(readFileSync(join(again, name), 'utf8')).toBe(
        readFileSync(join(merged, name), 'utf8'),
      );
  });

  test('a shard of another plan, and a target that exists, are refused by name', async () => {
    const foreign = join(base, 'foreign');
    const quick = '--clients node --protocols h1 --sizes 1kB --requests 2 --launches 2 --seed 5';
    const part = ['--shard', '1/2', '--env', 'skip', '--out', foreign];
    const taken = await cachescope('transfer', ...quick.split(' '), ...part);
    expect(taken.code, taken.stderr).toBe(0);
    const out = join(base, 'refused');
    const ended = await cachescope('merge', shards[1], foreign, '--out', out);
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain('CS_NOT_MERGED');
    expect(ended.stderr).toMatch(
      /different plans: experiment is "sweep" in shard 2 on .*, "transfer" in shard 1 on /,
    );
    expect(existsSync(out)).toBe(false);
    const over = await cachescope('merge', ...shards, '--out', merged);
    expect(over.code).toBe(2);
    expect(over.stderr).toContain(`--out ${merged} exists`);
  });
});
