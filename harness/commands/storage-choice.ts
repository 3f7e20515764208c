import type { StorageKind } from '@cachescope/model/sample.ts';
import { installPackages } from '../environment/packages.ts';
import type { Privilege } from '../privilege.ts';
import { missingPackages, resolveStorageKind } from '../storage/storage.ts';

/** The storage to work on, with what it needs installed. A dry run installs nothing. */
export async function storageFor(
  wanted: 'auto' | StorageKind,
  privilege: Privilege,
  say: (line: string) => void,
): Promise<StorageKind> {
  const kind = await resolveStorageKind(wanted, privilege);
  if (!privilege.dryRun)
    await installPackages(await missingPackages(kind), `${kind} storage`, privilege, say);
  return kind;
}
