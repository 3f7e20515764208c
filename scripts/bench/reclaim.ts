import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ReclaimPlan } from '@cachescope/model/reclaim/plan.ts';
import { loadReport } from '@cachescope/model/reclaim/report.ts';
import { itemPath, plannedRequests } from '@cachescope/model/reclaim/traffic.ts';
import type { LoadWindow } from '@cachescope/model/reclaim/window.ts';
import { median, quantile } from '@cachescope/model/statistics/quantile.ts';
import { sendLoad } from '../../harness/experiments/reclaim/load.ts';
import { startReclaimOrigin } from '../../harness/experiments/reclaim/origin.ts';
import { measurePolicies } from './reclaim-policies.ts';

const run = promisify(execFile);
const rounds = 3;
const roundMs = 4000;
const longMs = 10_000;
const rateHz = 425;
/** Each client of h2load sends at its own rate; together they reach `rateHz`. */
const clients = 50;

/** One item, requested repeatedly. */
const plan: ReclaimPlan = {
  system: 'origin',
  rateHz,
  timeMs: roundMs,
  traffic: { kind: 'zipf', skew: 1, population: 1, wantedHitRate: null },
  payloadBytes: 1024,
  coding: 'identity',
  originDelayMs: 0,
  limitEntries: null,
  limitBytes: 1024 ** 3,
  reclaimRatio: 0,
  policy: 'lrw',
  browser: null,
  windowMs: 1000,
  margin: 0.1,
  seed: 1,
};

interface Latency {
  p50: number;
  p99: number;
}

/**
 * Compares the load generator of `npm run reclaim` with h2load, with the same requests at the same rate, interleaved.
 */
export async function measureReclaim(): Promise<void> {
  measurePolicies();
  await measureGenerator();
  const program = h2load();
  if (program === null) {
    console.log('No other generator: skipped. h2load comes with: apt-get install nghttp2-client');
    return;
  }
  // A store that holds the item, and a store that holds nothing, where the origin's delay applies.
  await measureBeside(program, 'an item that the origin holds', plan);
  await measureBeside(program, 'an item that takes the origin 5 ms', {
    ...plan,
    originDelayMs: 5,
    limitBytes: 1,
  });
}

async function measureGenerator(): Promise<void> {
  await using resources = new AsyncDisposableStack();
  const origin = await originOf(plan, resources);
  const load: ReclaimPlan = { ...plan, traffic: { kind: 'cache-bust' }, timeMs: longMs };
  const { windows } = await ours(load, origin.url);
  const report = loadReport(windows, plannedRequests(load));
  const { achieved, lateness, latencies, limitedBy } = report;
  console.log(
    `${rateHz} requests a second of 1 KiB for ${longMs / 1000} s: ${(100 * achieved).toFixed(2)} % sent, late by ${lateness.p50?.toFixed(3)} ms (median) and ${lateness.p99?.toFixed(2)} ms (99 %); latency ${latencies.p50?.toFixed(2)} and ${latencies.p99?.toFixed(2)} ms${limitedBy === null ? '' : `; limited by the ${limitedBy}`}`,
  );
  console.log('Goal: 99.9 % sent, a median send delay below 1 ms.');
}

function originOf({ limitBytes }: ReclaimPlan, resources: AsyncDisposableStack) {
  const limit = { entries: null, bytes: limitBytes, reclaimRatio: 0 };
  return startReclaimOrigin({ limit, policy: 'lrw' }, resources);
}

async function measureBeside(program: string, title: string, load: ReclaimPlan): Promise<void> {
  await using resources = new AsyncDisposableStack();
  const origin = await originOf(load, resources);
  const [own, other]: [Latency[], Latency[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    own.push((await ours(load, origin.url)).latency);
    other.push(await theirs(program, load, origin.url));
  }
  const middle = (all: readonly Latency[], name: keyof Latency) =>
    median(all.map((each) => each[name])) ?? Number.NaN;
  for (const name of ['p50', 'p99'] as const) {
    const [ms, otherMs] = [middle(own, name), middle(other, name)];
    console.log(
      `${title}, from sending, ${name}: ${ms.toFixed(3)} ms, h2load ${otherMs.toFixed(3)} ms: ratio ${(ms / otherMs).toFixed(2)} (medians of ${rounds} rounds)`,
    );
  }
  console.log('Goal: within 10 %.');
}

async function ours(
  load: ReclaimPlan,
  url: string,
): Promise<{ latency: Latency; windows: LoadWindow[] }> {
  const windows: LoadWindow[] = [];
  await sendLoad(
    { plan: load, replay: [], url },
    {
      began: () => undefined,
      window: (window) => windows.push(window.load),
      shouldStop: () => false,
    },
  );
  const { service } = loadReport(windows, plannedRequests(load));
  return { latency: { p50: service.p50 ?? Number.NaN, p99: service.p99 ?? Number.NaN }, windows };
}

/** Path of h2load; null when it is not installed or cannot keep a rate. */
function h2load(): string | null {
  const program = process.env['H2LOAD'] ?? 'h2load';
  try {
    return execFileSync(program, ['--help'], { encoding: 'utf8' }).includes('--rps')
      ? program
      : null;
  } catch {
    return null;
  }
}

async function theirs(program: string, load: ReclaimPlan, url: string): Promise<Latency> {
  const directory = mkdtempSync(join(tmpdir(), 'cachescope-bench-'));
  try {
    const log = join(directory, 'log.tsv');
    const requests = Math.round((rateHz * roundMs) / 1000);
    const pace = [`--rps=${rateHz / clients}`, '-c', `${clients}`, '-n', `${requests}`];
    // Clients start one after another, so that their requests are spread as evenly as ours.
    const spread = ['-r', '3', '--rate-period=7ms'];
    const path = itemPath(load, { key: 'z1', bytes: 1024 });
    await run(program, ['--h1', ...pace, ...spread, `--log-file=${log}`, url + path]);
    const times = readFileSync(log, 'utf8')
      .trim()
      .split('\n')
      .map((row) => Number(row.split('\t')[2]) / 1000);
    return { p50: quantile(times, 0.5) ?? Number.NaN, p99: quantile(times, 0.99) ?? Number.NaN };
  } finally {
    rmSync(directory, { recursive: true });
  }
}
