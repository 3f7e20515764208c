import { accessSync, constants, existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { CachescopeError } from '../error.ts';
import type { Privilege } from '../privilege.ts';
import { isMounted } from './mounts.ts';

/** Paths that the user chose for the image and the mount point. */
export interface NamedPlaces {
  imagePath?: string | undefined;
  mountPoint?: string | undefined;
}

/** Why no file can be created in an existing directory; null when one can. */
export function directoryProblem(path: string): string | null {
  if (!statSync(path).isDirectory()) return `${path} is not a directory`;
  if (/^\/(proc|sys)(\/|$)/.test(path)) return `nothing can be kept in ${path}`;
  try {
    accessSync(path, constants.W_OK);
    return null;
  } catch {
    return `${path} is not writable`;
  }
}

function imageProblem(path: string): string | null {
  if (existsSync(path)) {
    const kind = statSync(path);
    const isDevice = kind.isBlockDevice() || kind.isCharacterDevice();
    return isDevice
      ? `the image ${path} is a device; it must be a new file, because it is formatted and deleted`
      : `the image ${path} exists; it must be a new file, because it is formatted and deleted`;
  }
  const parent = dirname(path);
  if (!existsSync(parent))
    return `the image ${path} is to lie in ${parent}, which does not exist; make it first`;
  const problem = directoryProblem(parent);
  return problem === null ? null : `the image ${path} cannot be made: ${problem}`;
}

function mountPointProblem(path: string): string | null {
  if (!existsSync(path)) return `the mount point ${path} does not exist; make it first`;
  if (!statSync(path).isDirectory()) return `the mount point ${path} is not a directory`;
  if (isMounted(path)) return `the mount point ${path} is in use; take an empty directory`;
  if (readdirSync(path).length > 0)
    return `the mount point ${path} is not empty, and what is in it would be hidden; take an empty directory`;
  return null;
}

/** Without links: the kernel lists mounts by their resolved path. */
function resolvedPlace(path: string): string {
  return existsSync(path) ? realpathSync(path) : resolve(path);
}

/** Problems of the paths that the user chose; empty when there are none. */
export function placeProblems({ imagePath, mountPoint }: NamedPlaces): string[] {
  const problems = [
    imagePath === undefined ? null : imageProblem(resolve(imagePath)),
    mountPoint === undefined ? null : mountPointProblem(resolvedPlace(mountPoint)),
  ];
  return problems.filter((problem) => problem !== null);
}

const loopControl = '/dev/loop-control';

/**
 * Refuses a kernel without loop devices.
 *
 * @throws CachescopeError CS_STORAGE_LOOP, exit code 3.
 */
export async function requireLoopDevices(privilege: Privilege): Promise<void> {
  if (existsSync(loopControl) || privilege.dryRun) return;
  await privilege.run(['modprobe', '-q', 'loop']).catch(() => undefined);
  if (existsSync(loopControl)) return;
  throw new CachescopeError('CS_STORAGE_LOOP', `there is no ${loopControl}: no loop devices here`, {
    hint: 'Slow storage is an image file behind a loop device. In a container, grant the rights of harness/docs/container.md; or measure the control alone: --storage none.',
  });
}
