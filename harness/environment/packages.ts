import { existsSync } from 'node:fs';
import { which } from 'zx';
import { CachescopeError } from '../error.ts';
import type { Privilege } from '../privilege.ts';

/** Time limit for an installation from the distribution, ms. */
const limitMs = 10 * 60_000;

/**
 * Installs Debian or Ubuntu packages that a run lacks. A dry run shows the commands.
 *
 * @throws CachescopeError CS_PACKAGES with the exact commands to type, exit code 3, on another system or without the
 * privilege.
 */
export async function installPackages(
  names: readonly string[],
  purpose: string,
  privilege: Privilege,
  say: (line: string) => void,
): Promise<void> {
  if (names.length === 0) return;
  const commands = `sudo apt-get update && sudo apt-get install --yes ${names.join(' ')}`;
  const isDebian = existsSync('/etc/debian_version') && (await which('apt-get', { nothrow: true }));
  if (!isDebian) {
    const problem = `${purpose} needs ${names.join(', ')}, and this system is neither Debian nor Ubuntu`;
    throw new CachescopeError('CS_PACKAGES', problem, {
      hint: `Install what your distribution calls ${names.join(', ')} and try again.`,
    });
  }
  say(`${privilege.dryRun ? 'Would install' : 'Installing'} ${names.join(', ')} (${purpose})`);
  try {
    await privilege.run(['apt-get', 'update', '-qq'], { limitMs });
    const install = ['apt-get', 'install', '-y', '-qq', '--no-install-recommends', ...names];
    await privilege.run(['env', 'DEBIAN_FRONTEND=noninteractive', ...install], { limitMs });
  } catch (error) {
    throw new CachescopeError(
      'CS_PACKAGES',
      `${purpose} needs ${names.join(', ')}: ${(error as Error).message}`,
      { hint: `Type: ${commands}`, cause: error },
    );
  }
}
