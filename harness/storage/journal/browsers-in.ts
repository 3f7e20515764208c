import { readdirSync, readFileSync } from 'node:fs';
import { identityOf, type ProcessIdentity } from './process-identity.ts';

/** Chromium's processes, helpers included, whose profile is in a directory: they write to it until they exit. */
export function browsersIn(directory: string): ProcessIdentity[] {
  const profile = `--user-data-dir=${directory}/`;
  return readdirSync('/proc')
    .filter(
      (name) => /^\d+$/.test(name) && argumentsOf(name).some((word) => word.startsWith(profile)),
    )
    .map((name) => identityOf(Number(name)))
    .filter((identity) => identity !== null);
}

/** Empty for a process that has just exited, and for a kernel thread. */
function argumentsOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return [];
  }
}
