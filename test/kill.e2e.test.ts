import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cellKey, type Sample } from '@cachescope/model/sample.ts';
import { createRandom } from '@cachescope/model/random.ts';
import { describe, expect, test } from 'vitest';
import { readRunOf } from '../harness/results/run-directory.ts';
import {
  base,
  cachescope,
  expectNothingLeft,
  lacking,
  processesOfThisTest,
  start,
} from './command-under-test.ts';

/** Another seed kills at other moments: CACHESCOPE_KILL_SEED=7 npm run test:e2e -- kill */
const seed = Number(process.env['CACHESCOPE_KILL_SEED'] ?? 2026);
const kills = 50;
/** How long to wait for a victim that does not run, ms. */
const victimLimitMs = 2000;
/** One arm: fifty sweeps take their time. */
const arm = 'br';
const workload = ['--workload', 'synthetic:10kb', '--arms', arm];
const plan = [...workload, '--samples', '1', '--storage', 'nbd-delay'];

/** The machine is not looked at: that would take a third of the time. */
const unchecked = ['--env', 'skip'];

/** Who is ended by SIGKILL. Chromium: its browser process, or one of its others. */
const victims = ['harness', 'chromium', 'nbdkit', 'nbdfuse'] as const;
type Victim = (typeof victims)[number];

interface Kill {
  victim: Victim;
  /** Whether it was running at that moment. */
  met: boolean;
  code: number | null;
}

function linesOf(out: string): string[] {
  const path = join(out, 'samples.ndjson');
  if (!existsSync(path)) return [];
  // What stands behind the last line feed was cut off: it was never reported as taken.
  return readFileSync(path, 'utf8').split('\n').slice(0, -1);
}

/** False for a process that has just ended. */
function isKilled(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
}

function isProgram(victim: Victim, command: string): boolean {
  const [program = ''] = command.split(' ');
  return program.split('/').at(-1) === victim;
}

describe.skipIf(lacking)(`a sweep that is killed at ${kills} random moments`, () => {
  const random = createRandom(seed);
  const done: Kill[] = [];
  const takenBefore = new Map<string, string[]>();
  let directories = 0;
  /** How long a sweep takes that nobody disturbs: the kills fall anywhere in it. */
  let wholeMs = 0;

  /** How often the last run was taken up again. One whose samples were flagged as its storage died stays partial. */
  let resumes = 0;
  const mostResumes = 3;

  function fresh(): { out: string; words: string[] } {
    resumes = 0;
    const out = join(base, `run-${++directories}`);
    return { out, words: ['sweep', '1', '1', '1', ...plan, ...unchecked, '--out', out] };
  }

  /** A new run, or what the last one lacks. */
  function next(): { out: string; words: string[] } {
    const last = join(base, `run-${directories}`);
    if (directories > 0 && resumes < mostResumes && existsSync(join(last, 'run.json'))) {
      const { status } = JSON.parse(readFileSync(join(last, 'run.json'), 'utf8'));
      if (status !== 'complete') {
        resumes++;
        return { out: last, words: ['sweep', '--resume', last, ...unchecked] };
      }
    }
    return fresh();
  }

  async function killOnce(victim: Victim): Promise<void> {
    const { out, words } = next();
    const startedAt = performance.now();
    const { child, ended } = start(words);
    const early = await Promise.race([ended, sleep(random() * wholeMs, null)]);
    // A run that was over before: the machine has less else to do than before.
    if (early?.code === 0 && words[1] !== '--resume') wholeMs = performance.now() - startedAt;
    const pidsNow = () =>
      victim === 'harness'
        ? [child.pid]
        : processesOfThisTest()
            .filter(({ command }) => isProgram(victim, command))
            .map(({ pid }) => pid);
    let pids = pidsNow();
    // One that does not run at this moment may be about to.
    const limit = performance.now() + victimLimitMs;
    while (pids.length === 0 && child.exitCode === null && performance.now() < limit) {
      await sleep(20);
      pids = pidsNow();
    }
    const lines = linesOf(out);
    const pid = pids[Math.floor(random() * pids.length)];
    const met = child.exitCode === null && pid !== undefined && isKilled(pid);
    // Half of them may mend what was lost; the others are ended while they try.
    if (random() < 0.5)
      await Promise.race([ended, sleep(1000 * random())]).then(() => child.kill('SIGKILL'));
    const { code, stderr } = await ended;
    done.push({ victim, met, code });
    // What had been taken is still there, line for line.
    expect(linesOf(out).slice(0, lines.length)).toEqual(lines);
    takenBefore.set(out, linesOf(out));
    // Killed itself it has no code; otherwise it mends, or saves a part, or says what is wrong.
    expect([null, 0, 1, 4], stderr).toContain(code);
    if (code === 1) expect(stderr).toMatch(/CS_[A-Z_]+: /);
  }

  test(
    'it never loses a sample, and the next start cleans up',
    async () => {
      const startedAt = performance.now();
      const whole = await cachescope(...fresh().words);
      wholeMs = performance.now() - startedAt;
      expect(whole.code, whole.stderr).toBe(0);
      for (let index = 0; index < kills; index++)
        await killOnce(victims[index % victims.length] as Victim);
      // A start that nobody disturbs.
      const last = await cachescope(...fresh().words);
      expect(last.code, last.stderr).toBe(0);
      expectNothingLeft();
      expect(done.filter(({ met }) => met).length).toBeGreaterThan(kills / 2);
    },
    30 * 60_000,
  );

  test('a resumed run has exactly the samples of its plan, and every one that was ever saved', async () => {
    const complete: string[] = [];
    for (const name of readdirSync(base).filter((entry) => entry.startsWith('run-'))) {
      const out = join(base, name);
      if (!existsSync(join(out, 'run.json'))) continue;
      const { run, samples } = await readRunOf('sweep', out);
      expect(run.warnings.filter((warning) => warning.includes('left out')).length).toBeLessThan(2);
      const before = (takenBefore.get(out) ?? []).map(
        (line) => (JSON.parse(line) as Sample).sequence,
      );
      const now = new Set(samples.map(({ sequence }) => sequence));
      expect(before.filter((sequence) => !now.has(sequence))).toEqual([]);
      if (run.status !== 'complete') continue;
      complete.push(out);
      const counts = Map.groupBy(samples, ({ kind, cell }) => `${kind} ${cellKey(cell)}`);
      const timed = [`timed none/0/${arm}/`, `timed nbd-delay/1/${arm}/`];
      const companions = timed.map((key) => key.replace('timed', 'companion'));
      expect([...counts.keys()].toSorted()).toEqual([...timed, ...companions].toSorted());
      for (const key of timed) expect(counts.get(key), key).toHaveLength(1);
      for (const key of companions) expect(counts.get(key), key).toHaveLength(1);
    }
    expect(complete.length).toBeGreaterThan(0);
    const counts = victims.map((victim) => {
      const of = done.filter((kill) => kill.victim === victim);
      return `${victim} ${of.filter(({ met }) => met).length} of ${of.length}`;
    });
    console.warn(
      `Seed ${seed}: ${done.length} kills (met: ${counts.join(', ')}), ${directories} runs, ${complete.length} complete`,
    );
  });
});
