import { madeUpBase } from '@cachescope/model/fixtures/made-up-base.ts';
import { recompressFeatures } from '@cachescope/model/features/presets.ts';
import type { JudgePlay } from '@cachescope/model/judge/play.ts';
import type { JudgeRun } from '@cachescope/model/judge/run.ts';
import type { RunDocument } from '@cachescope/model/run/run.ts';

/** One situation of each outcome; in the last only the candidate has wrong bytes. */
export function judge(): RunDocument {
  const hit = {
    page: ['200 whole', '200 whole'],
    timing: ['network', 'cache'],
    origin: ['GET 200'],
  };
  const miss = { ...hit, timing: ['network', 'network'], origin: ['GET 200', 'GET 200'] };
  const wrong = { ...hit, page: ['200 whole', '200 WRONG BYTES'] };
  const situations = {
    'same, on both sides': { topic: 'ranges', stock: [hit, hit], fix: [hit, hit] },
    'a miss for a hit': { topic: 'ranges', stock: [hit, hit], fix: [miss, miss] },
    'a side that varies': { topic: 'readers', stock: [hit, miss], fix: [hit, hit] },
    'wrong bytes': { topic: 'readers', stock: [hit, hit], fix: [wrong, hit] },
  };
  const plays = Object.entries(situations).flatMap(([situation, { topic, ...sides }]) =>
    Object.entries(sides).flatMap(([variant, accounts]) =>
      accounts.map((account, round): JudgePlay => ({
        ...account,
        round,
        variant,
        situation,
        topic,
        violations: account === wrong ? ['wrong-bytes'] : [],
        tookMs: 12,
        takenAt: '2026-11-20T23:00:00Z',
      })),
    ),
  );
  const evidence = (variant: string, storedBytes: number) => ({
    variant,
    version: 'Chrome/156.0.8078.79',
    programSha256: '00',
    backEnd: 'simple' as const,
    unknownNames: [],
    databases: [],
    histograms: {},
    decodedBytes: 1_000_000,
    storedBytes,
  });
  const run: JudgeRun = {
    ...madeUpBase(),
    experiment: 'judge',
    commandLine: ['judge', '--features', 'recompress', '--rounds', '2'],
    plan: {
      variants: [{ name: 'stock' }, { name: 'fix', enabledFeatures: [...recompressFeatures] }],
      situations: [...Object.keys(situations), 'never played'],
      rounds: 2,
      seed: 1,
    },
    evidence: [evidence('stock', 1_000_500), evidence('fix', 200_000)],
  };
  return { run, plays };
}
