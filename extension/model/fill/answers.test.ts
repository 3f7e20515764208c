import { expect, test } from 'vitest';
import { answersTo } from './answers.ts';
import { madeUpQuestion } from '../fixtures/fill.ts';
import { fillQuestions } from './question.ts';
import type { FillRequest } from './trial.ts';

test('readers that start together: those that wait are counted', () => {
  const question = madeUpQuestion('together', [{}, {}, { firstByteMs: 2900 }]);
  expect(answersTo(question, []).join(' ')).toContain(
    '1 of them got the first byte more than 200 ms after the first',
  );
});

test('the lock timeout is the time at which the origin received the second request', () => {
  const given = madeUpQuestion('lock-timeout', [{}, { firstByteMs: 43_000 }], [0, 20_100]);
  expect(answersTo(given, [])[0]).toContain(
    'asked the origin itself 20.1 s after the first reader',
  );
  const kept = madeUpQuestion('lock-timeout', [{}, {}]);
  expect(answersTo(kept, [])[0]).toContain('a second reader waits for them');
});

test('the first byte of a second reader shows whether it joined or waited', () => {
  const joined = madeUpQuestion('attach', [{}, { firstByteMs: 5 }]);
  expect(answersTo(joined, [])[0]).toContain('together with the first reader');
  const waited = madeUpQuestion('attach', [{}, { firstByteMs: 1500 }]);
  expect(answersTo(waited, [])[0]).toContain('It waited');
  const range = madeUpQuestion('range-in-whole', [{}, { firstByteMs: 1400 }]);
  expect(answersTo(range, [])[0]).toContain('after waiting for the other to finish');
  const twice = madeUpQuestion('range-twice', [{}, { firstByteMs: 30 }], [0, 200]);
  expect(answersTo(twice, [])[0]).toContain('It was not shared.');
});

test('a flagged reader is reported', () => {
  const question = madeUpQuestion('slow-disk', [{}, { flag: 'wrong-body' }]);
  expect(answersTo(question, []).at(-1)).toBe('Flagged readers: reader 2: wrong-body.');
});

const failed = { firstByteMs: null, byteWaitMs: null, bytes: 0, flag: 'failed' } as const;

test('readers that start together join a writer only if one request reached the origin', () => {
  const answer = (origin: number[], readers: Partial<FillRequest>[] = [{}, {}, {}]) =>
    answersTo(madeUpQuestion('together', readers, origin), []).join(' ');
  expect(answer([0])).toContain('(median; the last after 10 ms): readers that find an entry');
  expect(answer([0, 1, 2])).toMatch(
    /^3 readers .*: 3 requests reached .* 10 ms\): one response did not serve them all\.$/,
  );
  expect(answer([])).toMatch(/0 requests reached .* 10 ms\)\.$/);
  // One that got the whole only after the others did not join.
  expect(answer([0], [{}, {}, { firstByteMs: 2900 }])).toMatch(/the last after 2,900 ms\)\.$/);
  expect(answer([0], [{}])).not.toContain('join');
});

test('a failed reader is excluded from the statistics, and waited for nobody', () => {
  const [first, ...others] = answersTo(madeUpQuestion('together', [{}, {}, failed]), []);
  expect(first).toContain('0 of them got the first byte more than');
  expect(others).toEqual([
    'First bytes of the 2 not flagged arrived after 10 ms (median; the last after 10 ms): readers that find an entry being written join its writer.',
    'Flagged readers: reader 3: failed.',
  ]);
});

test.each(fillQuestions)('%s: without measurements only the flags are reported', (name) => {
  const flags = 'Flagged readers: reader 1: failed, reader 2: failed.';
  expect(answersTo(madeUpQuestion(name, [failed, failed], []), [])).toEqual([flags]);
  expect(answersTo(madeUpQuestion(name, [failed, failed], [0, 100]), [])).toEqual([flags]);
});

test('an unmeasured `together` is not compared with the slow disk', () => {
  const others = [madeUpQuestion('together', [failed])];
  expect(answersTo(madeUpQuestion('slow-disk', [{}]), others)[0]).not.toContain('ordinary storage');
});

test('the slow disk is compared with ordinary storage of the same machine', () => {
  const [slow, fast] = [10, 99].map((firstByteMs, place) => ({
    ...madeUpQuestion('together', [{ firstByteMs }]),
    machine: `m${place + 1}`,
  }));
  const question = { ...madeUpQuestion('slow-disk', [{}]), machine: 'm2' };
  const [answer] = answersTo(
    question,
    [slow, fast].filter((each) => each !== undefined),
  );
  expect(answer).toContain('on ordinary storage: 99 ms');
  const [alone] = answersTo(
    { ...question, machine: 'm3' },
    [slow].filter((each) => each !== undefined),
  );
  expect(alone).not.toContain('ordinary storage');
});

test('a second reader with its own request to the origin did not share the fill', () => {
  const itself = madeUpQuestion('attach', [{}, { startMs: 1500 }], [0, 1510]);
  expect(answersTo(itself, [])[0]).toMatch(
    /2 requests reached the origin\. It asked the origin itself 1\.51 s after the first reader\.$/,
  );
});

test('a second reader with an immediate request did not wait until a timeout', () => {
  const atOnce = madeUpQuestion('lock-timeout', [{}, { startMs: 100 }], [0, 105]);
  expect(answersTo(atOnce, [])[0]).toContain(
    'did not wait for the cache entry: it asked the origin itself 0.105 s after the first reader',
  );
});

test('a range that waited and was fetched again is reported as both', () => {
  const late = madeUpQuestion('range-twice', [{}, { startMs: 200 }], [0, 1500]);
  expect(answersTo(late, [])[0]).toMatch(/It was not shared, but it had to wait\.$/);
});

test.each(['attach', 'lock-timeout', 'range-in-whole'] as const)(
  '%s: when the first reader failed, nothing is concluded about the second',
  (name) => {
    const [figures, flags] = answersTo(madeUpQuestion(name, [failed, {}]), []);
    expect(figures).toMatch(/1 request reached the origin\.$/);
    expect(figures).not.toContain('waits for them');
    expect(flags).toBe('Flagged readers: reader 1: failed.');
  },
);
