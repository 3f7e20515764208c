import type { StorageKind } from '@cachescope/model/run/sample.ts';
import type { FileSystem } from '@cachescope/model/run/variant.ts';
import { installPackages } from '../environment/packages.ts';
import type { Privilege } from '../privilege.ts';
import { missingPackages, resolveStorageKind } from '../storage/storage.ts';

/** The storage to work on, with what it and the file systems on it need installed. A dry run installs nothing. */
export async function storageFor(
  wanted: 'auto' | StorageKind,
  privilege: Privilege,
  say: (line: string) => void,
  fileSystems: readonly FileSystem[] = ['ext4'],
): Promise<StorageKind> {
  const kind = await resolveStorageKind(wanted, privilege);
  if (!privilege.dryRun)
    await installPackages(
      await missingPackages(kind, fileSystems),
      `${kind} storage`,
      privilege,
      say,
    );
  return kind;
}
