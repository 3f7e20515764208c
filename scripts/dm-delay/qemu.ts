import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { CachescopeError, messageOf } from '@cachescope/harness/error.ts';
import { commandText, type Privilege } from '@cachescope/harness/privilege.ts';
import { installPackages } from '@cachescope/harness/environment/packages.ts';
import { guestScript, guestWords } from './guest-environment.ts';
import { writeInitramfs } from './initramfs.ts';
import { type KernelFiles, kernelFiles } from './kernel.ts';
import type { Boot, Lacking, Machine } from './machine.ts';

/** A program that a guest needs, started by this process. */
interface GuestProcess {
  /** Its stderr so far. */
  words(): string;
  /** Settles when it has ended, with its exit code; null: a signal ended it. */
  ended: Promise<number | null>;
  /** Terminates it, unless it has ended. */
  end(): Promise<void>;
}

/**
 * Starts a program that is terminated after a time limit, and when this process ends: a hanging guest must not outlive
 * its test.
 *
 * @throws CachescopeError CS_PRIVILEGE without root.
 */
async function startProcess(
  privilege: Privilege,
  argv: readonly string[],
  limitMs: number,
): Promise<GuestProcess> {
  const bounds = ['setpriv', '--pdeathsig', 'TERM', 'timeout', `${Math.ceil(limitMs / 1000)}`];
  const child = await privilege.start([...bounds, ...argv]);
  if (child === null) throw new CachescopeError('CS_GUEST', `a dry run starts no ${argv[0]}`);
  return watchProcess(child, privilege, argv);
}

