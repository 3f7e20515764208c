import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { keepRound, keptRounds, measuredCommits, otherFiles, type Round } from './flake-rounds.ts';

const directory = mkdtempSync(join(tmpdir(), 'cachescope-rounds-'));
afterAll(() => rmSync(directory, { recursive: true }));

const failures = [{ name: 'a test', error: 'expected 1\nreceived 2' }];
const result = { passed: 3, failed: 1, skipped: 0, failures, durationMs: 1500 };
const round = (commit: string): Round => ({
  commit,
  busy: 2,
  report: new Map([['/test/a.e2e.test.ts', result]]),
});

test('kept rounds are read back; a line that was cut off is no round', () => {
  const path = join(directory, 'rounds.ndjson');
  expect(keptRounds(path)).toEqual([]);
  keepRound(path, round('a'));
  keepRound(path, round('b'));
  appendFileSync(path, '{"commit":"c","busy":2,"rep');
  expect(keptRounds(path)).toEqual([round('a'), round('b')]);
});

test('rounds of more or fewer files are of another measurement', () => {
  const rounds = [round('a'), round('b')];
  expect(otherFiles(rounds, ['/test/a.e2e.test.ts'])).toEqual([]);
  expect(otherFiles(rounds, ['/test/b.e2e.test.ts']).toSorted()).toEqual([
    '/test/a.e2e.test.ts',
    '/test/b.e2e.test.ts',
  ]);
  expect(otherFiles(rounds, ['/test/a.e2e.test.ts', '/test/b.e2e.test.ts'])).toEqual([
    '/test/b.e2e.test.ts',
  ]);
});

test('a round in which the runner failed may lack files', () => {
  const failed = { report: new Map([['flow', result]]) };
  expect(otherFiles([round('a'), failed], ['/test/a.e2e.test.ts'])).toEqual([]);
});

test('the summary names the commit of every round', () => {
  expect(measuredCommits([round('a')])).toBe('a in round 1');
  expect(measuredCommits(['a', 'a', 'b', 'a+', 'a+'].map(round))).toBe(
    'a in rounds 1 to 2, b in round 3, a+ in rounds 4 to 5',
  );
});
