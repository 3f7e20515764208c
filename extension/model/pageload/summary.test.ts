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

const level = (times: readonly PageLoad[]) =>
  Math.exp(times.reduce((sum, { loadMs }) => sum + Math.log(loadMs ?? 0), 0) / times.length);

test('a cell has its level over launches, with an interval', () => {
  const [figure] = summarizePageload(run, empty).figures;
  expect(figure).toMatchObject({ loads: 7, flagged: 0 });
  expect(figure?.loadMs).toBeCloseTo(level(empty), 9);
  // 2.447 (t, 6 degrees of freedom) times the standard error 2.16 / √7 is 2.0.
  expect(figure?.lowMs).toBeCloseTo(99, 1);
  expect(figure?.highMs).toBeCloseTo(103, 1);
  expect(figure).toMatchObject({ asked: 3, sentBytes: 900, deviceReads: null, shown: 2 });
  expect(figure?.sources).toEqual([{ source: 'network', count: 3 }]);
});

test('a flagged load is counted and excluded from the statistics', () => {
  const flagged = madeUpLoad({}, { loadMs: 9999, sequence: 9, flags: ['origin-touched'] });
  const { figures, counts } = summarizePageload(run, [...empty, flagged]);
  expect(figures[0]).toMatchObject({ loads: 8, flagged: 1 });
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
  expect(verdicts[0]?.differenceMs).toBeCloseTo(level(warm) - level(empty), 9);
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
