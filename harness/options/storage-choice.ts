import type { StorageKind } from '@cachescope/model/run/sample.ts';
import type { FileSystem } from '@cachescope/model/run/variant.ts';
import { messageOf } from '../error.ts';
import { installPackages } from '../environment/packages.ts';
import type { Privilege } from '../privilege.ts';
import { missingPackages, resolveStorageKind, titleOf } from '../storage/storage.ts';

/**
 * Selects the storage, and installs the packages that it and its file systems need. `auto` selects the best available
 * one and reports it; nbd-delay, if the packages of nbd-live cannot be installed. A dry run shows the commands.
 */
export async function storageFor(
  wanted: 'auto' | StorageKind,
  privilege: Privilege,
  say: (line: string) => void,
  fileSystems: readonly FileSystem[] = ['ext4'],
): Promise<StorageKind> {
  const install = async (kind: StorageKind) => {
    const missing = await missingPackages(kind, fileSystems);
    await installPackages(missing, `${kind} storage`, privilege, say);
    if (wanted === 'auto') say(`Storage: ${kind}, ${titleOf(kind)}`);
    return kind;
  };
  const best = await resolveStorageKind(wanted, privilege);
  if (wanted !== 'auto' || best !== 'nbd-live') return install(best);
  return install(best).catch((error: unknown) => {
    say(`nbd-live cannot be used: ${messageOf(error)}`);
    return install('nbd-delay');
  });
}
