import { expect, test } from 'vitest';
import { madeUpBase } from '../fixtures/made-up-base.ts';
import { madeUpLoad, madeUpPage } from '../fixtures/pageload.ts';
import type { PageCell, PageLoad } from './load.ts';
import type { PageloadRun } from './run.ts';
import { leftOutText, summarizePageload } from './summary.ts';

const run = {
  ...madeUpBase(),
  page: madeUpPage,
  stored: [],
  plan: { margin: 0.02 },
} as unknown as PageloadRun;

/** Loads with these times, each in its own launch. */
function loads(cell: Partial<PageCell>, from: number, ...timesMs: number[]): PageLoad[] {
  return timesMs.map((loadMs, index) =>
    madeUpLoad(cell, { loadMs, sequence: from + index, launch: from + index }),
  );
}

const empty = loads({}, 0, 100, 103, 101, 99, 102, 98, 104);
const warm = loads({ state: 'warm' }, 20, 50, 52, 51, 49, 53, 48, 54);
const decoded = loads({ arm: 'dictionary' }, 40, 100, 103, 101, 99, 102, 98, 104);

test('a cell has its median and the interval from order statistics', () => {
  const [figure] = summarizePageload(run, empty).figures;
  expect(figure).toMatchObject({ loads: 7, flagged: 0, loadMs: 101 });
  // Of 7 values the range covers the median in 98.4 %, the range without its ends in 87.5 % (binomial): 95 % is
  // between.
  const [low, high] = [figure?.lowMs ?? 0, figure?.highMs ?? 0];
  expect(low > 98 && low < 99 && high > 103 && high < 104).toBe(true);
  expect(figure).toMatchObject({ asked: 3, sentBytes: 900, deviceReads: null, shown: 2 });
  expect(figure?.sources).toEqual([{ source: 'network', count: 3 }]);
});

test('a flagged load is counted and excluded from the statistics', () => {
  const flagged = madeUpLoad({}, { loadMs: 9999, sequence: 9, flags: ['origin-touched'] });
  const { figures, counts } = summarizePageload(run, [...empty, flagged]);
  expect(figures[0]).toMatchObject({ loads: 8, flagged: 1, loadMs: 101 });
  expect(counts).toMatchObject({ loads: 8, used: 7, flagged: { 'origin-touched': 1 } });
  expect(leftOutText([flagged, ...empty])).toBe(
    'the origin received a request for a resource that the cache may serve (1)',
  );
});

test('cells that differ in one factor are compared: half the time is different, equal times are not', () => {
  const { verdicts, finding } = summarizePageload(run, [...empty, ...warm, ...decoded]);
  const outcomes = verdicts.map(({ of, against, outcome }) => [
    `${of.arm} ${of.state}`,
    `${against.arm} ${against.state}`,
    outcome,
  ]);
  expect(outcomes).toEqual([
    ['plain warm', 'plain empty', 'DIFFERENT'],
    ['dictionary empty', 'plain empty', 'UNKNOWN'],
  ]);
  expect(verdicts[0]?.differenceMs).toBe(-50);
  expect(verdicts[0]?.sentence).toMatch(
    /^A second load is faster than a load of an empty cache by 50\.0 ms/,
  );
  expect(finding[0]).toContain('loads in 101 ms from an empty cache and 51 ms a second time');
  expect(finding.at(-1)).toContain('1 comparison is not decided');
});

test('with dictionaries, the finding compares sent bytes and stored bytes', () => {
  const stored = [
    { arm: 'plain', entries: 3, storedBytes: 4096 },
    { arm: 'dictionary', entries: 3, storedBytes: 12_288 },
  ];
  const { finding } = summarizePageload({ ...run, stored } as PageloadRun, [...empty, ...decoded]);
  expect(finding[1]).toBe(
    'With dictionaries the origin sends 900 B instead of 900 B and the cache keeps 12 KiB instead of 4 KiB.',
  );
});

test('delays are never compared with each other', () => {
  const at = (delayMs: number, from: number) =>
    loads({ storage: 'nbd-delay', delayMs }, from, 100, 101, 102, 103, 104, 105);
  const { verdicts, figures } = summarizePageload(run, [...at(20, 0), ...at(5, 10)]);
  expect(verdicts).toEqual([]);
  expect(figures.map(({ cell }) => cell.delayMs)).toEqual([5, 20]);
});

test('without a usable load there is no finding', () => {
  const lost = madeUpLoad({}, { loadMs: null });
  expect(summarizePageload(run, [lost]).finding).toEqual([
    'There is no usable load, so there is no finding.',
  ]);
});
