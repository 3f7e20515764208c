import { mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { installPackages } from '@cachescope/harness/environment/packages.ts';
import { findProgram } from '@cachescope/harness/environment/setup/programs.mjs';
import { createPrivilege } from '@cachescope/harness/privilege.ts';
import { entryObstacle } from './chroot.ts';
import { debianMirror } from './host-settings.ts';
import { makeBase } from './machine.ts';
import type { Release, User } from './release.ts';
import { type Trial, trialRow, tryFirstCommand } from './trial.ts';

/** A base, and a machine with Chromium and the project's packages, bytes. */
const neededBytes = 6e9;
/** On a disk, and with a short path. */
const places = '/var/tmp';

/** Why no machine can be made on this computer, in a phrase; null: one can. Installs debootstrap where that is allowed. */
export async function benchObstacle(say: (line: string) => void): Promise<string | null> {
  const entry = entryObstacle();
  if (entry !== null) return entry;
  const privilege = createPrivilege({ dryRun: false, say });
  const missing = findProgram('debootstrap') === null ? ['debootstrap'] : [];
  try {
    await installPackages(missing, 'The test bench of machines', privilege, say);
  } catch (error) {
    return String(error);
  }
  if (debianMirror() === null) return 'apt names no mirror of Debian';
  const { bavail, bsize } = statfsSync(places);
  if (bavail * bsize < neededBytes)
    return `less than ${neededBytes / 1e9} GB are free in ${places}`;
  return null;
}

/**
 * Tries the first command on new machines of a release, one after another, and removes them and their base.
 *
 * @param bases Directory in which bases are kept for the next time; absent: they are removed.
 */
export async function tryRelease(
  release: Release,
  users: readonly User[],
  { say, bases }: { say: (line: string) => void; bases?: string | undefined },
): Promise<Trial[]> {
  const place = mkdtempSync(join(places, 'cachescope-machines-'));
  const remove = () => rmSync(place, { recursive: true, force: true, maxRetries: 5 });
  process.on('exit', remove);
  try {
    if (bases !== undefined) mkdirSync(bases, { recursive: true });
    say(`${release}: installing Debian with Node and npm in ${bases ?? place}`);
    const base = await makeBase(release, bases ?? place);
    const trials: Trial[] = [];
    for (const user of users) {
      say(`${release}, ${user}: the first command`);
      const trial = await tryFirstCommand(release, user, { base, place });
      for (const line of [trialRow(trial).join(', '), ...trial.problems]) say(line);
      trials.push(trial);
    }
    return trials;
  } finally {
    remove();
    process.off('exit', remove);
  }
}

/** Devices of this computer that the machines see, for the table. */
export function sharedDevices(): string {
  const names = new Set(readdirSync('/dev'));
  const has = (name: string) => `/dev/${name}: ${names.has(name) ? 'there' : 'missing'}`;
  return [
    has('fuse'),
    has('loop-control'),
    `/dev/mapper/control: ${hasMapper() ? 'there' : 'missing'}`,
  ].join(', ');
}

function hasMapper(): boolean {
  try {
    return readdirSync('/dev/mapper').includes('control');
  } catch {
    return false;
  }
}
