import { existsSync, readFileSync } from 'node:fs';
import { release } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { CachescopeError } from '../../error.ts';
import type { Privilege } from '../../privilege.ts';
import { Journal } from '../../storage/journal/journal.ts';
import { undo } from '../../storage/journal/undo.ts';

/** A network namespace behind a delay, in which an origin can be started. */
export interface EmulatedNetwork {
  /** Prefix of a command that must run in the namespace. */
  enter: readonly string[];
  /** IP address of the namespace, reachable from this machine only. */
  host: string;
}

const prefix = 'cachescope-';
/** From the addresses reserved for benchmarks between networks (RFC 2544 section C.2.2): assigned to no network. */
const [here, there] = ['198.18.77.1', '198.18.77.2'];

/** Why this machine cannot emulate a network; null: it can. `root`: where its files are. */
export function netemLack(kernel: string = release(), root = '/'): string | null {
  if (existsSync(join(root, 'sys/module/sch_netem'))) return null;
  const configuration = join(root, 'proc/config.gz');
  if (existsSync(configuration)) {
    const config = gunzipSync(readFileSync(configuration)).toString();
    const [, state] = /^CONFIG_NET_SCH_NETEM=([ym])$/m.exec(config) ?? [];
    if (state === undefined) return `kernel ${kernel} is built without CONFIG_NET_SCH_NETEM`;
    if (state === 'y') return null;
  }
  const modules = join(root, 'lib/modules', kernel, 'modules.dep');
  if (existsSync(modules) && readFileSync(modules, 'utf8').includes('/sch_netem.ko')) return null;
  return `kernel ${kernel} has no module sch_netem`;
}

/**
 * The commands that create the namespace: a pair of virtual network interfaces, each delaying what it sends by half the
 * round trip.
 */
export function netemCommands(name: string, roundTripMs: number): string[][] {
  const [outer, inner] = [`cs${name.slice(-8)}a`, `cs${name.slice(-8)}b`];
  const inside = `ip netns exec ${name}`;
  const delay = (card: string) =>
    `tc qdisc add dev ${card} root netem limit 100000 delay ${roundTripMs / 2}ms`;
  return [
    `ip netns add ${name}`,
    `ip link add ${outer} type veth peer name ${inner} netns ${name}`,
    `ip address add ${here}/30 dev ${outer}`,
    `ip link set ${outer} up`,
    `${inside} ip address add ${there}/30 dev ${inner}`,
    `${inside} ip link set ${inner} up`,
    delay(outer),
    `${inside} ${delay(inner)}`,
  ].map((command) => command.split(' '));
}

/**
 * Creates the namespace. `resources` removes it; the next start removes what a killed program left behind.
 *
 * @throws CachescopeError CS_TRANSFER_NETEM (exit code 3) when the kernel has no netem.
 */
export async function emulateNetwork(
  roundTripMs: number,
  privilege: Privilege,
  resources: AsyncDisposableStack,
): Promise<EmulatedNetwork> {
  const lack = privilege.dryRun ? null : netemLack();
  if (lack !== null)
    throw new CachescopeError('CS_TRANSFER_NETEM', `--netem cannot be used here: ${lack}`, {
      hint: 'Use a wait of the origin instead (--server-delay MS), or measure between two machines (--origin URL).',
      exitCode: 3,
    });
  const name = `${prefix}${process.pid}`;
  const journal = Journal.begin({ inMemory: privilege.dryRun });
  resources.defer(async () => {
    await undo(journal, privilege);
    journal.end();
  });
  journal.record({ kind: 'network-namespace', name });
  for (const command of netemCommands(name, roundTripMs)) await privilege.run(command);
  const asRoot = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  return { enter: [...asRoot, 'ip', 'netns', 'exec', name], host: there };
}
