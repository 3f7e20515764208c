import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';

/** What a command in a machine said, and how it ended. */
export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
  /** From its start to its end, s. */
  seconds: number;
}

/** The directory that becomes the root of a machine. */
export interface Root {
  path: string;
  /** What is mounted there for each command (Linux Documentation/filesystems/overlayfs.rst); absent: it is there. */
  layers?: { lower: string; upper: string; work: string };
}

/** A namespace has copies of all mounts: those of slow disks would keep the disks of other runs in use. */
const withoutDisks =
  'for at in $(cut -d " " -f 2 /proc/self/mounts); do case $at in */cachescope-disk-*) umount --lazy "$at";; esac; done';

/** Mounts the layers `$2`, /proc, /sys and the devices of this computer at `$1`, and enters it. */
const enter = [
  '[ -z "$2" ] || mount -t overlay -o "$2" overlay "$1"',
  'mount -t proc proc "$1/proc"',
  'mount --rbind /sys "$1/sys"',
  'mount --rbind /dev "$1/dev"',
  'root=$1',
  'shift 2',
  'exec chroot "$root" "$@"',
];

/** Words that run a script with namespaces of its own, which end with it, as do its mounts and all processes that it started. */
function withNamespaces(script: readonly string[], ...args: readonly string[]): string[] {
  const own = ['--mount', '--propagation', 'private', '--pid', '--fork', '--kill-child'];
  return [...own, 'sh', '-c', ['set -e', withoutDisks, ...script].join('\n'), 'sh', ...args];
}

/** Installs a release of Debian in a directory, which then can be a root. */
export async function debootstrap(release: string, path: string, mirror: string): Promise<void> {
  // It leaves /proc mounted.
  const command = ['debootstrap', '--variant=minbase', release, path, mirror];
  const { code, stdout, stderr } = await ended(
    withNamespaces(['exec "$@"'], ...command),
    process.env,
  );
  if (code !== 0) throw new Error(`${command.join(' ')}: ${(stdout + stderr).slice(-2000)}`);
}

/** Programs without what the caller's shell added. */
const plainEnvironment = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LANG: 'C.UTF-8',
};

const running = new Set<ChildProcess>();
process.on('exit', () => running.forEach((child) => child.kill('SIGKILL')));

/** Why no machine can be entered here, in a phrase; null: one can. */
export function entryObstacle(): string | null {
  if (process.getuid?.() !== 0) return 'only root can make and enter a chroot';
  const { status, stderr, error } = spawnSync('unshare', withNamespaces(['true']), {
    encoding: 'utf8',
  });
  return status === 0 ? null : (error?.message ?? stderr.trim());
}

/** Runs a command in a chroot, as root, in namespaces of its own. */
export async function runIn(
  { path, layers }: Root,
  command: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const overlay = layers
    ? `lowerdir=${layers.lower},upperdir=${layers.upper},workdir=${layers.work}`
    : '';
  return ended(withNamespaces(enter, path, overlay, ...command), environment);
}

async function ended(words: readonly string[], environment: NodeJS.ProcessEnv): Promise<Ended> {
  const startedAt = performance.now();
  const child = spawn('unshare', words, {
    env: { ...plainEnvironment, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (chunk: Buffer) => (said[name] += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  running.delete(child);
  return { code, ...said, seconds: (performance.now() - startedAt) / 1000 };
}

/** The same, where a failure is an error with what the command said. */
export async function mustRunIn(root: Root, command: readonly string[]): Promise<void> {
  const { code, stdout, stderr } = await runIn(root, command, {
    DEBIAN_FRONTEND: 'noninteractive',
  });
  if (code !== 0)
    throw new Error(`${command.join(' ')} in ${root.path} ended with ${code}\n${stdout}${stderr}`);
}