function watchProcess(
  child: ChildProcess,
  privilege: Privilege,
  argv: readonly string[],
): GuestProcess {
  let words = '';
  let isOver = false;
  child.stderr?.on('data', (chunk: Buffer) => (words += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => {
    child.on('error', (error) => {
      words += `${commandText(argv)}: ${error.message}`;
      resolve(null);
    });
    child.on('close', resolve);
  }).finally(() => (isOver = true));
  return {
    words: () => words,
    ended,
    async end() {
      if (isOver) return;
      // It may have ended just now.
      await privilege.run(['kill', '-s', 'TERM', `${child.pid}`]).catch(() => undefined);
      await ended;
    },
  };
}

const programs = [
  { name: 'qemu-system-x86', path: '/usr/bin/qemu-system-x86_64' },
  { name: 'busybox-static', path: '/usr/bin/busybox' },
];
/** Paths in distributions of the program that shares the host's files with a guest. */
const virtiofsdPaths = ['/usr/lib/qemu/virtiofsd', '/usr/libexec/virtiofsd'];

const memory = '3G';
/** The processor's name in the guest's /proc/cpuinfo, so that every result shows that the processor was emulated. */
const cpuName = 'QEMU TCG (emulated)';
/** Time within which the file servers must listen, ms. */
const startLimitMs = 10_000;

/**
 * qemu with an emulated processor, because many build machines lack KVM. With `icount` the guest's clock counts its
 * instructions, 1 ns each: the speed of the emulation and the load of this computer do not affect the guest's times and
 * time limits. Without AVX and address space randomization the emulation takes half the work.
 */
function qemuCommand(kernel: KernelFiles, initramfs: string, words: string, out: Places): string[] {
  const sockets = { root: out.rootSocket, out: out.outSocket };
  const shares = Object.entries(sockets).flatMap(([tag, path]) => [
    '-chardev',
    `socket,id=${tag},path=${path}`,
    '-device',
    `vhost-user-fs-pci,chardev=${tag},tag=${tag},queue-size=1024`,
  ]);
  const fixed =
    '-accel tcg,tb-size=1024 -icount shift=0 -smp 1 ' +
    `-m ${memory} -object memory-backend-memfd,id=mem,size=${memory},share=on -numa node,memdev=mem ` +
    '-nodefaults -display none -no-reboot';
  const kernelWords = ['-kernel', kernel.image, '-initrd', initramfs, '-append', words];
  const serial = ['-serial', `file:${out.console}`];
  const cpu = ['-cpu', `Nehalem,model-id=${cpuName}`];
  return ['qemu-system-x86_64', ...fixed.split(' '), ...cpu, ...shares, ...kernelWords, ...serial];
}

interface Places {
  console: string;
  rootSocket: string;
  outSocket: string;
}

/** qemu with Debian's cloud kernel. Required packages are installed. */
export async function qemuMachine(
  privilege: Privilege,
  say: (line: string) => void,
): Promise<Machine | Lacking> {
  try {
    const missing = programs.filter(({ path }) => !existsSync(path)).map(({ name }) => name);
    await installPackages(missing, 'The dm-delay test machine', privilege, say);
    if (!virtiofsdPaths.some(existsSync))
      await installPackages(['virtiofsd'], 'The dm-delay test machine', privilege, say);
    const kernel = await kernelFiles(say);
    const title = `qemu, Linux ${kernel.version}, emulated processor whose clock counts instructions`;
    const { tickMs } = kernel;
    return { title, tickMs, boot: (boot) => bootQemu(kernel, boot, privilege) };
  } catch (error) {
    return { lacking: messageOf(error) };
  }
}

/** Serves a directory's files to the guest. */
function serve(
  privilege: Privilege,
  directory: string,
  socket: string,
  limitMs: number,
): Promise<GuestProcess> {
  const program = virtiofsdPaths.find(existsSync) ?? 'virtiofsd';
  const options = `source=${directory},sandbox=chroot,cache=always`;
  return startProcess(privilege, [program, `--socket-path=${socket}`, '-o', options], limitMs);
}

async function requireSockets(places: Places, servers: readonly GuestProcess[]): Promise<void> {
  const sockets = [places.rootSocket, places.outSocket];
  for (const end = Date.now() + startLimitMs; !sockets.every(existsSync); await wait(20)) {
    if (Date.now() < end) continue;
    const words = servers.map((server) => server.words().trim()).join('\n');
    throw new CachescopeError(
      'CS_GUEST',
      `virtiofsd does not listen: ${words || 'no error output'}`,
    );
  }
}

async function bootQemu(kernel: KernelFiles, boot: Boot, privilege: Privilege): Promise<string> {
  const work = mkdtempSync(join(tmpdir(), 'cachescope-qemu-'));
  const places = {
    console: join(boot.outDirectory, 'console.txt'),
    rootSocket: join(work, 'root.sock'),
    outSocket: join(work, 'out.sock'),
  };
  const initramfs = join(work, 'initramfs');
  const modules = ['loop', 'dm-mod', 'dm-delay', 'dm-flakey'].map(
    (name) => kernel.module(name) ?? '',
  );
  const { task, limitMs, outDirectory } = boot;
  const told = guestWords({ task, share: 'virtiofs', outDirectory, modules });
  const words = ['console=ttyS0 quiet panic=-1 norandmaps mitigations=off', ...told].join(' ');
  const started: GuestProcess[] = [];
  try {
    writeInitramfs(kernel, guestScript, initramfs);
    started.push(await serve(privilege, '/', places.rootSocket, limitMs));
    started.push(await serve(privilege, outDirectory, places.outSocket, limitMs));
    await requireSockets(places, started);
    const command = qemuCommand(kernel, initramfs, words, places);
    const qemu = await startProcess(privilege, command, limitMs);
    started.push(qemu);
    return consoleOf(places.console, await qemu.ended, qemu.words());
  } finally {
    for (const process of started.toReversed()) await process.end();
    rmSync(work, { recursive: true });
  }
}

function consoleOf(path: string, code: number | null, words: string): string {
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  if (code === 0) return text;
  const tail = text.split('\n').slice(-20).join('\n');
  throw new CachescopeError(
    'CS_GUEST',
    `qemu ended with code ${code}: ${words.trim() || 'no error output'}\n${tail}`,
  );
}
