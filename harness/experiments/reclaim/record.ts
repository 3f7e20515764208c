import type { ReclaimPlan } from '@cachescope/model/reclaim/plan.ts';
import type { ReclaimLine, ReclaimRun } from '@cachescope/model/reclaim/run.ts';
import { messageOf } from '../../error.ts';
import type { Progress } from '../../lab/progress.ts';
import type { RunSession } from '../../lab/run-session.ts';
import type { AttackWindow, ReclaimSystem } from './system.ts';

/**
 * The origin is profiled at the end of the load: for a minute as in the BBC Belfrage report or for this share of the
 * time, whichever is shorter, but at least for one window.
 */
const profileMs = 60_000;
const profileShare = 0.1;

/** A line without its number. */
type Unnumbered<Line> = Line extends ReclaimLine ? Omit<Line, 'sequence'> : never;

/** The parts of a run's session that save its lines. */
export interface RecordTools extends Pick<
  RunSession<ReclaimRun, ReclaimLine, unknown>,
  'keep' | 'lines' | 'shouldStop' | 'watched'
> {
  progress: Pick<Progress, 'advance' | 'warn'>;
}

/** Takes the lines of one load and saves them. */
export class ReclaimRecord {
  readonly #plan: ReclaimPlan;
  readonly #system: ReclaimSystem;
  readonly #tools: RecordTools;
  #epochMs: number | null = null;
  /** Windows are sampled one after another, even when a sample takes long. */
  #sampling: Promise<void> = Promise.resolve();
  /** Ends the watch of the present window. */
  #endWatch: () => Promise<boolean> = () => Promise.resolve(false);
  #profiling: Promise<void> | null = null;
  #profiledFromMs = 0;
  #failure: string | null = null;

  constructor(plan: ReclaimPlan, system: ReclaimSystem, tools: RecordTools) {
    this.#plan = plan;
    this.#system = system;
    this.#tools = tools;
  }

  /** Settles when the load is over. Returns why it ended early; null: it did not. */
  async take(): Promise<string | null> {
    await this.#load().catch(this.#fail);
    await this.#sampling;
    await this.#endWatch();
    if (this.#failure === null) await this.#endProfile().catch(this.#warnOfProfile);
    if (this.#failure === null) await this.#keepHeld('after').catch(this.#fail);
    return this.#failure;
  }

  async #load(): Promise<void> {
    await this.#keepHeld('before');
    await this.#system.sample(null);
    this.#watch();
    await this.#system.attack({
      began: (epochMs) => (this.#epochMs = epochMs),
      window: (window) => this.#window(window),
      shouldStop: () => this.#tools.shouldStop() || this.#failure !== null,
    });
  }

  readonly #fail = (error: unknown): void => {
    this.#failure ??= messageOf(error);
  };

  readonly #warnOfProfile = (error: unknown): void => {
    this.#tools.progress.warn(`The origin is not profiled: ${messageOf(error)}`);
  };

  /** Runs before the load and after it, when no request waits for a response. */
  async #keepHeld(when: 'before' | 'after'): Promise<void> {
    const held = await this.#system.collect?.();
    const last = this.#tools.lines.findLast(({ kind }) => kind === 'window');
    const atMs = when === 'before' ? 0 : (last?.atMs ?? 0);
    if (held) await this.#keep({ kind: 'held', when, atMs, ...held });
  }

  #window(window: AttackWindow): void {
    this.#beginProfile(window.atMs);
    const suspended = this.#endWatch();
    suspended.catch(this.#fail);
    this.#watch();
    this.#sampling = this.#sampling.then(() => this.#sample(window, suspended)).catch(this.#fail);
  }

  #watch(): void {
    const over = Promise.withResolvers<void>();
    const watched = this.#tools.watched(() => over.promise);
    watched.catch(this.#fail);
    this.#endWatch = async () => {
      over.resolve();
      return (await watched).flags.length > 0;
    };
  }

  async #sample(
    { atMs, spanMs, load }: AttackWindow,
    isSuspended: Promise<boolean>,
  ): Promise<void> {
    const { system, passes } = await this.#system.sample(this.#epochMs);
    for (const pass of passes) await this.#keep(pass);
    const suspended = (await isSuspended) && { suspended: true };
    await this.#keep({ kind: 'window', atMs, spanMs, load, system, ...suspended });
    const entries = system.entries === null ? '' : `, ${system.entries} entries`;
    this.#tools.progress.advance(`${load.sent} requests${entries}`);
  }

  #keep(line: Unnumbered<ReclaimLine>): Promise<void> {
    return this.#tools.keep({ ...line, sequence: this.#tools.lines.length });
  }

  #beginProfile(atMs: number): void {
    const { timeMs, windowMs } = this.#plan;
    const spanMs = Math.max(windowMs, Math.min(profileMs, profileShare * timeMs));
    // Profiling begins at the end of a window; windows end slightly off their time.
    const isTime = atMs >= timeMs - spanMs - windowMs / 2 && atMs < timeMs - windowMs / 4;
    if (this.#profiling || !isTime) return;
    this.#profiledFromMs = atMs;
    this.#profiling = this.#system.profile.start().catch(this.#warnOfProfile);
  }

  /** A failed profile must not fail the run. */
  async #endProfile(): Promise<void> {
    if (!this.#profiling) return;
    await this.#profiling;
    const profile = await this.#system.profile.stop();
    if (profile) await this.#keep({ kind: 'cpu-profile', atMs: this.#profiledFromMs, ...profile });
  }
}
