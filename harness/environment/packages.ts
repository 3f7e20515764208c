import { CachescopeError, messageOf } from '../error.ts';
import type { Privilege } from '../privilege.ts';
import { mayInstall, missingText } from './setup/missing.mjs';

/** Time limit for an installation from the distribution, ms. */
const limitMs = 10 * 60_000;

/**
 * Installs packages that a run lacks, by Debian's names, with apt-get. A dry run shows the commands.
 *
 * @throws CachescopeError CS_PACKAGES with the one command to type, exit code 3, on another system or without root.
 */
export async function installPackages(
  names: readonly string[],
  purpose: string,
  privilege: Privilege,
  say: (line: string) => void,
): Promise<void> {
  if (names.length === 0) return;
  const obstacle = privilege.dryRun ? null : privilege.obstacle();
  const { message, hint } = missingText(purpose, names, obstacle);
  if (!mayInstall(obstacle)) throw new CachescopeError('CS_PACKAGES', message, { hint });
  say(`${privilege.dryRun ? 'Would install' : 'Installing'} ${names.join(', ')} (${purpose})`);
  try {
    await privilege.run(['apt-get', 'update', '-qq'], { limitMs });
    const install = ['apt-get', 'install', '-y', '-qq', '--no-install-recommends', ...names];
    await privilege.run(['env', 'DEBIAN_FRONTEND=noninteractive', ...install], { limitMs });
  } catch (error) {
    const failed = `${purpose} needs ${names.join(', ')}: ${messageOf(error)}`;
    throw new CachescopeError('CS_PACKAGES', failed, { hint, cause: error });
  }
}
