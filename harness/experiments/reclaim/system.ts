import type { HeldMemory } from '@cachescope/model/reclaim/held.ts';
import type { ReclaimMoment } from '@cachescope/model/reclaim/moment.ts';
import type { CpuProfile } from '../../sampling/cpu-profile.ts';
import type { LoadWindow, SystemWindow } from '@cachescope/model/reclaim/window.ts';

/** A window of the load, as the generator hands it over. */
export interface AttackWindow {
  /** End of the window, ms since the first request was due. */
  atMs: number;
  /** Its length, ms. */
  spanMs: number;
  load: LoadWindow;
}

/** What a system is told while it is under load, and tells. */
export interface Attack {
  /** Told once, just before the first request is due: that time, ms since 1970 (with fractions). */
  began(epochMs: number): void;
  /** Told at the end of each window, in their order; the last may be shorter. The next one does not wait for it. */
  window(window: AttackWindow): void;
  /** True when no more requests are to be sent: the load ends early, and what is under way is waited for. */
  shouldStop(): boolean;
}

/** What was seen of the system in one look, and the reclaims since the look before. */
export interface SystemLook {
  system: SystemWindow;
  moments: Omit<ReclaimMoment, 'sequence'>[];
}

/** A cache under load: it brings its generator along. */
export interface ReclaimSystem {
  /**
   * Sends the load of the plan and settles when every answer has come, or none can come any more. Rejects when the system
   * dies midway; what was handed over by then stays.
   */
  attack(attack: Attack): Promise<void>;
  /**
   * Looks at cache, processes and device: once before the load and at the end of each window. `epochMs` is the time at
   * which the first request was due, and null before it is known; times of moments are since then.
   */
  look(epochMs: number | null): Promise<SystemLook>;
  /** Collects the garbage of the process that is under load, and tells what is left; absent where nobody can. */
  collect?(): Promise<HeldMemory>;
  /** Profiles the origin's thread, where there is one to profile; null: nothing can be profiled. */
  profile: { start(): Promise<void>; stop(): Promise<CpuProfile | null> } | null;
  /** Things a reader of the result must know, in sentences, known at the end. */
  warnings(): string[];
  /** Version and flags of the browser; null when there is none. */
  chromium: { version: string; path: string; flags: string[] } | null;
  /** What the cache lies on, for people. */
  storage: string;
}
