import type { Privilege } from '@cachescope/harness/privilege.ts';
import type { Lacking, Machine } from './machine.ts';
import { qemuMachine } from './qemu.ts';
import { userModeMachine } from './user-mode.ts';

/**
 * The test machine: user-mode Linux if it starts on this processor, otherwise qemu with an emulated processor. Required
 * packages are installed from the distribution.
 */
export async function findMachine(
  privilege: Privilege,
  say: (line: string) => void,
): Promise<Machine | Lacking> {
  if (process.arch !== 'x64') return { lacking: `there is no test machine for ${process.arch}` };
  const userMode = await userModeMachine(privilege, say);
  if ('boot' in userMode) return userMode;
  say(`User-mode Linux does not run here (${userMode.lacking}); taking qemu`);
  const qemu = await qemuMachine(privilege, say);
  if ('boot' in qemu) return qemu;
  return { lacking: `user-mode Linux: ${userMode.lacking}; qemu: ${qemu.lacking}` };
}
