import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CachescopeError } from '../error.ts';
import { commandText } from '../privilege.ts';
import { journalDirectory } from './journal.ts';
import { identityOf, isRunning, type ProcessIdentity } from './process-identity.ts';

/** How often one that waits looks again, ms. */
const pauseMs = 250;

/** This machine, kept from other runs of this user. The kernel gives it free when its process ends, however it ends. */
export interface MachineClaim {
  /** Gives the machine free. Does nothing the second time. */
  release(): void;
}

export interface ClaimOptions {
  /** True: wait until the other run has ended. */
  wait: boolean;
  /** Told once whom it waits for. */
  say: (line: string) => void;
  /** Where the state of this user lies; for tests. */
  directory?: string;
}

/** Who holds the machine, for messages. */
interface Holder extends ProcessIdentity {
  command: string;
}

/**
 * A socket in Linux's abstract namespace (unix(7)): binding it is atomic, and no file of it is left by a process that was
 * killed, so there is nothing to take over from a dead holder, and no moment at which two could.
 */
function socketNameOf(directory: string): string {
  const digest = createHash('sha256').update(directory).digest('hex');
  return `\0cachescope-run-${digest.slice(0, 32)}`;
}

function holderFile(directory: string): string {
  return join(directory, 'run-holder.json');
}

/** null when the file is none, or names a process that has ended: the holder has not yet written its own. */
function readHolder(directory: string): Holder | null {
  try {
    const holder = JSON.parse(readFileSync(holderFile(directory), 'utf8')) as Holder;
    return isRunning(holder) ? holder : null;
  } catch {
    return null;
  }
}

/** `process 812 (node harness/cli.ts sweep 0 10 1)`. */
function holderText(directory: string): string {
  const holder = readHolder(directory);
  return holder ? `process ${holder.pid} (${holder.command})` : 'a process that has just started';
}

/** null when another process has bound it. */
async function bind(name: string): Promise<Server | null> {
  // Nobody has anything to say here.
  const server = createServer((stranger) => stranger.destroy());
  try {
    server.listen(name);
    await once(server, 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return null;
    throw error;
  }
  server.unref();
  return server;
}

function writeHolder(directory: string): void {
  const command = commandText(process.argv);
  writeFileSync(holderFile(directory), JSON.stringify({ ...identityOf(process.pid), command }));
}

/**
 * Keeps this machine for one run: two at once would measure each other.
 *
 * @throws CachescopeError CS_BUSY, exit code 3, naming the other run's process, when it is taken and `wait` is false.
 */
export async function claimMachine(options: ClaimOptions): Promise<MachineClaim> {
  const directory = options.directory ?? dirname(journalDirectory());
  mkdirSync(directory, { recursive: true });
  const name = socketNameOf(directory);
  let server = await bind(name);
  if (!server && options.wait) options.say(`Waiting for ${holderText(directory)} to end`);
  for (; !server; server = await bind(name)) {
    if (!options.wait) {
      throw new CachescopeError('CS_BUSY', `${holderText(directory)} measures on this machine`, {
        hint: 'Two runs at once would measure each other. Wait until it has ended, or add --wait.',
        exitCode: 3,
      });
    }
    await sleep(pauseMs);
  }
  writeHolder(directory);
  return claimOf(server, directory);
}

function claimOf(server: Server, directory: string): MachineClaim {
  let isHeld = true;
  return {
    release() {
      if (!isHeld) return;
      isHeld = false;
      rmSync(holderFile(directory), { force: true });
      server.close();
    },
  };
}
