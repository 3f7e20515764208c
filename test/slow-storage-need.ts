import { createPrivilege } from '../harness/privilege.ts';
import { missingPackages } from '../harness/storage/storage.ts';

/** Why tests over slow storage cannot run on this machine, or null when they can. */
export async function whatSlowStorageLacks(): Promise<string | null> {
  // nbd-live needs everything that nbd-delay needs.
  const packages = missingPackages('nbd-live');
  if (packages.length > 0) return `${packages.join(', ')} could not be installed`;
  try {
    await createPrivilege({ dryRun: false, say: () => undefined }).run(['true']);
    return null;
  } catch (error) {
    return String(error);
  }
}
