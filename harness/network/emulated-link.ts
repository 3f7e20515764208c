import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { checked, parsedJson } from '@cachescope/model/parsed.ts';
import {
  type Link,
  type LinkCounts,
  linkCountsSchema,
  type LinkDirection,
  type LinkProof,
  linkProofSchema,
  mtuBytes,
} from '@cachescope/model/network/link.ts';
import { linkDepartures } from '@cachescope/model/network/proof.ts';
import * as z from 'zod/mini';
import { Conversation } from '../conversation.ts';
import { CachescopeError, messageOf } from '../error.ts';
import type { Privilege } from '../privilege.ts';
import { plainDirection } from './link-reading.ts';
import { Journal } from '../storage/journal/journal.ts';
import { undo } from '../storage/journal/undo.ts';

const forwarder = join(import.meta.dirname, 'forwarder.py');
const probe = join(import.meta.dirname, 'probe-link.py');
/** Time limits of an answer of the forwarder and of a proof, ms: a proof sends packets over a delay of up to 10 s each way. */
const answerLimitMs = 30_000;
const proofLimitMs = 900_000;

const problemSchema = z.object({ problem: z.string() });
const countsSchema = z.union([problemSchema, linkCountsSchema]);
const proofSchema = z.union([problemSchema, z.omit(linkProofSchema, { takenAt: true })]);

/** Settings of the initial congestion window and the congestion control of the server's end; absent: the kernel's. */
export interface ServerTcp {
  /** Segments. */
  initialWindow?: number | undefined;
  /** A name of `net.ipv4.tcp_available_congestion_control`. */
  congestion?: string | undefined;
}

/** The client's end of a link. */
export interface LinkEnd {
  /** Address on which servers listen. */
  host: string;
  /** Address of the clients. */
  client: string;
  /** Prefix of a command that runs in the client's namespace, as this user. */
  enter: readonly string[];
}

/**
 * A link between clients in a network namespace of their own and servers of this machine. Nothing but these servers can be
 * reached from the namespace.
 */
export interface EmulatedLink extends LinkEnd {
  /** Changes the link; packets under way keep the earlier settings. */
  set(link: Link, tcp: ServerTcp): Promise<void>;
  /** Packets of each direction so far. */
  counts(): Promise<LinkCounts>;
  /** Measures the delay and the rate of a link that was set, without its loss, jitter and reordering. */
  prove(link: Link): Promise<LinkProof>;
}

/** Why this machine cannot emulate a link; null: it can. */
export function linkLack(root = '/'): string | null {
  if (existsSync(join(root, 'dev/net/tun'))) return null;
  return 'there is no /dev/net/tun (kernel module tun; in a container: --device /dev/net/tun --cap-add NET_ADMIN,SYS_ADMIN)';
}

/**
 * Addresses of both ends, from those reserved for benchmarks of networks (RFC 2544 appendix C.2.2, 198.18.0.0/15): assigned
 * to no network. Each process has a pair of its own.
 */
function addressesOf(pid: number): { client: string; server: string } {
  const first = (pid % 2 ** 15) * 4;
  const address = (number: number) =>
    `198.${18 + (number >> 16)}.${(number >> 8) & 255}.${number & 255}`;
  return { client: address(first + 1), server: address(first + 2) };
}

/**
 * The commands that configure both devices once they are made. This machine's end has a local route in place of an address:
 * Chromium breaks off what it connects when an address of its machine comes or goes (ERR_NETWORK_CHANGED), also one beside
 * this run.
 */
function configureCommands(
  namespace: string,
  device: string,
  { client, server }: Ends,
): string[][] {
  const inside = `ip -n ${namespace}`;
  const up = (ip: string, name: string) => [
    `${ip} link set ${name} mtu ${mtuBytes} txqueuelen 10000 addrgenmode none`,
    `${ip} link set ${name} up`,
  ];
  return [
    `${inside} link set lo up`,
    ...up('ip', device),
    `ip route add local ${server} dev ${device}`,
    `ip route add ${client} dev ${device} src ${server}`,
    ...up(inside, clientDevice),
    `${inside} address add ${client} peer ${server} dev ${clientDevice}`,
  ].map((command) => command.split(' '));
}

interface Ends {
  client: string;
  server: string;
}

const clientDevice = 'cachescope0';

/**
 * Brings up a link without any effect yet. `resources` removes it; what a killed program left is removed by the next start:
 * the devices and their packets end with the program, the namespace is in the journal.
 *
 * @throws CachescopeError CS_LINK (exit code 3) where the machine cannot emulate a link.
 */
