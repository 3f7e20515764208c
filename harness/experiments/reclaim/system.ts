import type { EvictionPass } from '@cachescope/model/reclaim/eviction-pass.ts';
import type { HeldMemory } from '@cachescope/model/reclaim/run.ts';
import type { DelayProof } from '@cachescope/model/run/base.ts';
import type { ReclaimWindow, SystemWindow } from '@cachescope/model/reclaim/window.ts';
import type { ReclaimOrigin } from './origin.ts';

/** A window of the load, as the generator reports it. */
export type AttackWindow = Pick<ReclaimWindow, 'atMs' | 'spanMs' | 'load'>;

/** Callbacks of a system under load. */
export interface Attack {
  /** Called once, just before the first request is due, with that time in ms since 1970 (with fractions). */
  began(epochMs: number): void;
  /** Called at the end of each window, in order; the last may be shorter. The next window does not wait for it. */
  window(window: AttackWindow): void;
  /** True when no more requests must be sent: the load ends early, after the requests in flight. */
  shouldStop(): boolean;
}

/** One sample of the system, and the eviction passes since the previous sample. */
export interface SystemSample {
  system: SystemWindow;
  passes: Omit<EvictionPass, 'sequence'>[];
}

/** A cache under load, with its load generator. */
export interface ReclaimSystem {
  /**
   * Sends the load of the plan, and settles when every response has arrived or none can arrive any more. Rejects when
   * the system dies during the load; windows reported before that are kept.
   */
  attack(attack: Attack): Promise<void>;
  /**
   * Samples the cache, the processes and the device: once before the load and at the end of each window. `epochMs` is
   * the time at which the first request was due, null before it is known; times of passes are relative to it.
   */
  sample(epochMs: number | null): Promise<SystemSample>;
  /**
   * Collects the garbage of the process under load and returns the memory that remains; absent where that is not
   * possible.
   */
  collect?(): Promise<HeldMemory>;
  /** Profiles the origin's thread. */
  profile: ReclaimOrigin['profile'];
  /** Warnings that readers of the result need to know, in sentences; complete at the end. */
  warnings(): string[];
  /** Version, path and flags of the browser. */
  chromium: { version: string; path: string; flags: string[] };
  /** Description of the cache's storage. */
  storage: string;
  /** The verified delay of that storage; absent: it has none. */
  proof?: DelayProof | null;
}
