import type { GuestTask } from './guest-environment.ts';

/** Parameters of a boot. */
export interface Boot {
  task: GuestTask;
  /** A directory of the host that the guest may write to; it receives the console log and the guest's observations. */
  outDirectory: string;
  /** The guest is killed if it has not powered itself off by then, ms. */
  limitMs: number;
}

/**
 * A kernel with device-mapper's delay target on this machine's own files, mounted read-only: nothing of the host is
 * copied, and only the given directory is written.
 */
export interface Machine {
  /** For people: the kernel, and the processor that it runs on. */
  title: string;
  /** Length of a tick of its kernel's clock, ms; null: unknown. */
  tickMs: number | null;
  /**
   * Runs `guest.sh` in the machine and waits until the machine has powered itself off. Returns the console's text.
   *
   * @throws CachescopeError CS_GUEST when it does not boot, or not within its limit.
   */
  boot(boot: Boot): Promise<string>;
}

/** A kind of machine that this computer cannot run, with the reason. */
export interface Lacking {
  lacking: string;
}
