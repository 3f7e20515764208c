import { expect, test } from 'vitest';
import type { OptionTexts } from '../../options/option-table.ts';
import { microOptions } from './options.ts';

const read = (texts: OptionTexts) => microOptions.read(texts);

test('the defaults are the published sizes and times', () => {
  const { asked, problems } = read({});
  expect(problems).toEqual([]);
  expect(asked.plan).toMatchObject({
    timeMs: 10_000,
    sizesBytes: [50, 1024, 51200, 524288],
    entries: [0, 100, 1000, 10_000, 50_000],
    backEnds: ['simple', 'blockfile', 'sql'],
    delaysMs: [],
  });
});

test.each([
  [{ sizes: '0' }, /--sizes is "0".*from 1B to 64MiB/],
  [{ sizes: '50,3221225472' }, /"3221225472".*from 1B to 64MiB/],
  [{ sizes: '-5' }, /"-5"/],
  [{ sizes: '50,50' }, /--sizes 50,50 names a value twice/],
  [{ sizes: '' }, /--sizes is ""/],
  [{ time: '-1' }, /--time is "-1"; it must be a time .*from 100ms to 1h; a number alone is in s/],
  [{ time: '0' }, /--time is "0"/],
  [{ time: 'long' }, /--time is "long"/],
  [{ entries: '1000000' }, /"1000000".*to 200000/],
  [{ caches: 'disk,flash' }, /--caches names "flash"; known are none, memory, disk/],
  [{ backEnds: 'leveldb' }, /--back-ends names "leveldb"/],
  [{ parts: 'all' }, /--parts names "all"; known are table, list/],
  [{ delay: '0' }, /--delay is "0"/],
  [{ delay: '5', storage: 'none' }, /--delay needs storage with a delay/],
  [{ launches: '0' }, /--launches is "0"/],
] as const)('%o is rejected by its rule', (changed, rule) => {
  const { problems } = read(changed);
  expect(problems.join('\n')).toMatch(rule);
});

test('all problems are reported together', () => {
  expect(read({ sizes: '0', time: '-1', caches: 'flash' }).problems).toHaveLength(3);
});

test('times may have fractions of a second, and lists are sorted', () => {
  const { asked, problems } = read({ time: '0.5', sizes: '1024,50', delay: '20,5' });
  expect(problems).toEqual([]);
  expect(asked.plan).toMatchObject({ timeMs: 500, sizesBytes: [50, 1024], delaysMs: [5, 20] });
});

test('options of parts that are not measured are rejected', () => {
  const all = { time: '1', sizes: '9', caches: 'disk', entries: '9', backEnds: 'sql', delay: '5' };
  expect(read(all).problems).toEqual([]);
  expect(read({ ...all, parts: 'crossover' }).problems).toEqual([
    '--time: only for table and search',
    '--sizes: only for table and list',
    '--caches: only for table, list and search',
    '--entries: only for search with the cache memory or disk',
    '--back-ends: only for search with the cache disk',
  ]);
  expect(read({ parts: 'search', caches: 'memory', backEnds: 'sql' }).problems).toEqual([
    '--back-ends: only for search with the cache disk',
  ]);
  expect(read({ parts: 'search', caches: 'blink' }).problems).toEqual([
    '--parts: search needs the cache memory or disk in --caches',
  ]);
  expect(read({ caches: 'blink' }).problems).toEqual([]);
  expect(read({ parts: 'list', caches: 'blink', delay: '5' }).problems).toEqual([
    '--delay: only for crossover, and for list with the cache disk',
  ]);
  expect(read({ storage: 'nbd-live' }).problems).toEqual(['--storage: only with --delay']);
});
