import { expect, test } from 'vitest';
import { madeUpBase } from '../fixtures/made-up-base.ts';
import type { RunBase } from './base.ts';
import { joinedLoad, type MachineLoad, meanLoad } from './machine-load.ts';
import { tallyOf } from './tally.ts';
import { tooBusy } from './trust-aspects.ts';
import { trustedFinding, trustOf, trustOfRuns, trustText } from './trust.ts';

const quiet: MachineLoad = {
  startedAt: '2026-11-20T23:00:00Z',
  spanMs: 1000,
  measuringMs: 500,
  othersShare: 0.01,
  stealShare: 0,
  cpuPressure: 0.05,
  memoryPressure: 0,
  loadAverage: 0.4,
  clockJumpMs: 0,
};
const busy = { ...quiet, othersShare: 0.9, loadAverage: 5 };

const check = { id: 'turbo', status: 'ok', what: 'Turbo is off', why: '', todo: null } as const;

/** A run of a checked, quiet machine, with these fields. */
function runWith(fields: Partial<RunBase> = {}): RunBase {
  return { ...madeUpBase(), machine: { before: [check] }, machineLoad: [quiet], ...fields };
}

/** Readings of one cell: four in each of three launches, times `factor` in the second half. */
function tallyWith({ factor = 1, flagged = 0 } = {}) {
  const lines = Array.from({ length: 12 }, (_, at) => ({
    cell: 'a',
    launch: Math.floor(at / 4),
    value: 10 * (at < 6 ? 1 : factor),
    isFlagged: at < flagged,
  }));
  return tallyOf(lines, (line) => line);
}

const gradeOf = (run: RunBase, tally = tallyWith()) => trustOf(run, tally).grade;

test('a quiet run with everything recorded is good', () => {
  expect(trustOf(runWith(), tallyWith())).toMatchObject({ grade: 'good', inconclusive: null });
});

test('a run before the load was recorded opens, names what is unknown, and is never good', () => {
  const { grade, reasons, inconclusive } = trustOf(madeUpBase(), tallyWith());
  expect(grade).toBe('fair');
  expect(inconclusive).toBeNull();
  const unknown = reasons.filter((reason) => reason.grade === 'unknown');
  expect(unknown.map(({ aspect }) => aspect)).toEqual(['load', 'checks']);
  expect(trustText({ grade, reasons, inconclusive })).toBe(
    'fair: the load during the run was not recorded; the machine was not checked',
  );
});

test('a part that the kernel does not report is unknown, not 0', () => {
  const run = runWith({ machineLoad: [quiet, { ...quiet, cpuPressure: null }] });
  expect(trustOf(run, tallyWith()).reasons).toContainEqual(
    expect.objectContaining({ aspect: 'cpuPressure', grade: 'unknown' }),
  );
  expect(gradeOf(run)).toBe('fair');
});

test('a busy machine makes a run poor, also when it was quiet at the start', () => {
  const run = runWith({ machineLoad: [quiet, busy, busy, busy] });
  const trust = trustOf(run, tallyWith());
  expect(trust).toMatchObject({ grade: 'poor', inconclusive: 'the machine was busy' });
  expect(trustedFinding(trust, ['A is faster than B.'])).toEqual([
    'Inconclusive: the machine was busy (other programs used 67.8 % of the processors’ time). The values have no verdicts.',
  ]);
  expect(tooBusy([quiet, busy, busy, busy])).toContain('67.8 %');
  expect(tooBusy([quiet])).toBeNull();
  expect(tooBusy([])).toBeNull();
});

test.each<[string, Partial<RunBase>, string]>([
  ['steal', { machineLoad: [{ ...quiet, stealShare: 0.2 }] }, 'poor'],
  ['waiting for memory', { machineLoad: [{ ...quiet, memoryPressure: 0.2 }] }, 'poor'],
  ['a jump of the clock', { machineLoad: [{ ...quiet, clockJumpMs: -3_600_000 }] }, 'fair'],
  ['a warning of a check', { machine: { before: [{ ...check, status: 'warning' }] } }, 'fair'],
  [
    'a warning after the run',
    { machine: { before: [check], after: [{ ...check, status: 'warning' }] } },
    'fair',
  ],
  ['a refusal of a check', { machine: { before: [{ ...check, status: 'refused' }] } }, 'poor'],
])('%s', (_, fields, grade) => {
  expect(gradeOf(runWith(fields))).toBe(grade);
});

test('a load at the start counts only where the load of the run is unknown otherwise', () => {
  const load = { ...check, id: 'load', status: 'warning' } as const;
  expect(gradeOf(runWith({ machine: { before: [check, load] } }))).toBe('good');
});

test('flagged measurements, few launches and drift', () => {
  expect(gradeOf(runWith(), tallyWith({ flagged: 1 }))).toBe('fair');
  const poor = trustOf(runWith(), tallyWith({ flagged: 4 }));
  expect(poor.inconclusive).toBe('too many measurements were flagged');
  expect(gradeOf(runWith(), tallyWith({ factor: 1.1 }))).toBe('good');
  expect(gradeOf(runWith(), tallyWith({ factor: 1.3 }))).toBe('fair');
  expect(gradeOf(runWith(), tallyWith({ factor: 1 / 1.3 }))).toBe('fair');
  const two = tallyOf([1, 2, 3, 4, 5, 6, 7, 8], (at) => {
    return { cell: 'a', launch: at % 2, value: 10, isFlagged: false };
  });
  expect(trustText(trustOf(runWith(), two))).toBe('fair: 2 launches of each');
});

test('a merged run is as poor as its worst machine', () => {
  const shard = (machineLoad?: MachineLoad[]) => ({ ...runWith(), machineLoad });
  const merged = (...shards: object[]) => ({ ...madeUpBase(), merged: { shards } }) as RunBase;
  expect(gradeOf(merged(shard([quiet]), shard([quiet])))).toBe('good');
  expect(gradeOf(merged(shard([quiet]), shard([busy])))).toBe('poor');
  expect(gradeOf(merged(shard([quiet]), shard()))).toBe('fair');
});

test('a comparison is as poor as the worse of its runs', () => {
  const good = trustOf(runWith(), tallyWith());
  const poor = trustOf(runWith({ machineLoad: [busy] }), tallyWith());
  const of = (...all: (typeof good | undefined)[]) =>
    trustOfRuns(all.map((trust, at) => ({ name: 'AB'[at] ?? '', trust })));
  expect(of(good, good)).toMatchObject({ grade: 'good' });
  expect(of(good, poor)).toMatchObject({ grade: 'poor', inconclusive: 'the machine was busy' });
  expect(trustText(of(good, poor))).toBe(
    'poor: B: other programs used 90 % of the processors’ time',
  );
  expect(of(good, undefined)).toMatchObject({ grade: 'fair' });
});

test('shares are averaged over the time inside measurements, and joined spans keep the average', () => {
  const short = { ...busy, measuringMs: 100 };
  expect(meanLoad([quiet, short], 'othersShare')).toBeCloseTo((500 * 0.01 + 100 * 0.9) / 600);
  expect(joinedLoad(quiet, short).othersShare).toBe(meanLoad([quiet, short], 'othersShare'));
  const outside = { ...busy, measuringMs: 0, spanMs: 3000 };
  expect(meanLoad([quiet, outside], 'othersShare')).toBe(0.01);
  expect(meanLoad([{ ...quiet, measuringMs: 0 }, outside], 'othersShare')).toBeCloseTo(
    (0.01 + 3 * 0.9) / 4,
  );
  expect(meanLoad([], 'othersShare')).toBeNull();
});
