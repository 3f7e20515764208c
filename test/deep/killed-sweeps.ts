import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createRandom } from '@cachescope/model/statistics/random.ts';
import type { StorageKind } from '@cachescope/model/run/sample.ts';
import { expect, vi } from 'vitest';
import {
  expectNothingLeftIn,
  linesOf,
  processesOfThisTest,
  start,
  type Started,
} from '../command-under-test.ts';
import { hangLimitMs } from '../hang-limit.ts';

/** One arm only, because fifty sweeps take long. */
const arm = 'br';
const workload = ['--workload', 'synthetic:10KiB', '--arms', arm];
const plan = [...workload, '--samples', '1', '--launches', '1'];
/** Without the environment checks, which would take a third of the time. */
const unchecked = ['--env', 'skip'];
/** The largest number of steps a run takes between the loss of a victim and its own end. */
const mostStepsMending = 20;
/** Pause between two looks at a run, ms: each reads the command line of every process of the machine. */
const lookAgainMs = 50;

/** The process that gets SIGKILL. Chromium: its browser process, or one of its others. */
export const victims = ['harness', 'chromium', 'nbdkit', 'nbdfuse'] as const;
export type Victim = (typeof victims)[number];

export interface Kill {
  victim: Victim;
  /** Whether the process was running at that moment. */
  met: boolean;
}

const samplesOf = (out: string) => linesOf(join(out, 'samples.ndjson'));

function hasEnded({ child }: Started): boolean {
  return child.exitCode !== null || child.signalCode !== null;
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

/**
 * Sweeps in a separate directory, one after another, each killed at a random step. The next sweep takes the samples
 * that the previous one lacks.
 */
export class KilledSweeps {
  readonly kills: Kill[] = [];
  /** The sample lines of each run when it last ended, by its directory. */
  readonly takenBefore = new Map<string, string[]>();
  readonly #directory: string;
  readonly #random: () => number;
  #runs = 0;
  /** How often the last run was resumed. A run whose samples were flagged because its storage died stays partial. */
  #resumes = 0;
  /** Number of steps of an undisturbed sweep: the kills are spread over all of them. */
  #wholeSteps = 0;

  readonly #storage: readonly string[];

  constructor(directory: string, seed: number, storage: StorageKind) {
    this.#storage = ['--storage', storage];
    this.#directory = directory;
    this.#random = createRandom(seed);
    mkdirSync(directory);
  }

  /** Directories of all runs. */
  get runs(): string[] {
    return Array.from({ length: this.#runs }, (_, index) => this.#runDirectory(index + 1));
  }

  /** Performs this many kills, and ends with an undisturbed sweep. */
  async perform(kills: number): Promise<void> {
    await this.#undisturbed();
    for (let index = 0; index < kills; index++)
      await this.#killOnce(victims[index % victims.length] as Victim);
    await this.#undisturbed();
    expectNothingLeftIn(this.#directory);
  }

  #runDirectory(run: number): string {
    return join(this.#directory, `run-${run}`);
  }

  #fresh(): { out: string; words: string[] } {
    this.#resumes = 0;
    const out = this.#runDirectory(++this.#runs);
    return {
      out,
      words: ['sweep', '1', '1', '1', ...plan, ...this.#storage, ...unchecked, '--out', out],
    };
  }

  /** Starts a new run, or resumes the last one if it is incomplete. */
  #next(): { out: string; words: string[] } {
    const mostResumes = 3;
    const out = this.#runDirectory(this.#runs);
    if (this.#resumes === mostResumes || !existsSync(join(out, 'run.json'))) return this.#fresh();
    const { status } = JSON.parse(readFileSync(join(out, 'run.json'), 'utf8'));
    if (status === 'complete') return this.#fresh();
    this.#resumes++;
    return { out, words: ['sweep', '--resume', out, ...unchecked] };
  }

  async #undisturbed(): Promise<void> {
    const { out, words } = this.#fresh();
    const run = start(words, this.#directory);
    this.#wholeSteps = await this.#stepsOf(run, out, Infinity);
    const { code, stderr } = await run.ended;
    // On a machine that stood still meanwhile, the one read of a cell is excluded, and the run partial.
    expect([0, 4], stderr).toContain(code);
    if (code === 4) expect(stderr).toContain('no usable sample');
  }

  async #killOnce(victim: Victim): Promise<void> {
    const { out, words } = this.#next();
    const run = start(words, this.#directory);
    const steps = await this.#stepsOf(run, out, Math.floor(this.#random() * this.#wholeSteps));
    // The run ended before the step was reached: fewer steps were distinguishable than in the first run.
    if (hasEnded(run) && !words.includes('--resume')) this.#wholeSteps = steps;
    let pids: (number | undefined)[] = [];
    const isFound = () => (pids = this.#pidsOf(victim, run)).length > 0 || hasEnded(run);
    // A victim that is not running yet may be about to start.
    await vi.waitUntil(isFound, { timeout: hangLimitMs, interval: lookAgainMs });
    const lines = samplesOf(out);
    const pid = pids[Math.floor(this.#random() * pids.length)];
    const met = !hasEnded(run) && pid !== undefined && isKilled(pid);
    // Half of the runs may recover from the loss; the others are killed during the recovery.
    if (this.#random() < 0.5) {
      await this.#stepsOf(run, out, Math.ceil(mostStepsMending * this.#random()));
      run.child.kill('SIGKILL');
    }
    const { code, stderr } = await run.ended;
    this.kills.push({ victim, met });
    // The earlier samples are unchanged, line for line.
    expect(samplesOf(out).slice(0, lines.length)).toEqual(lines);
    this.takenBefore.set(out, samplesOf(out));
    // A killed harness has no exit code; otherwise the run recovers, is saved in part, or reports the error: 3 where a
    // disk that is being attached loses its server.
    expect([null, 0, 1, 3, 4], stderr).toContain(code);
    if (code === 1 || code === 3) expect(stderr).toMatch(/CS_[A-Z_]+: /);
  }

  #pidsOf(victim: Victim, { child }: Started): (number | undefined)[] {
    if (victim === 'harness') return [child.pid];
    return processesOfThisTest(this.#directory)
      .filter(({ command }) => isProgram(victim, command))
      .map(({ pid }) => pid);
  }

  /**
   * Waits until a run has taken this many steps (changes of its observable state) or has ended; returns the number of
   * steps.
   */
  async #stepsOf(run: Started, out: string, most: number): Promise<number> {
    let steps = 0;
    let last = this.#stateOf(run, out);
    const isThere = () => {
      const now = this.#stateOf(run, out);
      if (now !== last) steps++;
      last = now;
      return steps >= most || hasEnded(run);
    };
    await vi.waitUntil(isThere, { timeout: hangLimitMs, interval: lookAgainMs });
    return steps;
  }

  /** The progress of a run as visible from outside: its output, samples, journals and processes. */
  #stateOf({ said }: Started, out: string): string {
    const journals = join(this.#directory, 'state', 'cachescope', 'storage');
    const names = existsSync(journals) ? readdirSync(journals) : [];
    const noted = names.map(
      (name) => statSync(join(journals, name), { throwIfNoEntry: false })?.size,
    );
    const pids = processesOfThisTest(this.#directory).map(({ pid }) => pid);
    return [said().length, samplesOf(out).length, noted.join(), ...pids].join(' ');
  }
}
