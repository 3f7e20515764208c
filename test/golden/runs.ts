import { compareSides } from '@cachescope/model/compare/build.ts';
import { sideOf } from '@cachescope/model/compare/side.ts';
import { explainedSweep } from '@cachescope/model/fixtures/explain.ts';
import { madeUpFillRun, madeUpQuestion, madeUpTrial } from '@cachescope/model/fixtures/fill.ts';
import { madeUpBase } from '@cachescope/model/fixtures/made-up-base.ts';
import { madeUpExplore } from '@cachescope/model/fixtures/made-up-explore.ts';
import { madeUpMachines } from '@cachescope/model/fixtures/made-up-machines.ts';
import { madeUpRun } from '@cachescope/model/fixtures/made-up-run.ts';
import { madeUpTraced } from '@cachescope/model/fixtures/made-up-traced.ts';
import { madeUpSlice } from '@cachescope/model/fixtures/micro.ts';
import { madeUpLoad, madeUpPage } from '@cachescope/model/fixtures/pageload.ts';
import {
  madeUpPass,
  madeUpReclaimRun,
  madeUpReclaimWindow,
} from '@cachescope/model/fixtures/reclaim.ts';
import type { FillSystem } from '@cachescope/model/fill/plan.ts';
import type { MicroRun } from '@cachescope/model/micro/run.ts';
import type { MicroCell } from '@cachescope/model/micro/slice.ts';
import type { PageloadRun } from '@cachescope/model/pageload/run.ts';
import type { PageCell } from '@cachescope/model/pageload/load.ts';
import type { Experiment, RunDocument } from '@cachescope/model/run/run.ts';
import type { StoringReading, StoringRun } from '@cachescope/model/storing/run.ts';
import type { SweepRunDocument } from '@cachescope/model/sweep/run.ts';
import type { TransferRun } from '@cachescope/model/transfer/run.ts';
import type { TransferSample } from '@cachescope/model/transfer/sample.ts';

/** Small generated runs, one or more of every experiment, that fill each of its outputs. Not measured. */
export const runs: Readonly<
  Record<Experiment | 'explain' | 'machines' | 'profile', () => RunDocument>
> = {
  sweep: () => ({
    ...smallSweep(madeUpRun(6, [], true)),
    traced: [madeUpTraced('br', 0, 2), madeUpTraced('br', 5, 3), madeUpTraced('dcb', 5, 9)],
  }),
  profile: () => withProfile(smallSweep(madeUpRun(20))),
  machines: () => smallSweep(madeUpMachines(3)),
  explain: () => ({
    ...explainedSweep({ delaysMs: [0, 5, 20], sizes: [1_048_576] }),
    traced: [
      madeUpTraced('br', 5, 5, { cell: cellOf('br') }),
      madeUpTraced('dcb', 5, 11, { cell: cellOf('dcb') }),
    ],
  }),
  explore: madeUpExplore,
  comparison: compared,
  micro,
  pageload,
  fill,
  transfer,
  reclaim,
  storing,
};

function cellOf(arm: 'br' | 'dcb') {
  return { arm, storage: 'nbd-delay', delayMs: 5, workload: 'big' } as const;
}

const fewDelaysMs = [0, 4, 7, 10];

/** The same sweep with fewer delays. */
function smallSweep({ run, samples }: SweepRunDocument): SweepRunDocument {
  return {
    run: {
      ...run,
      plan: { ...run.plan, delaysMs: fewDelaysMs },
      proofs: run.proofs.filter(({ requestedDelayMs }) => fewDelaysMs.includes(requestedDelayMs)),
    },
    samples: samples.filter(({ cell }) => fewDelaysMs.includes(cell.delayMs)),
  };
}

/** The reads at 4 ms once more, as if their delays came from a latency profile. */
function withProfile({ run, samples }: SweepRunDocument): SweepRunDocument {
  const drawn = samples
    .filter(({ cell }) => cell.storage !== 'none' && cell.delayMs === 4)
    .map((sample, index) => ({
      ...sample,
      sequence: samples.length + index,
      cell: { ...sample.cell, delayMs: 0, profile: 'disk' },
    }));
  const read = { kind: 'constant', ms: 4 } as const;
  return {
    run: {
      ...run,
      plan: { ...run.plan, profile: { name: 'disk', source: 'made up', read } },
      profileReads: [{ timesMs: Array.from({ length: 100 }, () => 4.42), takenAt: run.startedAt }],
    },
    samples: [...samples, ...drawn],
  };
}

