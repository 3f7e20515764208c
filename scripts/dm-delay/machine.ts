import type { GuestTask } from './guest-environment.ts';

/** What a machine is booted with. */
export interface Boot {
  task: GuestTask;
  /** A directory of the host that the guest may write to; it holds the console and what the guest observed. */
  outDirectory: string;
  /** The guest is ended when it has not switched itself off by then, ms. */
  limitMs: number;
}

/**
 * A kernel with device-mapper's delay target over this machine's own files, read-only: nothing of the host is copied,
 * and nothing but the directory named is written.
 */
export interface Machine {
  /** For people: the kernel, and on what processor it runs. */
  title: string;
  /** How long a tick of its kernel's clock takes, ms; null when that is not known. */
  tickMs: number | null;
  /**
   * Runs `guest.sh` there and waits until the machine has switched itself off. Returns the console's text.
   *
   * @throws CachescopeError CS_GUEST when it does not boot, or not within its limit.
   */
  boot(boot: Boot): Promise<string>;
}

/** A kind of machine that this computer cannot run, with the reason. */
export interface Lacking {
  lacking: string;
}
