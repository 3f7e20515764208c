import type { FillSystem } from './fill-plan.ts';
import type { FillQuestion } from './fill-question.ts';
import type { FillRun } from './fill-run.ts';
import type { FillRequest, FillTrial } from './fill-trial.ts';

/** A request as a cache that works would answer it, for tests. Not measured. */
export function madeUpRequest(changes: Partial<FillRequest> = {}): FillRequest {
  const request = { worker: 0, file: 0, startMs: 0, firstByteMs: 10, durationMs: 1000 };
  return { ...request, bytes: 1000, byteWaitMs: 500, ...changes };
}

/** A trial for tests: so many readers of so many files, the origin asked once a file. */
export function madeUpTrial(
  system: FillSystem,
  { workers = 2, files = 8, each = {}, ...changes }: MadeUpTrial = {},
): FillTrial {
  const requests = Array.from({ length: files }, (_, file) =>
    Array.from({ length: workers }, (_, worker) =>
      // Files differ a little, as measured ones do.
      madeUpRequest({ worker, file, byteWaitMs: 500 + file, firstByteMs: 10 + file, ...each }),
    ),
  ).flat();
  return {
    kind: 'trial',
    sequence: 0,
    round: 0,
    suite: '1s',
    system,
    startedAt: '2026-11-20T23:00:00Z',
    contexts: null,
    requests,
    clientMs: 10_000,
    origin: { requests: files, bytes: files * 1000, durationMs: 10_000 },
    busy: { client: 0.2, cache: null, origin: 0.1 },
    cutShort: false,
    ...changes,
  };
}

interface MadeUpTrial extends Partial<FillTrial> {
  workers?: number;
  files?: number;
  /** What every request of it has. */
  each?: Partial<FillRequest>;
}

/** A question for tests: two readers of one fill. */
export function madeUpQuestion(
  name: FillQuestion['name'],
  readers: readonly Partial<FillRequest>[],
  originAtMs: readonly number[] = [0],
): FillQuestion {
  return {
    kind: 'question',
    sequence: 100,
    name,
    askedAt: '2026-11-20T23:00:00Z',
    fileMs: 3000,
    headDelayMs: name === 'lock-timeout' ? 23_000 : 0,
    storageDelayMs: name === 'slow-disk' ? 20 : 0,
    readers: readers.map((reader, worker) => madeUpRequest({ worker, ...reader })),
    origin: originAtMs.map((atMs) => ({ atMs, status: 200 })),
  };
}

/** A complete run for tests. Not measured. */
export function madeUpFillRun(systems: readonly FillSystem[]): FillRun {
  return {
    schemaVersion: 1,
    tool: { name: 'cachescope', version: '0.1.0' },
    experiment: 'fill',
    status: 'complete',
    startedAt: '2026-11-20T23:00:00Z',
    commandLine: ['fill'],
    environment: {
      chromium: { version: 'Chrome/156.0.8078.79', path: '/usr/bin/chromium', flags: [] },
      node: 'v26.10.0',
      kernel: '6.1.0',
      os: 'Debian 12',
      cpu: 'made up',
      cores: 2,
      memoryBytes: 8 * 1024 ** 3,
      storage: 'ordinary storage',
      timerStepMs: null,
    },
    proofs: [],
    warnings: [],
    plan: {
      systems: [...systems],
      suites: [{ name: '1s', fileMs: 1000 }],
      workers: 2,
      timeMs: 10_000,
      fileBytes: 1000,
      chunkHz: 10,
      rounds: 1,
      questions: [],
      seed: 42,
    },
    unavailable: [],
    nginx: { own: 'nginx version: nginx/1.22.1', patched: null },
  };
}