function compared(): RunDocument {
  const before = smallSweep(madeUpRun(8));
  const after = {
    ...before,
    samples: before.samples.map((sample) => ({ ...sample, readMs: sample.readMs * 1.2 })),
  };
  const [first, second] = [before, after].map((run, at) =>
    sideOf(`results/${at}`, { run }, {}, undefined),
  );
  if (!first || !second || 'problems' in first || 'problems' in second) throw new Error('sides');
  const head = { ...before.run, commandLine: ['compare', 'results/0', 'results/1'] };
  const found = compareSides(first.value, second.value, { isOneRun: false }, head);
  if ('problems' in found) throw new Error(found.problems.join('; '));
  return found.value;
}

function micro(): RunDocument {
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
    [{ state: 'relaunched', storage: 'nbd-delay', delayMs: 5 }, 40_000],
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

function pageload(): RunDocument {
  const times: [Partial<PageCell>, number][] = [
    [{}, 100],
    [{ state: 'warm' }, 50],
    [{ state: 'cold' }, 80],
    [{ arm: 'dictionary' }, 100],
    [{ arm: 'dictionary', state: 'cold', storage: 'nbd-delay', delayMs: 5 }, 160],
    [{ state: 'cold', storage: 'nbd-delay', delayMs: 5 }, 120],
  ];
  const pageloads = times
    .flatMap(([cell, ms]) =>
      Array.from({ length: 5 }, (_, pass) =>
        madeUpLoad(cell, {
          loadMs: ms + pass,
          pass,
          ...(cell.storage && {
            device: { reads: 40 + pass, readBytes: 2_000_000, writes: 0, writtenBytes: 0 },
          }),
          ...(pass === 4 && cell.state === 'warm' && { flags: ['origin-touched' as const] }),
        }),
      ),
    )
    .map((load, sequence) => ({ ...load, sequence, launch: sequence }));
  const run: PageloadRun = {
    ...madeUpBase(),
    experiment: 'pageload',
    plan: {
      states: ['empty', 'warm', 'cold'],
      arms: ['plain', 'dictionary'],
      storage: 'nbd-delay',
      delaysMs: [5],
      passes: 5,
      serverDelayMs: 0,
      seed: 1,
      margin: 0.02,
    },
    page: madeUpPage,
    stored: [
      { arm: 'plain', entries: 2, storedBytes: 4000 },
      { arm: 'dictionary', entries: 2, storedBytes: 9000 },
    ],
    notes: ['1 resource of another site is left out.'],
  };
  return { run, pageloads };
}

function fill(): RunDocument {
  const systems: FillSystem[] = [
    'origin',
    'nginx-pass',
    'nginx-lock',
    'edge-stream',
    'browser-tabs',
  ];
  const base = madeUpFillRun(systems);
  const waits = { 'nginx-pass': 520, 'nginx-lock': 900, 'edge-stream': 480 } as const;
  const trials = systems.flatMap((system, place) =>
    [0, 1, 2].map((round) =>
      madeUpTrial(system, {
        round,
        sequence: 3 * place + round,
        each: {
          byteWaitMs: (waits[system as keyof typeof waits] ?? 500) + round,
          ...(system === 'browser-tabs' && round === 0 && { flag: 'cut-off' as const }),
        },
      }),
    ),
  );
  const questions = [
    madeUpQuestion('together', [{}, {}]),
    madeUpQuestion('attach', [{}, { startMs: 1500 }], [0, 1500]),
  ];
  return {
    run: {
      ...base,
      plan: { ...base.plan, rounds: 3, questions: ['together', 'attach'] },
      unavailable: [{ what: 'nginx-tempfiles', why: 'there is no patched nginx' }],
    },
    lines: [...trials, ...questions.map((each, at) => ({ ...each, sequence: 100 + at }))],
  };
}

function transfer(): RunDocument {
  const sizesBytes = [1, 5, 35, 100, 300, 1000].map((kb) => kb * 1000);
  const samples = (['chromium', 'node'] as const).flatMap((client) =>
    (['h1', 'h2'] as const).flatMap((protocol) =>
      sizesBytes.flatMap((responseBytes) =>
        Array.from({ length: 12 }, (_, index): Omit<TransferSample, 'sequence'> => {
          const isSlow = protocol === 'h2' && client === 'chromium' && responseBytes >= 300_000;
          const ms = (10 + responseBytes / 1e6) * (isSlow ? 2 : 1) * (1 + (index % 5) / 200);
          return {
            launch: index % 3,
            takenAt: '2026-11-20T23:00:00Z',
            cell: { client, protocol, connection: 'warm', responseBytes },
            totalMs: ms,
            connectMs: 0,
            waitMs: ms / 2,
            downloadMs: ms / 4,
            protocolName: null,
            bodyBytes: responseBytes,
            originConnection: 1,
            originRequest: 2,
            originMs: null,
            flags: index === 0 ? ['opened-connection'] : [],
          };
        }),
      ),
    ),
  );
  const run: TransferRun = {
    ...madeUpBase(),
    experiment: 'transfer',
    link: { kind: 'loopback', host: '127.0.0.1', emulatedRoundTripMs: null },
    roundTrips: [
      { takenAt: '2026-11-20T23:00:00Z', tcpConnectMs: [5, 5, 5], emptyRequestMs: [10, 10, 10] },
    ],
    plan: {
      clients: ['chromium', 'node'],
      protocols: ['h1', 'h2'],
      connections: ['warm'],
      sizesBytes,
      requestBytes: 800,
      requestsPerCell: 12,
      launches: 3,
      serverDelayMs: 0,
      seed: 1,
      margin: 0.02,
    },
    timeSpent: { totalMs: 9000, measuringMs: 3000 },
  };
  return { run, samples: samples.map((sample, sequence) => ({ ...sample, sequence })) };
}

function reclaim(): RunDocument {
  const windows = Array.from({ length: 24 }, (_, second) =>
    madeUpReclaimWindow(second, {
      latencyMs: second === 12 ? 4 : 1,
      entries: second < 12 ? 500 + 40 * second : 700,
      bytes: second === 3 ? null : 512_000,
    }),
  );
  const example = { key: '/7', bytes: 1024, ageMs: 9000, idleMs: 4000, uses: 3 };
  return {
    run: madeUpReclaimRun({ timeMs: 24_000 }),
    lines: [
      ...windows,
      madeUpPass(12_500, { examples: [example, { ...example, key: '/8', bytes: null }] }),
      {
        kind: 'cpu-profile',
        sequence: 20_000,
        atMs: 5000,
        spanMs: 2000,
        shares: [
          { module: 'node:zlib', functions: [{ name: 'brotli', share: 0.4 }], share: 0.5 },
          { module: '(idle)', functions: [{ name: '(idle)', share: 0.3 }], share: 0.3 },
        ],
      },
    ],
  };
}

function storing(): RunDocument {
  const cells: [Partial<StoringReading>, stock: number | null, fix: number | null][] = [
    [{}, 10, 15],
    [{ bytes: 1_048_576 }, 40, 40],
    [{ measure: 'memory' }, 2 ** 20, null],
    [{ measure: 'stored' }, 1024, 330],
    [{ measure: 'entries' }, 9, 30],
    [{ measure: 'hit-rate' }, 0.345, 0.35],
  ];
  const readings = cells
    .flatMap(([cell, ...values]) =>
      ['stock', 'fix'].flatMap((variant, side) =>
        Array.from({ length: 6 }, (_, pass): Omit<StoringReading, 'sequence'> => {
          const value = values[side] ?? null;
          return {
            pass,
            variant,
            measure: 'load-time',
            body: 'text',
            bytes: 1024,
            coding: 'dcb',
            values: value === null ? [] : [value * (1 + pass / 500)],
            takenAt: '2026-11-20T23:00:00Z',
            flags: value === null ? ['unknown'] : [],
            ...cell,
          };
        }),
      ),
    )
    .map((reading, sequence) => ({ ...reading, sequence }));
  const run: StoringRun = {
    ...madeUpBase(),
    experiment: 'storing',
    plan: {
      variants: [{ name: 'stock' }, { name: 'fix' }],
      codings: ['dcb'],
      sizesBytes: [1024, 1_048_576],
      bodies: ['text'],
      tenBytes: 1024,
      limitBytes: 1_048_576,
      launches: 6,
      seed: 1,
    },
  };
  return { run, readings };
}
