import { madeUpBase } from '@cachescope/model/fixtures/made-up-base.ts';
import { madeUpSlice } from '@cachescope/model/fixtures/micro.ts';
import type { MicroRun } from '@cachescope/model/micro/run.ts';
import type { MicroCell } from '@cachescope/model/micro/slice.ts';
import type { RunDocument } from '@cachescope/model/run/run.ts';

/** Every part, each cell in four launches. */
export function micro(): RunDocument {
  const bytesOf = [50, 1024, 524_288];
  const hits = (['none', 'memory', 'disk'] as const).flatMap((cache) =>
    bytesOf.map((bytes): [Partial<MicroCell>, number] => [
      cache === 'none' ? { row: 'overhead', cache, bytes: 0 } : { cache, bytes },
      (cache === 'none' ? 20 : cache === 'memory' ? 900 : 1100) + bytes / 1000,
    ]),
  );
  const cells: [Partial<MicroCell>, number][] = [
    ...hits.slice(2),
    [{ row: 'miss-query' }, 2500],
    [{ row: 'clear' }, 9000],
    [{ part: 'list', state: 'relaunched', storage: 'nbd-delay', delayMs: 5 }, 40_000],
    [{ part: 'list', cache: 'service-worker' }, 800_000],
    [{ part: 'list', cache: 'disk' }, 500_000],
    ...[0, 1000, 50_000].flatMap((entries): [Partial<MicroCell>, number][] =>
      (['present', 'absent'] as const).map((row) => [
        { part: 'search', row, backEnd: 'simple', entries },
        1000 + entries / 50,
      ]),
    ),
    ...bytesOf.flatMap((bytes): [Partial<MicroCell>, number][] => [
      [{ part: 'crossover', cache: 'disk', bytes }, 1000 + bytes / 100],
      [{ part: 'crossover', cache: 'memory', bytes }, 1000],
    ]),
  ];
  const slices = cells
    .flatMap(([cell, us]) =>
      Array.from({ length: 4 }, (_, launch) =>
        madeUpSlice(cell, { launch, batchUs: [us + launch, us + 10], counts: [50, 50] }),
      ),
    )
    .map((slice, sequence) => ({ ...slice, sequence }));
  const run: MicroRun = {
    ...madeUpBase(),
    experiment: 'micro',
    plan: {
      parts: ['table', 'list', 'search', 'crossover'],
      caches: ['none', 'memory', 'disk', 'service-worker'],
      sizesBytes: bytesOf,
      timeMs: 10_000,
      launches: 4,
      listLength: 101,
      entries: [0, 1000, 50_000],
      backEnds: ['simple'],
      storage: 'nbd-delay',
      delaysMs: [5],
      crossoverMargin: 0.1,
      seed: 1,
    },
    fills: [{ cache: 'disk', backEnd: 'simple', entries: 50_000, tookMs: 61_000 }],
    quiets: [{ after: 'disk', waitedMs: 700, entries: 101 }],
  };
  return { run, slices };
}