export async function bringUpLink(
  privilege: Privilege,
  resources: AsyncDisposableStack,
): Promise<EmulatedLink> {
  const lack = privilege.dryRun ? null : linkLack();
  if (lack !== null) throw linkError(lack);
  const [namespace, device] = [`cachescope-${process.pid}`, `cachescope${process.pid}`.slice(-15)];
  const ends = addressesOf(process.pid);
  const journal = Journal.begin({ inMemory: privilege.dryRun });
  resources.defer(async () => {
    await undo(journal, privilege);
    journal.end();
  });
  journal.record({ kind: 'network-namespace', name: namespace });
  await privilege.run(['ip', 'netns', 'add', namespace]);
  const child = await privilege.converse([
    'python3',
    '-I',
    forwarder,
    namespace,
    clientDevice,
    device,
  ]);
  const conversation = child && new Conversation(child, 'The link');
  const ask = async (message: object | null): Promise<LinkCounts> => {
    if (!conversation) return noCounts;
    const answer = message
      ? conversation.ask(message, answerLimitMs)
      : conversation.answer(answerLimitMs);
    const text = await answer.catch((error: unknown) => {
      throw linkError(messageOf(error));
    });
    return answerOf(text, countsSchema);
  };
  resources.defer(() => conversation?.end(answerLimitMs));
  await ask(null);
  for (const command of configureCommands(namespace, device, ends)) await privilege.run(command);
  const measure = async (...trains: readonly [up: number, down: number]) => {
    const pair = [namespace, ends.client, ends.server];
    const command = ['python3', '-I', probe, ...pair, ...trains.map(String)];
    const text = await privilege.run(command, { limitMs: proofLimitMs });
    return privilege.dryRun ? noProof : answerOf(text, proofSchema);
  };
  // The way through two devices and the forwarder takes time of its own, which a delay includes: more after a pause, so
  // it is measured behind a delay.
  const trial = { ...plainDirection, delayMs: trialMs };
  await ask({ up: trial, down: trial });
  const own = await measure(0, 0);
  const shortestMs = Math.min(...own.udpEchoMs) + Math.min(...own.tcpConnectMs);
  const ownMs = privilege.dryRun ? 0 : Math.max(0, shortestMs / 4 - trialMs);
  const settings = (direction: LinkDirection) => ({
    ...direction,
    delayMs: Math.max(0, direction.delayMs - ownMs),
  });
  return {
    host: ends.server,
    client: ends.client,
    enter: enterCommand(namespace),
    async set({ up, down }, { initialWindow, congestion }) {
      await ask({ up: settings(up), down: settings(down) });
      const window = initialWindow === undefined ? [] : ['initcwnd', `${initialWindow}`];
      const control = congestion === undefined ? [] : ['congctl', congestion];
      const route = ['ip', 'route', 'replace', ends.client, 'dev', device, 'src', ends.server];
      await privilege.run([...route, ...window, ...control]);
    },
    counts: () => ask({}),
    async prove({ name, up, down }) {
      const plain = { lossShare: 0, jitterMs: 0, reorderShare: 0 };
      const link = { name, up: { ...up, ...plain }, down: { ...down, ...plain } };
      await ask({ up: settings(link.up), down: settings(link.down) });
      const take = async (): Promise<LinkProof> => ({
        ...(await measure(trainBytes(up), trainBytes(down))),
        takenAt: new Date().toISOString(),
      });
      let proof = await take();
      // A machine that stands still for a moment looks like a link that is off, but not each time.
      const isOff = () => !privilege.dryRun && linkDepartures(link, proof).length > 0;
      for (let taken = 1; taken < mostProofs && isOff(); taken++) proof = await take();
      await ask({ up: settings(up), down: settings(down) });
      return proof;
    },
  };
}

/** A train that takes 100 ms at the link's rate, of at least 8 packets, that its queue can hold; 0 without a rate. */
function trainBytes({ bitsPerSecond, queueBytes }: LinkDirection): number {
  if (bitsPerSecond === null) return 0;
  return Math.min(queueBytes, Math.max(8 * mtuBytes, Math.min(bitsPerSecond / 80, 300 * mtuBytes)));
}

/** Delay of each direction, ms, behind which the link's own time is measured. */
const trialMs = 5;

/** A proof that departs is taken again, up to so many in all. */
const mostProofs = 3;

const noDirection = { packets: 0, bytes: 0, queueDrops: 0, lossDrops: 0, refused: 0, maxLateMs: 0 };
/** Of a dry run. */
const noProof = { udpEchoMs: [], tcpConnectMs: [], upBitsPerSecond: null, downBitsPerSecond: null };
const noCounts: LinkCounts = { up: noDirection, down: noDirection };

/** A program in the namespace has the rights of this user, not those of root. */
function enterCommand(namespace: string): string[] {
  const enter = ['nsenter', `--net=/run/netns/${namespace}`, '--'];
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  if (uid === 0) return enter;
  return [
    'sudo',
    '-n',
    ...enter,
    'setpriv',
    `--reuid=${uid}`,
    `--regid=${gid}`,
    '--init-groups',
    '--',
  ];
}

function answerOf<Answer extends object>(
  text: string,
  schema: z.ZodMiniType<Answer | { problem: string }>,
): Answer {
  const json = parsedJson('the answer of the link', text);
  if ('problems' in json) throw linkError(json.problems.join('; '));
  const found = checked('the answer of the link', schema, json.value);
  if ('problems' in found) throw linkError(found.problems.join('; '));
  if ('problem' in found.value) throw linkError(found.value.problem);
  return found.value;
}

/** The error of a machine that cannot emulate a link, or of a link that failed. */
export function linkError(reason: string): CachescopeError {
  return new CachescopeError('CS_LINK', `a link cannot be emulated: ${reason}`, {
    hint: 'Measure without --link; transfer also measures between two machines (--origin URL).',
    exitCode: 3,
  });
}
