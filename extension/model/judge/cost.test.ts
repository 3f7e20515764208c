import { expect, test } from 'vitest';
import { madeUpBase } from '../fixtures/made-up-base.ts';
import type { StoringReading } from '../storing/run.ts';
import type { SideEvidence } from './evidence.ts';
import { judge } from './declaration.ts';
import { gateOutcome } from './gate.ts';
import { type JudgeRun, savedJudge } from './run.ts';
import { summarizeJudge } from './summary.ts';

const variants = [{ name: 'stock' }, { name: 'flags', flags: ['--a'] }];
const evidence = (variant: string): SideEvidence => ({
  variant,
  version: 'Chrome/156',
  programSha256: 'x',
  backEnd: 'simple',
  unknownNames: [],
  databases: [],
  histograms: {},
  decodedBytes: 1,
  storedBytes: 1,
});
const run: JudgeRun = {
  ...madeUpBase(),
  experiment: 'judge',
  plan: {
    variants,
    situations: [],
    rounds: 2,
    seed: 1,
    cost: {
      variants,
      codings: ['br'],
      sizesBytes: [1024],
      bodies: ['text'],
      tenBytes: 1024,
      limitBytes: 10_240,
      launches: 6,
      seed: 1,
    },
  },
  evidence: variants.map(({ name }) => evidence(name)),
};

/** Hits of six passes up to 1 % apart, those of the candidate `factor` times as long. */
function hits(factor: number): StoringReading[] {
  return variants.flatMap(({ name }, side) =>
    Array.from({ length: 6 }, (_, pass) => ({
      sequence: 6 * side + pass,
      pass,
      variant: name,
      measure: 'hit-time' as const,
      body: 'text' as const,
      bytes: 1024,
      coding: 'br' as const,
      values: [(side === 0 ? 5 : 5 * factor) * (1 + pass / 500 + (side * pass) / 5000)],
      takenAt: '2026-01-01T00:00:00.000Z',
      flags: [],
    })),
  );
}

test.each([
  [1.1, 'COSTS MORE', 'failed'],
  [0.9, 'COSTS LESS', 'passed'],
  [1, 'SAME COST', 'passed'],
])('a candidate whose hits take %d times as long', (factor, verdict, outcome) => {
  const summary = summarizeJudge({ run, plays: hits(factor) });
  expect(summary.cost).toMatchObject({ verdict, withheld: null });
  expect(summary.verdict).toBe('NOT JUDGED');
  expect(gateOutcome('cost', summary)).toBe(outcome);
  expect(gateOutcome('conformance', summary)).toBe('unknown');
  const page = judge.page({ run, plays: hits(factor) }, summary);
  const counts = { 1.1: '1 and better in 0', 0.9: '0 and better in 1', 1: '0 and better in 0' };
  expect(page.headline).toBe(
    `${verdict}: flags is worse in ${counts[factor as 1]} of 1 comparisons.`,
  );
});

test('a candidate that is not shown to be in effect gets no verdict on its cost', () => {
  const unseen = [evidence('stock'), { ...evidence('flags'), unknownNames: ['a'] }];
  const { cost } = summarizeJudge({ run: { ...run, evidence: unseen }, plays: hits(1.1) });
  expect(cost).toMatchObject({ verdict: 'NO VERDICT', finding: [] });
  expect(cost?.rows.map(({ outcome }) => outcome)).toEqual(['UNKNOWN']);
});

test('plays and readings of one file are read back', () => {
  const plays = [
    {
      round: 0,
      variant: 'stock',
      situation: 'a',
      topic: 't',
      page: [],
      timing: [],
      origin: [],
      violations: [],
      tookMs: 1,
      takenAt: '',
    },
    ...hits(1),
  ];
  const text = plays.map((line) => JSON.stringify(line)).join('\n');
  const read = savedJudge.readParts(
    { name: 'run.json', json: run },
    { name: 'plays.ndjson', text },
  );
  expect(read).toEqual({ value: { run, plays } });
});
