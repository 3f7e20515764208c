import { expect, test } from 'vitest';
import { madeUpBase } from '../fixtures/made-up-base.ts';
import { gateOutcome } from './gate.ts';
import type { SideEvidence } from './evidence.ts';
import type { Account, JudgePlay, Violation } from './play.ts';
import type { JudgeRun } from './run.ts';
import { type JudgeVerdict, summarizeJudge } from './summary.ts';
import type { Variant } from '../run/variant.ts';

const hit: Account = { page: ['200 whole'], timing: ['cache'], origin: [] };
const miss: Account = { page: ['200 whole'], timing: ['network'], origin: ['GET 200'] };

function play(
  variant: string,
  round: number,
  account = hit,
  violations: Violation[] = [],
): JudgePlay {
  const names = { variant, situation: 'a', topic: 't' };
  const [page, timing, origin] = [[...account.page], [...account.timing], [...account.origin]];
  return {
    page,
    timing,
    origin,
    ...names,
    round,
    violations,
    tookMs: 1,
    takenAt: '2026-11-20T23:00:00Z',
  };
}
const both = (one: readonly JudgePlay[], other: readonly JudgePlay[]) => [...one, ...other];
const twice = (variant: string, account = hit, violations: Violation[] = []) =>
  [0, 1].map((round) => play(variant, round, account, violations));

const evidence = (variant: string, more: Partial<SideEvidence> = {}): SideEvidence => ({
  variant,
  version: 'Chrome/156.0.8078.79',
  programSha256: variant,
  backEnd: 'simple',
  unknownNames: [],
  databases: [],
  histograms: {},
  decodedBytes: 1000,
  storedBytes: 1010,
  ...more,
});

function summary(
  plays: JudgePlay[],
  candidate: Partial<JudgeRun['plan']['variants'][number]> = { browser: '/b' },
  seen: Partial<SideEvidence> = {},
) {
  const run: JudgeRun = {
    ...madeUpBase(),
    experiment: 'judge',
    plan: {
      variants: [{ name: 'stock' }, { name: 'b', ...candidate }],
      situations: ['a'],
      rounds: 2,
      seed: 1,
    },
    evidence: [evidence('stock'), evidence('b', seen)],
  };
  return summarizeJudge({ run, plays });
}

test.each([
  ['no difference', both(twice('stock'), twice('b')), 'SAME', 'same'],
  ['a steady difference', both(twice('stock'), twice('b', miss)), 'DIFFERENT', 'different'],
  [
    'a baseline that varies',
    both([play('stock', 0), play('stock', 1, miss)], twice('b', miss)),
    'SAME',
    'unsteady',
  ],
  [
    'a rule that only the candidate breaks',
    both(twice('stock'), twice('b', hit, ['lost'])),
    'BROKEN',
    'same',
  ],
  [
    'a rule that it breaks once',
    both(twice('stock'), [play('b', 0), play('b', 1, miss, ['stale-as-fresh'])]),
    'BROKEN',
    'unsteady',
  ],
  [
    'a rule that both break',
    both(twice('stock', hit, ['lost']), twice('b', hit, ['lost'])),
    'SAME',
    'same',
  ],
  ['one play of a side', both(twice('stock'), [play('b', 0)]), 'NO VERDICT', 'not played'],
  ['no play', [], 'NO VERDICT', 'not played'],
] as const)('%s', (_, plays, verdict, outcome) => {
  const found = summary([...plays]);
  expect(found.verdict).toBe(verdict);
  expect(found.rows.map((row) => row.outcome)).toEqual([outcome]);
});

test.each<[string, Partial<Variant>, Partial<SideEvidence>, JudgeVerdict]>([
  ['another back end', { diskCache: 'sql' }, { backEnd: 'sql' }, 'SAME'],
  ['a back end whose files are of another', { diskCache: 'sql' }, {}, 'NO VERDICT'],
  ['the default back end', { diskCache: 'simple' }, {}, 'NO VERDICT'],
  ['a copy of the browser', { browser: '/b' }, { programSha256: 'stock' }, 'NO VERDICT'],
  ['a known switch', { flags: ['--a'] }, {}, 'SAME'],
  ['an unknown switch', { flags: ['--a'] }, { unknownNames: ['a'] }, 'NO VERDICT'],
  ['two switches', { flags: ['--a', '--b'] }, {}, 'NO VERDICT'],
  ['no change', {}, {}, 'NO VERDICT'],
])('a candidate must be shown to be in effect: %s', (_, candidate, seen, verdict) => {
  const plays = both(twice('stock'), twice('b'));
  expect(summary(plays, candidate, seen).verdict).toBe(verdict);
});

test('a gate for safety lets a difference pass, a gate for conformance does not', () => {
  const verdicts = ['SAME', 'DIFFERENT', 'BROKEN', 'NO VERDICT'] as const;
  const outcomes = (gate: 'safety' | 'conformance') =>
    verdicts.map((verdict) => gateOutcome(gate, { verdict, cost: null }));
  expect(outcomes('safety')).toEqual(['passed', 'passed', 'failed', 'unknown']);
  expect(outcomes('conformance')).toEqual(['passed', 'failed', 'failed', 'unknown']);
});
