import { argumentsOf, programOf, runningPids } from '../../processes.ts';
import { identityOf, type ProcessIdentity } from './process-identity.ts';

/** A running process that names a path on its command line. */
export interface NamingProcess extends ProcessIdentity {
  /** `losetup`; the kernel keeps 15 characters. */
  program: string;
}

function processesWith(isMeant: (argument: string) => boolean): ProcessIdentity[] {
  return runningPids()
    .filter((pid) => argumentsOf(pid).some(isMeant))
    .map(identityOf)
    .filter((identity) => identity !== null);
}

/**
 * Running processes with one of the paths, or a path below it, as an argument of their command line. The unique path of
 * a work directory identifies our commands even when the program that started them was killed before it could record
 * their pids.
 */
export function processesNaming(paths: readonly string[]): NamingProcess[] {
  const found = processesWith((argument) =>
    paths.some((path) => argument === path || argument.startsWith(`${path}/`)),
  );
  return found.map((identity) => ({ ...identity, program: programOf(identity.pid) }));
}

/** Chromium's processes, helpers included, whose profile is in a directory: they write to it until they exit. */
export function browsersIn(directory: string): ProcessIdentity[] {
  const profile = `--user-data-dir=${directory}/`;
  return processesWith((argument) => argument.startsWith(profile));
}
