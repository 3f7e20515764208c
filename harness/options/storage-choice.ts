import type { StorageKind } from '@cachescope/model/run/sample.ts';
import type { FileSystem } from '@cachescope/model/run/variant.ts';
import { CachescopeError, messageOf } from '../error.ts';
import { installPackages } from '../environment/packages.ts';
import { missingText, withoutRootText } from '../environment/setup/missing.mjs';
import { remarks } from '../environment/setup/surroundings.mjs';
import type { Privilege } from '../privilege.ts';
import { missingPackages, resolveStorageKind, titleOf } from '../storage/storage.ts';

/** What the choice needs of a command. */
export interface StorageTools {
  privilege: Privilege;
  say: (line: string) => void;
  /** Debian's names of the packages that bring a missing browser, to be installed in the same step. */
  missingForBrowser: () => readonly string[];
}

/**
 * Selects the storage, and installs in one step the packages that it, its file systems and the browser need. `auto`
 * selects the best available one and reports it; nbd-delay, if the packages of nbd-live cannot be installed. A dry run
 * shows the commands.
 *
 * @throws CachescopeError CS_PACKAGES or CS_PRIVILEGE, exit code 3: without root there is no slow disk.
 */
export async function storageFor(
  wanted: 'auto' | StorageKind,
  { privilege, say, missingForBrowser }: StorageTools,
  fileSystems: readonly FileSystem[] = ['ext4'],
): Promise<StorageKind> {
  const install = async (kind: StorageKind) => {
    const missing = [...missingPackages(kind, fileSystems), ...missingForBrowser()];
    const obstacle = privilege.dryRun ? null : privilege.obstacle();
    if (kind !== 'none' && obstacle !== null) throw noSlowDisk(obstacle, kind, missing);
    await installPackages(missing, purposeOf(kind), privilege, say);
    if (wanted === 'auto') say(`Storage: ${kind}, ${titleOf(kind)}`);
    return kind;
  };
  const best = await resolveStorageKind(wanted, privilege);
  if (wanted !== 'auto' || best !== 'nbd-live' || privilege.obstacle() !== null)
    return install(best);
  return install(best).catch((error: unknown) => {
    say(`nbd-live cannot be used: ${messageOf(error)}`);
    return install('nbd-delay');
  });
}

/** Nothing is installed without root, and no disk attached: one message names what works, what is missing, and a command. */
function noSlowDisk(
  obstacle: string,
  kind: StorageKind,
  missing: readonly string[],
): CachescopeError {
  const works = withoutRootText(obstacle, missing);
  if (missing.length === 0) {
    const todo =
      'For a slow disk run it as root, or allow sudo without a password; --dry-run shows every command that needs root.';
    return new CachescopeError('CS_PRIVILEGE', works, { hint: [...remarks(), todo].join('\n') });
  }
  const { needs, hint } = missingText(purposeOf(kind), missing, obstacle);
  const lines = [needs, ...remarks(), hint];
  return new CachescopeError('CS_PACKAGES', works, { hint: lines.join('\n') });
}

function purposeOf(kind: StorageKind): string {
  return kind === 'none' ? 'A measurement' : `A measurement on ${kind}`;
}
