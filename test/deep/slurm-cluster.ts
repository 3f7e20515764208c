import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { availableParallelism, hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { vi } from 'vitest';
import { which } from 'zx';
import { installPackages } from '../../harness/environment/packages.ts';
import { createPrivilege } from '../../harness/privilege.ts';
import { hangLimitMs } from '../hang-limit.ts';

const packages = ['munge', 'slurmctld', 'slurmd', 'slurm-client'];
const programs = ['munged', 'slurmctld', 'slurmd', 'sbatch'];
/** Daemons are in /usr/sbin, which a user's search path may leave out. */
const path = `${process.env['PATH']}:/usr/sbin`;

/** Installs Slurm from the distribution; returns why it cannot run here, or null. */
export async function whatSlurmLacks(): Promise<string | null> {
  const missing = async () => {
    const found = await Promise.all(programs.map((name) => which(name, { nothrow: true, path })));
    return programs.filter((_, place) => found[place] === null);
  };
  if (userInfo().uid !== 0) return 'slurmd needs root';
  if ((await missing()).length === 0) return null;
  const say = (line: string) => console.warn(line);
  const privilege = createPrivilege({ dryRun: false, say: () => undefined });
  try {
    await installPackages(packages, 'The test of Slurm', privilege, say);
  } catch (error) {
    return String(error);
  }
  const still = await missing();
  return still.length === 0
    ? null
    : `${still.join(', ')} could not be found after the installation`;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/**
 * A cluster of one node on loopback, in a directory of its own: munged, slurmctld and slurmd. Cgroups are not used, so
 * that it runs in a container too: task/none, and proctrack/pgid, because the linuxproc of Slurm 22.05 sends no signal to
 * a process whose name has spaces, such as npm's.
 */
export class SlurmCluster {
  readonly env: NodeJS.ProcessEnv;
  readonly #directory: string;
  readonly #daemons: ChildProcess[] = [];

  private constructor(directory: string, env: NodeJS.ProcessEnv) {
    this.#directory = directory;
    this.env = { ...env, PATH: path, SLURM_CONF: join(directory, 'slurm.conf') };
  }

  /** Starts the daemons and waits until the node takes jobs; `env` is also that of the jobs. */
  static async start(directory: string, env: NodeJS.ProcessEnv): Promise<SlurmCluster> {
    const cluster = new SlurmCluster(directory, env);
    try {
      await cluster.#begin();
    } catch (error) {
      await cluster.stop();
      throw error;
    }
    return cluster;
  }

  async #begin(): Promise<void> {
    const directory = this.#directory;
    for (const name of ['', 'controller', 'node'])
      mkdirSync(join(directory, name), { mode: 0o700 });
    const [controllerPort, nodePort] = await Promise.all([freePort(), freePort()]);
    const inside = (name: string) => join(directory, name);
    writeFileSync(inside('munge.key'), randomBytes(128), { mode: 0o600 });
    writeFileSync(inside('slurm.conf'), configuration(directory, controllerPort, nodePort));
    const files = ['key-file', 'socket', 'pid-file', 'log-file', 'seed-file'];
    // --force: the socket's directory is closed to other users, who need it on a shared machine only.
    const munge = files.map((name) => `--${name}=${inside(`munge.${name.split('-')[0]}`)}`);
    this.#spawn('munged', ['--foreground', '--force', ...munge]);
    await this.until(() => existsSync(inside('munge.socket')));
    this.#spawn('slurmctld', ['-D']);
    this.#spawn('slurmd', ['-D', '-N', hostname()]);
    await this.until(async () => (await this.states()) === 'idle');
  }

  /** What a program of Slurm prints. */
  async run(program: string, ...words: string[]): Promise<string> {
    const { stdout } = await promisify(execFile)(program, words, { env: this.env });
    return stdout.trim();
  }

  /** State of the node, such as `idle`; empty while the controller does not answer. */
  states(): Promise<string> {
    return this.run('sinfo', '--noheader', '--format=%T').catch(() => '');
  }

  /** Waits until no job is pending or running. */
  async idle(): Promise<void> {
    await this.until(async () => (await this.run('squeue', '--noheader')) === '');
  }

  /** Ends all jobs, then the daemons, last started first. A second call does nothing. */
  async stop(): Promise<void> {
    const daemons = this.#daemons.splice(0).toReversed();
    if (daemons.length === 0) return;
    await this.run('scancel', `--user=${userInfo().username}`).catch(() => '');
    await this.idle().catch(() => undefined);
    for (const daemon of daemons) {
      if (daemon.exitCode !== null || daemon.signalCode !== null) continue;
      daemon.kill('SIGTERM');
      await once(daemon, 'exit');
    }
  }

  #spawn(name: string, words: string[]): void {
    const log = openSync(join(this.#directory, `${name}.log`), 'a');
    const daemon = spawn(name, words, { env: this.env, stdio: ['ignore', log, log] });
    daemon.once('error', (error) => console.error(error));
    closeSync(log);
    this.#daemons.push(daemon);
  }

  /** Waits for a condition; fails when a daemon ends. */
  async until(condition: () => boolean | Promise<boolean>): Promise<void> {
    const checked = async () => {
      const dead = this.#daemons.find(({ exitCode, signalCode }) => exitCode ?? signalCode);
      if (dead)
        throw new Error(`${dead.spawnfile} ended by itself; its log is in ${this.#directory}`);
      return condition();
    };
    let failure: unknown;
    const settled = () =>
      checked().catch((error: unknown) => {
        failure = error;
        return true;
      });
    await vi.waitUntil(settled, { timeout: hangLimitMs, interval: 50 });
    if (failure !== undefined) throw failure;
  }
}

function configuration(directory: string, controllerPort: number, nodePort: number): string {
  const user = userInfo().username;
  return `ClusterName=test
SlurmctldHost=${hostname()}(127.0.0.1)
SlurmctldPort=${controllerPort}
SlurmdPort=${nodePort}
SlurmUser=${user}
SlurmdUser=${user}
AuthType=auth/munge
AuthInfo=socket=${directory}/munge.socket,cred_expire=5
StateSaveLocation=${directory}/controller
SlurmdSpoolDir=${directory}/node
SlurmctldPidFile=${directory}/slurmctld.pid
SlurmdPidFile=${directory}/slurmd.pid
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=batch_sched_delay=0,bf_interval=1
AccountingStorageType=accounting_storage/none
MpiDefault=none
NodeName=${hostname()} NodeAddr=127.0.0.1 CPUs=${availableParallelism()} State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
`;
}
