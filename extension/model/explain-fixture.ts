import type { Coding } from './coding.ts';
import { createRandom } from './random.ts';
import type { Sample } from './sample.ts';
import { normalVariate } from './statistics/resampled-median.ts';
import type { PlannedWorkload, SweepRun, SweepRunDocument } from './sweep-run.ts';

/** The true law of the made-up browser: waits of a hit and its time without a delay. Not measured. */
export function trueWaits(storedBytes: number): number {
  return 3 + storedBytes / 131_072;
}

const decodeMsPerMiB: Readonly<Record<Coding, number>> = {
  identity: 0,
  gzip: 4,
  br: 5,
  zstd: 1.5,
  dcb: 0,
  dcz: 0,
};

const storedShare: Readonly<Record<Coding, number>> = {
  identity: 1,
  gzip: 0.3,
  br: 0.25,
  zstd: 0.27,
  dcb: 1,
  dcz: 1,
};

/** Without a delay: messages, bytes at 500 MB/s, decoding. */
export function trueBaseMs(arm: Coding, decodedBytes: number): number {
  const stored = decodedBytes * storedShare[arm];
  return 2 + stored / 500_000 + (decodeMsPerMiB[arm] * decodedBytes) / 1024 ** 2;
}

interface Choice {
  arms?: Coding[];
  delaysMs?: number[];
  /** Standard deviation of a read, and of a launch, as a share. */
  noise?: number;
  launchNoise?: number;
  seed?: number;
  samplesPerCell?: number;
  launches?: number;
  /** Decoded bytes of the workloads `big`, `small`. */
  sizes?: number[];
}

const takenAt = '2026-11-20T23:00:00Z';

function workload(name: string, resourceBytes: number): PlannedWorkload {
  return { name, title: name, resourceBytes, resourceSha256: '00', dictionaryBytes: resourceBytes };
}

/** A sweep of two workloads and their parts that follows the law above, with noise. */
export function explainedSweep({
  arms = ['br', 'dcb', 'zstd'],
  delaysMs = [0, 2, 5, 10, 20],
  noise = 0.02,
  launchNoise = 0.01,
  seed = 1,
  samplesPerCell = 6,
  launches = 3,
  sizes = [1_048_576, 10_240],
}: Choice = {}): SweepRunDocument {
  const random = createRandom(seed);
  const normal = normalVariate(random);
  const own = sizes.map((bytes, index) => workload(index === 0 ? 'big' : 'small', bytes));
  const parts = own.flatMap(({ name, resourceBytes }): PlannedWorkload[] => [
    {
      ...workload(`${name}.delta`, resourceBytes / 100),
      arms: ['identity'],
      part: { of: name, is: 'delta' },
    },
    {
      ...workload(`${name}.dictionary`, resourceBytes),
      arms: ['identity'],
      part: { of: name, is: 'dictionary' },
    },
  ]);
  const workloads = [...own, ...parts];
  const series = workloads.flatMap((each) =>
    (each.arms ?? arms).map((arm) => ({ arm, workload: each.name, bytes: each.resourceBytes })),
  );
  const samples: Sample[] = [];
  let launch = 0;
  for (const storage of ['none', 'nbd-delay'] as const) {
    for (const delayMs of storage === 'none' ? [0] : delaysMs) {
      for (let round = 0; round < launches; round++) {
        const ofLaunch = 1 + launchNoise * normal();
        for (let index = 0; index < samplesPerCell / launches; index++) {
          for (const { arm, workload: name, bytes } of series) {
            const stored = bytes * storedShare[arm];
            const measured = storage === 'none' ? 0 : delayMs + 0.1;
            const ms = trueBaseMs(arm, bytes) + trueWaits(stored) * measured;
            samples.push({
              sequence: samples.length,
              cell: { arm, storage, delayMs, workload: name },
              launch,
              attempt: 1,
              pass: round,
              takenAt,
              kind: 'timed',
              readMs: ms * ofLaunch * (1 + noise * normal()),
              timing: null,
              attribution: { source: 'disk', confidence: 'likely', reasons: ['made up'] },
              originRequests: 0,
              device: {
                reads: Math.ceil(trueWaits(stored)),
                readBytes: stored,
                writes: 0,
                writtenBytes: 0,
              },
              bodyBytes: bytes,
              bodySha256: '00',
              flags: [],
            });
          }
        }
        launch++;
      }
    }
  }
  const run: SweepRun = {
    schemaVersion: 1,
    tool: { name: 'cachescope', version: '0.0.0' },
    experiment: 'sweep',
    status: 'complete',
    startedAt: takenAt,
    commandLine: ['explain'],
    plan: {
      arms,
      delaysMs,
      storage: 'nbd-delay',
      delayWrites: false,
      samplesPerCell,
      launchesPerPoint: launches,
      seed: 7,
      explain: true,
      workload: own[0] as PlannedWorkload,
      workloads,
    },
    environment: {
      chromium: { version: 'Chrome/156', path: '/chromium', flags: [] },
      node: '26',
      kernel: '6',
      os: 'Linux',
      cpu: 'cpu',
      cores: 2,
      memoryBytes: 1,
      storage: 'made up, read-ahead 128 KiB',
      timerStepMs: 0.005,
    },
    stored: series.map(({ arm, workload: name, bytes }) => ({
      arm,
      workload: name,
      url: `/${name}/${arm}`,
      wireBytes: arm === 'dcb' || arm === 'dcz' ? bytes / 100 : bytes * storedShare[arm],
      storedBytes: bytes * storedShare[arm],
      decodedBytes: bytes,
    })),
    codingCosts: own.flatMap(({ name }) =>
      (['br', 'zstd', 'dcb'] as const).map((coding) => ({
        workload: name,
        coding,
        encodedBytes: 1000,
        runs: 5,
        encodeMs: 40,
        decodeMs: 3,
      })),
    ),
    proofs: ['before' as const, 'after' as const].flatMap((when) =>
      delaysMs.map((requestedDelayMs) => ({
        storage: 'nbd-delay' as const,
        requestedDelayMs,
        when,
        reads: 8,
        p50Ms: requestedDelayMs + 0.1,
        p95Ms: requestedDelayMs + 0.2,
        throughputBytesPerSecond: 500e6,
        off: false,
        takenAt,
      })),
    ),
    warnings: [],
  };
  return { run, samples };
}
