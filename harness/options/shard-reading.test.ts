import { expect, test } from 'vitest';
import { readShard, shardOfEngine } from './shard-reading.ts';

function read(text: string, variables: Record<string, string> = {}) {
  const problems: string[] = [];
  return { shard: readShard(text, '--shard', problems, variables), problems };
}

const slurm = (id: number, first: number, last: number, count: number) => ({
  SLURM_ARRAY_TASK_ID: `${id}`,
  SLURM_ARRAY_TASK_MIN: `${first}`,
  SLURM_ARRAY_TASK_MAX: `${last}`,
  SLURM_ARRAY_TASK_COUNT: `${count}`,
});

test('a shard is given by its number, counted from 1, and the number of shards', () => {
  expect(read('3/20')).toEqual({ shard: { number: 3, count: 20 }, problems: [] });
  expect(read('1/1').shard).toEqual({ number: 1, count: 1 });
});

test.each(['0/6', '7/6', '3', '3/', 'a/b', '-1/6', '1.5/6', '', '1/0', 'env:A'])(
  '%j is not a shard',
  (text) => {
    const { shard, problems } = read(text);
    expect(shard).toBeUndefined();
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(JSON.stringify(text));
  },
);

test('a Slurm array sets it, with indices from 0 or from 1', () => {
  expect(read('auto', slurm(3, 1, 6, 6)).shard).toEqual({ number: 3, count: 6 });
  expect(read('auto', slurm(0, 0, 5, 6)).shard).toEqual({ number: 1, count: 6 });
  const empty = read('auto', { ...slurm(0, 0, 3, 4), SLURM_ARRAY_TASK_ID: '' });
  expect(empty.shard).toBeUndefined();
  expect(empty.problems[0]).toContain('SLURM_ARRAY_TASK_ID is ""');
});

test.each([
  [slurm(3, 3, 3, 1), 'tasks that are submitted again'],
  [slurm(3, 1, 5, 3), 'an array with a step'],
])('%j is not a complete array: %s', (variables) => {
  const { shard, problems } = read('auto', variables);
  expect(shard).toBeUndefined();
  expect(problems[0]).toContain('--shard $SLURM_ARRAY_TASK_ID/COUNT');
});

test('the index of a Kubernetes Indexed Job counts from 0; the number of shards is given separately', () => {
  expect(read('auto', { JOB_COMPLETION_INDEX: '0', CACHESCOPE_SHARDS: '4' }).shard).toEqual({
    number: 1,
    count: 4,
  });
  expect(read('auto', { JOB_COMPLETION_INDEX: '4', CACHESCOPE_SHARDS: '4' }).problems[0]).toContain(
    '4 of 4',
  );
  expect(read('auto', { JOB_COMPLETION_INDEX: '0' }).problems[0]).toContain('not set');
});

test('the variables of another engine can be named', () => {
  const variables = { GTEST_SHARD_INDEX: '2', GTEST_TOTAL_SHARDS: '8' };
  expect(read('env:GTEST_SHARD_INDEX,GTEST_TOTAL_SHARDS', variables).shard).toEqual({
    number: 3,
    count: 8,
  });
});

test.each(['', ' ', '0x1', '1e0'])('%j is not the index of a shard', (index) => {
  const { shard, problems } = read('env:INDEX,COUNT', { INDEX: index, COUNT: '4' });
  expect(shard).toBeUndefined();
  expect(problems[0]).toContain(JSON.stringify(`${index} of 4`));
  const found = read('auto', { JOB_COMPLETION_INDEX: index, CACHESCOPE_SHARDS: '4' });
  expect(found.problems).toHaveLength(1);
});

test('without an engine there is no shard, and only a request for one is a problem', () => {
  const problems: string[] = [];
  expect(shardOfEngine({}, problems)).toBeUndefined();
  expect(problems).toEqual([]);
  expect(read('auto').problems[0]).toContain('name the shard');
});
