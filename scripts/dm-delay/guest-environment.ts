import { dirname, join } from 'node:path';

/** The project's root. */
export const projectDirectory = dirname(dirname(import.meta.dirname));

/** The first process of the guest. */
export const guestScript = join(import.meta.dirname, 'guest.sh');

/** What the guest prints once its first process runs. */
export const upMark = 'guest: up';

/** What a guest does once it is up: `guest-storage.ts` and its like, or nothing. Then it switches itself off. */
export type GuestTask = 'storage' | 'sweep' | 'calibration' | 'probe';

/** What the guest is told on its kernel's command line: the kernel hands `NAME=value` on as environment. */
export interface GuestEnvironment {
  task: GuestTask;
  /** How the directory to write to is reached. */
  share: 'hostfs' | 'virtiofs';
  outDirectory: string;
  /** Kernel modules to load, in order. */
  modules: readonly string[];
}

/** The words for the kernel's command line. */
export function guestWords(environment: GuestEnvironment): string[] {
  const { task, share, outDirectory, modules } = environment;
  return [
    `CACHESCOPE_TASK=${task}`,
    `CACHESCOPE_SHARE=${share}`,
    `CACHESCOPE_OUT=${outDirectory}`,
    `CACHESCOPE_MODULES=${modules.join(':')}`,
    `CACHESCOPE_ROOT=${projectDirectory}`,
    `CACHESCOPE_NODE=${process.execPath}`,
  ];
}
