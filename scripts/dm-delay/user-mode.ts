import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installPackages } from '@cachescope/harness/environment/packages.ts';
import { CachescopeError, messageOf } from '@cachescope/harness/error.ts';
import type { Privilege } from '@cachescope/harness/privilege.ts';
import { guestScript, guestWords, upMark } from './guest-environment.ts';
import type { Boot, Lacking, Machine } from './machine.ts';

const program = '/usr/bin/linux.uml';
const packages = [
  { name: 'user-mode-linux', path: program },
  { name: 'busybox-static', path: '/usr/bin/busybox' },
];
const modulesPattern = '/usr/lib/uml/modules/*/kernel/**';
/** Time limit of a boot that does nothing, ms. */
const probeLimitMs = 20_000;

/**
 * User-mode Linux: a kernel that runs as an ordinary program on the host's files. It fails immediately on processors
 * with a larger register state than it supports (AMX), so a boot that does nothing is tried first.
 */
export async function userModeMachine(
  privilege: Privilege,
  say: (line: string) => void,
): Promise<Machine | Lacking> {
  try {
    const missing = packages.filter(({ path }) => !existsSync(path)).map(({ name }) => name);
    await installPackages(missing, 'The dm-delay test machine', privilege, say);
    const outDirectory = mkdtempSync(join(tmpdir(), 'cachescope-uml-'));
    const probe = await boot({ task: 'probe', outDirectory, limitMs: probeLimitMs }).finally(() =>
      rmSync(outDirectory, { recursive: true }),
    );
    if (!probe.includes(upMark)) return { lacking: reasonIn(probe) };
    const title = 'user-mode Linux, a slow processor';
    // Debian builds it with CONFIG_HZ=100.
    return { title, tickMs: 10, boot };
  } catch (error) {
    return { lacking: messageOf(error) };
  }
}

/** The console line with the kernel's failure, or a general text. */
function reasonIn(console: string): string {
  const lines = console.split('\n').map((line) => line.trim());
  return lines.find((line) => /ptrace.*errno|panic/i.test(line)) ?? 'it did not come up';
}

function modulePath(name: string): string {
  return globSync(join(modulesPattern, `${name}.ko`))[0] ?? '';
}

async function boot({ task, outDirectory, limitMs }: Boot): Promise<string> {
  const modules = ['loop', 'dm-mod', 'dm-delay', 'dm-flakey'].map(modulePath);
  const told = guestWords({ task, share: 'hostfs', outDirectory, modules });
  const kernel = ['mem=3G', 'root=/dev/root', 'rootfstype=hostfs', 'rootflags=/', 'ro', 'quiet'];
  const words = [
    ...kernel,
    `uml_dir=${outDirectory}`,
    `init=${guestScript}`,
    'con=null',
    'con0=null,fd:1',
    ...told,
  ];
  // A test that is interrupted or killed cannot end it.
  const bound = ['--pdeathsig', 'TERM', program, ...words];
  const child = spawn('setpriv', bound, { stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const console = await consoleOf(child, limitMs);
  writeFileSync(join(outDirectory, 'console.txt'), console);
  return console;
}

/**
 * All output of the machine until it ends. Its kernel's tasks are processes of one group, which is killed at the end.
 */
async function consoleOf(child: ChildProcess, limitMs: number): Promise<string> {
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const limit = setTimeout(() => endGroup(child), limitMs);
  try {
    await new Promise<void>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', () => resolve());
    });
  } catch (error) {
    throw new CachescopeError('CS_GUEST', `${program} did not start: ${messageOf(error)}`);
  } finally {
    clearTimeout(limit);
    endGroup(child);
  }
  return text;
}

function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
