import { expect, test } from 'vitest';
import { microDefaults, type RawMicroOptions, readMicroOptions } from './micro-options.ts';

function read(changed: Partial<RawMicroOptions>) {
  const silent = { wait: false, headful: false, json: false, dryRun: false };
  return readMicroOptions({ ...microDefaults, ...silent, ...changed });
}

test('a silent command line asks for the document’s sizes and times', () => {
  const { options, problems } = read({});
  expect(problems).toEqual([]);
  expect(options).toMatchObject({
    timeMs: 10_000,
    sizesBytes: [50, 1024, 51200, 524288],
    entries: [0, 100, 1000, 10_000, 50_000],
    backEnds: ['simple', 'blockfile', 'sql'],
    delaysMs: [],
  });
});

test.each([
  [{ sizes: '0' }, /--sizes: a value is "0".*from 1 to 67108864/],
  [{ sizes: '50,3221225472' }, /"3221225472".*from 1 to 67108864/],
  [{ sizes: '-5' }, /"-5"/],
  [{ sizes: '50,50' }, /--sizes 50,50 names something twice/],
  [{ sizes: '' }, /--sizes: a value is ""/],
  [{ time: '-1' }, /--time is "-1"; it must be a number of seconds from 0.1/],
  [{ time: '0' }, /--time is "0"/],
  [{ time: 'long' }, /--time is "long"/],
  [{ entries: '1000000' }, /"1000000".*to 200000/],
  [{ caches: 'disk,flash' }, /--caches names "flash"; known are none, memory, disk/],
  [{ backEnds: 'leveldb' }, /--back-ends names "leveldb"/],
  [{ parts: 'all' }, /--parts names "all"; known are table, list/],
  [{ delay: '0' }, /--delay: a value is "0"/],
  [{ delay: '5', storage: 'none' }, /--delay needs storage with a delay/],
  [{ launches: '0' }, /--launches is "0"/],
] as const)('%o is refused by its rule', (changed, rule) => {
  const { problems } = read(changed);
  expect(problems.join('\n')).toMatch(rule);
});

test('all problems are told at once', () => {
  expect(read({ sizes: '0', time: '-1', caches: 'flash' }).problems).toHaveLength(3);
});

test('fractions of a second are times, and lists are sorted', () => {
  const { options, problems } = read({ time: '0.5', sizes: '1024,50', delay: '20,5' });
  expect(problems).toEqual([]);
  expect(options).toMatchObject({ timeMs: 500, sizesBytes: [50, 1024], delaysMs: [5, 20] });
});
