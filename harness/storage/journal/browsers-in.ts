import { readdirSync, readFileSync } from 'node:fs';
import { identityOf, type ProcessIdentity } from './process-identity.ts';

/** Chromium's processes, its helpers included, whose profile lies in a directory: they go on writing to it until they end. */
export function browsersIn(directory: string): ProcessIdentity[] {
  const profile = `--user-data-dir=${directory}/`;
  return readdirSync('/proc')
    .filter(
      (name) => /^\d+$/.test(name) && argumentsOf(name).some((word) => word.startsWith(profile)),
    )
    .map((name) => identityOf(Number(name)))
    .filter((identity) => identity !== null);
}

/** Empty for a process that has just ended, and for one of the kernel. */
function argumentsOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return [];
  }
}
