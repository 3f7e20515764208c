import { madeUpRun } from '@cachescope/model/fixtures/made-up-run.ts';
import { expect, test } from 'vitest';
import { digits } from '../quantity.ts';
import { singleSeriesSentences } from './single-series.ts';
import { summarize } from './summary.ts';

const { run, samples } = madeUpRun(8);
const ofBrotli = samples.filter(({ cell }) => cell.arm === 'br');
const sentencesOf = (some: typeof samples) => singleSeriesSentences(summarize(run, some).points);

test('a sweep of one series says how long a read takes, at the largest delay and on ordinary storage', () => {
  const { points } = summarize(run, ofBrotli);
  const [slow, control] = singleSeriesSentences(points);
  const { measuredDelayMs, arms } = points.at(-1) ?? expect.fail('no point');
  const [br] = arms;
  const told = [measuredDelayMs?.p50, br?.medianMs, br?.lowMs, br?.highMs];
  const [delay, read, low, high] = told.map((ms) => digits(ms ?? null));
  expect(slow).toBe(
    `At 10 ms of read delay (measured ${delay} ms) a cached Brotli read takes ${read} ms (95 % interval ${low} to ${high}).`,
  );
  expect(control).toMatch(
    /^On ordinary storage \(the control\) a cached Brotli read takes \S+ ms \(95 % interval \S+ to \S+\)\.$/,
  );
});

test('with few samples the interval is unknown', () => {
  const { run: short, samples: few } = madeUpRun(3);
  const ofOne = few.filter(({ cell, launch }) => cell.arm === 'br' && launch === few[0]?.launch);
  const { points } = summarize(short, ofOne);
  for (const sentence of singleSeriesSentences(points))
    expect(sentence).toContain('(interval unknown)');
});

test('nothing for several series, which are compared, or without a read from the slow device', () => {
  expect(sentencesOf(samples)).toEqual([]);
  expect(sentencesOf(ofBrotli.filter(({ cell }) => cell.storage === 'none'))).toEqual([]);
});
