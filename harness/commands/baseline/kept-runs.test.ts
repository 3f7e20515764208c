import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { busyMachine } from '@cachescope/model/fixtures/busy-machine.ts';
import { madeUpRun } from '@cachescope/model/fixtures/made-up-run.ts';
import { trendOf, trendSentences } from '@cachescope/model/compare/run-history.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  baselineNames,
  keepRun,
  type KeptRun,
  keptRuns,
  nameProblems,
  runsBesides,
  sideOfKept,
} from './kept-runs.ts';
import { readRunDirectory } from '../../results/run-directory.ts';
import { listText } from './command.ts';

// Files of a run can be larger than what is read at once.
vi.mock('@cachescope/origin/foreign-file.ts', async (original) => ({
  ...(await original<object>()),
  readForeignFile() {
    throw new Error('the file is too large');
  },
}));

let base: string;
let folder: string;

/** A saved run of the given day, slower by a factor. */
function saved(day: number, factor: number, change: object = {}): string {
  const { run, samples } = madeUpRun(6);
  const path = join(base, `run-${day}`);
  mkdirSync(path);
  const startedAt = `2026-10-${String(day).padStart(2, '0')}T01:00:00.000Z`;
  writeFileSync(join(path, 'run.json'), JSON.stringify({ ...run, startedAt, ...change }));
  writeFileSync(join(path, 'report.html'), 'derived');
  const lines = samples.map((sample, index) =>
    // Runs differ slightly from one another, each in a different way.
    JSON.stringify({ ...sample, readMs: sample.readMs * factor * (1 + ((index * day) % 7) / 500) }),
  );
  writeFileSync(join(path, 'samples.ndjson'), `${lines.join('\n')}\n`);
  return path;
}

beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), 'cs-baseline-'));
  folder = join(base, 'baselines');
});
afterAll(() => rmSync(base, { recursive: true }));

test('runs are kept in order, without derived files, and a change in them is found', async () => {
  for (const day of [1, 2, 3, 4, 5]) await keepRun(folder, 'nightly', saved(day, 1), []);
  for (const day of [10, 9, 8, 7, 6]) await keepRun(folder, 'nightly', saved(day, 1.3), []);
  const kept = await keptRuns(folder, 'nightly', 30);
  expect(kept.map(({ document }) => document.run.startedAt.slice(8, 10))).toEqual([
    '01',
    '02',
    '03',
    '04',
    '05',
    '06',
    '07',
    '08',
    '09',
    '10',
  ]);
  expect(readdirSync(kept[0]?.path ?? '').toSorted()).toEqual(['run.json', 'samples.ndjson']);
  const runs = kept.map((run) => ({
    startedAt: run.document.run.startedAt,
    side: sideOfKept(run, 'readMs'),
  }));
  const trend = trendOf('nightly', runs);
  expect(trend.changePoints.map(({ at }) => at)).toEqual([5]);
  expect(trendSentences(trend)[0]).toMatch(
    /^Change point at the run of 2026-10-06 01:00 \(p = 0\.\d+\): .*\+(29|30|31)/,
  );
  expect(trendSentences(trendOf('nightly', runs.slice(0, 7)))[0]).toContain(
    '7 runs: change points need at least 8 runs',
  );
  expect(listText(folder, [{ name: 'nightly', runs: kept }])).toContain('2026-10-10 01:00');
});

test('only this user can read a run that is kept', async () => {
  const from = saved(19, 1);
  chmodSync(join(from, 'run.json'), 0o644);
  const path = await keepRun(join(base, 'private'), 'nightly', from, []);
  const modes = [path, join(path, 'run.json'), join(path, 'samples.ndjson')].map(
    (each) => statSync(each).mode & 0o777,
  );
  expect(modes).toEqual([0o700, 0o600, 0o600]);
});

test('a run is kept only once', async () => {
  await expect(keepRun(folder, 'nightly', join(base, 'run-1'), [])).rejects.toMatchObject({
    code: 'CS_BASELINE',
    exitCode: 2,
  });
});

test('a run that was saved is compared with the other runs, not with itself', async () => {
  const kept = await keptRuns(folder, 'nightly', 3);
  const path = join(base, 'run-10');
  const run = { path, document: await readRunDirectory(path) };
  const starts = (runs: readonly KeptRun[]) => runs.map(({ document }) => document.run.startedAt);
  expect(starts(runsBesides(run, kept))).toEqual([
    '2026-10-08T01:00:00.000Z',
    '2026-10-09T01:00:00.000Z',
  ]);
  expect(() => runsBesides(run, kept.slice(-1))).toThrow(
    expect.objectContaining({ code: 'CS_BASELINE', exitCode: 2 }),
  );
});

test('a run of another machine is refused, unless the difference is named; nothing is written', async () => {
  const { environment } = madeUpRun(1).run;
  const other = saved(20, 1, { environment: { ...environment, cpu: 'Another CPU' } });
  await expect(keepRun(folder, 'nightly', other, [])).rejects.toMatchObject({
    code: 'CS_RUNS_NOT_ALIKE',
    exitCode: 3,
  });
  await expect(keepRun(folder, 'nightly', other, ['machin'])).rejects.toThrow(
    /--across names machin; the conditions are chromium, .*machine/,
  );
  expect(readdirSync(join(folder, 'nightly'))).toHaveLength(10);
  await keepRun(folder, 'nightly', other, ['machine']);
  expect(readdirSync(join(folder, 'nightly'))).toHaveLength(11);
});

test('a run that is not complete is refused, and creates no baseline', async () => {
  const partial = saved(21, 1, { status: 'partial' });
  await expect(keepRun(folder, 'new', partial, [])).rejects.toMatchObject({
    code: 'CS_BASELINE',
    hint: `Complete it: npm run sweep -- --resume ${partial}`,
  });
  const merged = saved(22, 1, { status: 'partial', merged: { shards: [] } });
  await expect(keepRun(folder, 'new', merged, [])).rejects.toMatchObject({
    code: 'CS_BASELINE',
    hint: expect.stringContaining(`npm run merge -- ${merged}`),
  });
  expect(baselineNames(folder)).toEqual(['nightly']);
});

test('a poor run is refused, unless the user says so', async () => {
  const poor = saved(23, 1, { machineLoad: [busyMachine] });
  await expect(keepRun(folder, 'poor', poor, [])).rejects.toMatchObject({
    code: 'CS_BASELINE',
    message: expect.stringContaining('is poor: the machine was busy'),
    hint: expect.stringContaining('--poor'),
  });
  expect(baselineNames(folder)).toEqual(['nightly']);
  await keepRun(folder, 'poor', poor, [], true);
  rmSync(join(folder, 'poor'), { recursive: true });
});

test('a missing baseline is reported, with the existing ones', async () => {
  await expect(keptRuns(folder, 'other', 30)).rejects.toMatchObject({
    code: 'CS_BASELINE',
    hint: 'It has nightly.',
  });
});

test.each(['', '../x', '.hidden', '-x', 'a/b', 'x'.repeat(65)])(
  '%j is not a valid name',
  (name) => {
    expect(nameProblems(name)).toHaveLength(1);
  },
);
