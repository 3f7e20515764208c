import type { Coding } from '@cachescope/model/coding.ts';
import { createRandom } from '@cachescope/model/random.ts';
import type { DelayProof } from '@cachescope/model/run-base.ts';
import type { Sample } from '@cachescope/model/sample.ts';
import type { SweepRun, SweepRunDocument } from '@cachescope/model/sweep-run.ts';

/** How a made-up arm behaves: `readMs = baseMs + serialReads * measured delay`. */
interface MadeUpArm {
  arm: Coding;
  baseMs: number;
  serialReads: number;
  deviceReads: number;
  deviceReadBytes: number;
  wireBytes: number;
  storedBytes: number;
}

const arms: MadeUpArm[] = [
  {
    arm: 'br',
    baseMs: 9,
    serialReads: 4.1,
    deviceReads: 5,
    deviceReadBytes: 274_432,
    wireBytes: 265_180,
    storedBytes: 265_600,
  },
  {
    arm: 'dcb',
    baseMs: 6,
    serialReads: 10.3,
    deviceReads: 13,
    deviceReadBytes: 1_044_480,
    wireBytes: 8_500,
    storedBytes: 1_041_020,
  },
];

const delaysMs = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
const takenAt = '2026-11-20T23:00:00Z';

const launchesPerPoint = 5;

/** A variant that makes every read slower by this share. */
export interface MadeUpVariant {
  name: string;
  slowerBy: number;
}

/** A complete sweep with known lines, for tests of what is shown. Not measured. */
export function madeUpRun(
  samplesPerCell = 20,
  variants: readonly MadeUpVariant[] = [],
): SweepRunDocument {
  const random = createRandom(42);
  const samples: Sample[] = [];
  // As in a real sweep: a launch stands at one point in one variant and reads all arms.
  let launches = 0;
  const take = (
    arm: MadeUpArm,
    storage: 'none' | 'nbd-delay',
    delayMs: number,
    index: number,
    variant: MadeUpVariant | undefined,
  ): void => {
    const measured = storage === 'none' ? 0.06 : delayMs + (delayMs === 7 ? 2.32 : 0.42);
    const noise = -Math.log(1 - random()) * (1 + measured * 0.25);
    const flagged = storage !== 'none' && random() < 0.015;
    samples.push({
      sequence: samples.length,
      cell: { arm: arm.arm, storage, delayMs, ...(variant && { variant: variant.name }) },
      launch: launches + (index % launchesPerPoint),
      attempt: 1,
      takenAt,
      kind: index < samplesPerCell ? 'timed' : 'companion',
      readMs: (arm.baseMs + arm.serialReads * measured + noise) * (1 + (variant?.slowerBy ?? 0)),
      timing: null,
      attribution: { source: 'disk', confidence: 'likely', reasons: ['made up'] },
      originRequests: flagged ? 1 : 0,
      device: {
        reads: arm.deviceReads,
        readBytes: arm.deviceReadBytes,
        writes: 0,
        writtenBytes: 0,
      },
      bodyBytes: 1_040_500,
      bodySha256: '0'.repeat(64),
      flags: flagged ? ['origin-touched'] : [],
    });
  };
  for (const storage of ['none', 'nbd-delay'] as const) {
    for (const delayMs of storage === 'none' ? [0] : delaysMs) {
      for (const variant of variants.length > 0 ? variants : [undefined]) {
        for (let index = 0; index <= samplesPerCell; index++) {
          for (const arm of arms) take(arm, storage, delayMs, index, variant);
        }
        launches += launchesPerPoint;
      }
    }
  }
  return { run: { ...madeUpHeadOf(variants), proofs: madeUpProofs() }, samples };
}

function madeUpHeadOf(variants: readonly MadeUpVariant[]): Omit<SweepRun, 'proofs'> {
  if (variants.length === 0) return madeUpHead;
  return {
    ...madeUpHead,
    plan: { ...madeUpHead.plan, variants: variants.map(({ name }) => ({ name })) },
    stored: variants.flatMap(({ name }) =>
      madeUpHead.stored.map((entry) => ({ ...entry, variant: name })),
    ),
  };
}

function madeUpProofs(): DelayProof[] {
  const moments = ['before', 'after'] as const;
  return moments
    .map((when) => proof('none', 0, when))
    .concat(
      delaysMs.flatMap((delayMs) => moments.map((when) => proof('nbd-delay', delayMs, when))),
    );
}

/** The device keeps 0.42 ms above what it is told, and misses 7 ms by far. */
function proof(
  storage: 'none' | 'nbd-delay',
  requestedDelayMs: number,
  when: 'before' | 'after',
): DelayProof {
  const off = requestedDelayMs === 7;
  return {
    storage,
    requestedDelayMs,
    when,
    reads: 16,
    p50Ms: storage === 'none' ? 0.06 : requestedDelayMs + (off ? 2.32 : 0.42),
    p95Ms: storage === 'none' ? 0.11 : requestedDelayMs + (off ? 2.5 : 0.6),
    throughputBytesPerSecond: when === 'before' ? 1e9 / (1 + requestedDelayMs) : null,
    off,
    takenAt,
  };
}

const madeUpHead: Omit<SweepRun, 'proofs'> = {
  schemaVersion: 1,
  tool: { name: 'cachescope', version: '0.1.0' },
  experiment: 'sweep',
  status: 'complete',
  startedAt: takenAt,
  endedAt: '2026-11-20T23:01:48Z',
  commandLine: ['sweep', '0', '10', '1', '--samples', '20'],
  plan: {
    arms: arms.map(({ arm }) => arm),
    delaysMs,
    storage: 'nbd-delay',
    delayWrites: false,
    samplesPerCell: 20,
    launchesPerPoint,
    seed: 42,
    workload: {
      name: 'pdfjs',
      title: 'pdfjs-dist 5.3.31 -> 5.4.54 (made up)',
      resourceBytes: 1_040_500,
      resourceSha256: '0'.repeat(64),
      dictionaryBytes: 1_036_000,
    },
  },
  environment: {
    chromium: {
      version: 'Chrome/156.0.8078.79',
      path: '/usr/bin/chromium',
      flags: ['--disable-quic', '--disable-gpu'],
    },
    node: 'v26.10.0',
    kernel: '6.1.0',
    os: 'Debian 12',
    cpu: 'made up',
    cores: 2,
    memoryBytes: 8 * 1024 ** 3,
    storage: 'nbdkit delay filter, loop device, ext4, read-ahead 128 KiB',
    timerStepMs: 0.005,
  },
  stored: arms.map(({ arm, wireBytes, storedBytes }) => ({
    arm,
    url: `/pdfjs/resource.mjs?arm=${arm}`,
    wireBytes,
    storedBytes,
    decodedBytes: 1_040_500,
  })),
  timeSpent: { totalMs: 108_000, measuringMs: 31_000 },
  warnings: ['The delay asked of the device at 7 ms was not reached: it measured 9.32 ms.'],
};
