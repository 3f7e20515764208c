import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom } from '@cachescope/model/statistics/random.ts';
import { type Sample, wasSuspended } from '@cachescope/model/run/sample.ts';
import { describe, expect, test } from 'vitest';
import { readRunOf } from '../../harness/results/run-directory.ts';
import {
  base,
  expectNothingLeft,
  lacking,
  linesOf,
  processesOfThisTest,
  start,
  type Started,
} from '../command-under-test.ts';
import { hangLimitMs } from '../hang-limit.ts';

/** What is stopped; the origin is a part of the harness. */
const victims = {
  harness: (pid) => [pid],
  browser: () => own((command) => isChromium(command) && !command.includes(' --type=')),
  renderer: () => own((command) => command.includes(' --type=renderer')),
  'network service': () => own((command) => command.includes('network.mojom.NetworkService')),
  nbdkit: () => own((command) => /\bnbdkit /.test(command)),
  everything: (pid) => [pid, ...own(() => true)],
} satisfies Record<string, (harness: number) => number[]>;

const isChromium = (command: string) => /^\S*chrom\S* /.test(command);

function own(isVictim: (command: string) => boolean): number[] {
  return processesOfThisTest()
    .filter(({ command }) => isVictim(command))
    .map(({ pid }) => pid);
}

/** A planted stop, ms since 1970. */
interface Stop {
  victim: string;
  fromMs: number;
  toMs: number;
}

/** Clocks of the test, the harness and the page are read at slightly different times, ms. */
const marginMs = 20;

describe.skipIf(lacking)('reads during which something is suspended', () => {
  test(
    'each stop of 0.2 s to 20 s of each process inside a read is found, and nothing else',
    async () => {
      const out = join(base, 'suspended');
      const plan = ['--samples', '60', '--launches', '1', '--no-recompress', '--seed', '7'];
      const storage = ['--storage', 'nbd-live', '--env', 'skip'];
      const run = start(['sweep', '100', '100', '1', ...plan, ...storage, '--out', out]);
      const stops = await plantStops(run, () => linesOf(join(out, 'samples.ndjson')));
      run.child.kill('SIGINT');
      const { code, stderr } = await run.ended;
      expect([0, 130], stderr).toContain(code);
      const { samples, run: saved } = await readRunOf('sweep', out);
      const missed = stops.filter((stop) => samples.some((sample) => hides(sample, stop)));
      expect(missed).toEqual([]);
      // A machine without a free processor may itself keep the harness from running: the run says so, with the moment.
      const starved = saved.warnings.filter((line) => !line.includes(' was stopped for '));
      const wronglyFlagged = samples.filter(
        (sample) =>
          wasSuspended(sample) &&
          !stops.some((stop) => overlapMs(sample, stop) > -lateMs) &&
          !starved.some((line) => isWithin(sample, line)),
      );
      expect(wronglyFlagged).toEqual([]);
      const hit = stops.filter((stop) => samples.some((sample) => overlapMs(sample, stop) >= 200));
      expect(hit.length).toBeGreaterThan(stops.length / 2);
      expect(new Set(hit.map(({ victim }) => victim)).size).toBe(Object.keys(victims).length);
      expect(saved.warnings.join('\n')).toContain('was stopped for about');
      console.warn(`${stops.length} stops, ${hit.length} inside a read: all found`);
      expectNothingLeft();
    },
    3 * hangLimitMs,
  );
});

/** A stop just before a read may still be seen at its beginning. */
const lateMs = 200;

/** Stops each process for each time, at random moments of reads on the slow disk. */
async function plantStops(run: Started, lines: () => string[]): Promise<Stop[]> {
  const random = createRandom(7);
  const stops: Stop[] = [];
  const isOnSlowDisk = () => lines().some((line) => line.includes('"storage":"nbd-live"'));
  await run.until(isOnSlowDisk);
  const short = [200, 500, 1500].flatMap((ms) =>
    Object.keys(victims).map((victim) => ({ victim, ms })),
  );
  for (const { victim, ms } of [...short, { victim: 'everything', ms: 20_000 }]) {
    const seen = lines().length;
    await run.until(() => lines().length > seen);
    await sleep(50 + 400 * random());
    const pids = victims[victim as keyof typeof victims](run.child.pid ?? 0);
    expect(pids, victim).not.toEqual([]);
    const fromMs = Date.now();
    for (const pid of pids) signal(pid, 'SIGSTOP');
    await sleep(ms);
    for (const pid of pids) signal(pid, 'SIGCONT');
    stops.push({ victim, fromMs, toMs: Date.now() });
  }
  const seen = lines().length;
  await run.until(() => lines().length > seen);
  return stops;
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has just ended.
  }
}

/** For how long a stop fell into a read, ms; negative: the time between them. */
function overlapMs(
  { takenAt, evictionMs = 0, readMs }: Sample,
  { fromMs, toMs }: Omit<Stop, 'victim'>,
): number {
  const begin = Date.parse(takenAt);
  const end = begin + evictionMs + readMs;
  return Math.min(end, toMs) - Math.max(begin, fromMs);
}

/** Whether a warning of a suspension was given at the end of a sample. */
function isWithin(sample: Sample, warning: string): boolean {
  const at = Date.parse(/^Until (\S+),/.exec(warning)?.[1] ?? '');
  return overlapMs(sample, { fromMs: at, toMs: at }) > -marginMs;
}

/** A sample that counts although the whole stop fell into its read. */
function hides(sample: Sample, stop: Stop): boolean {
  const whole = stop.toMs - stop.fromMs;
  return !wasSuspended(sample) && overlapMs(sample, stop) >= whole - marginMs;
}
