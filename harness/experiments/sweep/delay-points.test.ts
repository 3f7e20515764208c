import { expect, test } from 'vitest';
import { type RawDelays, readDelays } from './options.ts';

function read(raw: Partial<RawDelays>): { delaysMs: number[]; problems: string[] } {
  const problems: string[] = [];
  const words = { start: '1', end: '50', increment: '10', ranged: false, ...raw };
  return { delaysMs: readDelays(words, problems), problems };
}

test('a range includes its end only when a step falls on it', () => {
  expect(read({}).delaysMs).toEqual([1, 11, 21, 31, 41]);
  expect(read({ start: '0', end: '10', increment: '5' }).delaysMs).toEqual([0, 5, 10]);
  expect(read({ start: '0', end: '0.3', increment: '0.1' }).delaysMs).toEqual([0, 0.1, 0.2, 0.3]);
});

test('a list is sorted', () => {
  expect(read({ delays: '10, 0,2.5' })).toEqual({ delaysMs: [0, 2.5, 10], problems: [] });
});

test.each([
  [{ delays: '1,1' }, /twice/],
  [{ delays: '1,x' }, /--delays is "x"/],
  [{ delays: '' }, /--delays is ""/],
  [{ delays: '1,20000' }, /from 0ms to 10000ms/],
  [{ delays: '1', ranged: true }, /exclude each other/],
  [{ start: '5', end: '1' }, /below start/],
  [{ start: '0', end: '10', increment: '0.001' }, /at most 1000/],
  [{ increment: '0' }, /increment is "0"/],
])('%j is rejected with the rule', (raw, rule) => {
  expect(read(raw).problems.join('\n')).toMatch(rule);
});
