import { roundTripMsOf } from '../network/link.ts';
import type { TransferPath } from './path.ts';
import * as z from 'zod/mini';

/**
 * The link between client and origin. `loopback`: the loopback interface. `one machine`: a virtual network, both ends
 * in one kernel. `two kernels`: a real network, or a virtual one between virtual machines of one host; these cannot be
 * distinguished from inside.
 */
const linkKinds = ['loopback', 'one machine', 'two kernels', 'unknown'] as const;

/** The path between client and origin. */
export const transferLinkSchema = z.object({
  kind: z.enum(linkKinds),
  /** Host of the origin, as requested. */
  host: z.string(),
  /** Round trip that a network emulator adds, ms; null without one. */
  emulatedRoundTripMs: z.nullable(z.number()),
});
export type TransferLink = z.infer<typeof transferLinkSchema>;

/** The link of a path of a run; without paths, that of the run. */
export function linkOf(
  { plan, link }: { plan: { paths?: readonly TransferPath[] | undefined }; link: TransferLink },
  path: string | undefined,
): TransferLink {
  const found = plan.paths?.find(({ name }) => name === path);
  if (!found) return link;
  if (!found.link) return { kind: 'loopback', host: '127.0.0.1', emulatedRoundTripMs: null };
  const emulatedRoundTripMs = roundTripMsOf(found.link);
  return { kind: 'one machine', host: `over ${found.name}`, emulatedRoundTripMs };
}

/** Whether a host is a loopback address. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);
}

/**
 * Determines the link from the origin's host and its machine (TransferDescription). Namespaces and containers of one
 * kernel share a boot id; every virtual machine has its own. A loopback address may be the near end of a tunnel, so
 * different boot ids take precedence over the address.
 */
export function linkKind(
  host: string,
  machine: string | null,
  ownMachine: string | null,
): TransferLink['kind'] {
  const isKnown = machine !== null && ownMachine !== null;
  if (isKnown && machine !== ownMachine) return 'two kernels';
  if (isLoopback(host)) return 'loopback';
  return isKnown ? 'one machine' : 'unknown';
}

/** Whether another kernel answers at a loopback address: a tunnel or port forwarding carries the bytes. */
export function isTunnel({ kind, host }: TransferLink): boolean {
  return kind === 'two kernels' && isLoopback(host);
}

/** Whether packets stay within one kernel without a delay: a machine's own address is routed over loopback too. */
export function hasNoRoundTrip({ kind, emulatedRoundTripMs }: TransferLink): boolean {
  return kind === 'loopback' || (kind === 'one machine' && emulatedRoundTripMs === null);
}

const window =
  'congestion window, slow start and delayed acknowledgements: a round trip takes microseconds, so one more is not visible';
const network =
  'effects of network hardware: power management, interrupt moderation, segmentation offload, queues, radio; no packet reaches a device';
const kernels =
  'effects of two kernels: both ends share one, with its timers, its buffers and its processors';
const tunnel =
  'the cost of the first requests of a TCP connection: the tunnel ends each connection on this machine and carries the bytes in a connection that is already open';
const packets = 'packet size: loopback carries 64 KiB at once where Ethernet carries 1.5';

/** Effects that a measurement over this link cannot show, one per line; empty when none is known. */
export function cannotShow(link: TransferLink): string[] {
  if (hasNoRoundTrip(link)) return [window, packets, network, kernels];
  if (isTunnel(link)) return [tunnel];
  return link.kind === 'one machine' ? [network, kernels] : [];
}

/**
 * Facts about the link that a reader needs, in sentences. As Caffeine's LOWTIDE report (2016) found, some effects need
 * two physical machines.
 */
export function linkSentences(link: TransferLink, serverDelayMs: number): string[] {
  const sentences = [placeSentence(link)];
  if (serverDelayMs > 0)
    sentences.push(
      hasNoRoundTrip(link)
        ? `A server delay of ${serverDelayMs} ms replaces the round trip: each request waits for it once, independent of its size, so effects of several round trips are not visible.`
        : `A server delay of ${serverDelayMs} ms is added to each request.`,
    );
  if (isTunnel(link))
    sentences.push(
      `But ${link.host} is an address of this machine itself, so there is a tunnel or port forwarding in between. A TCP connection ends at its near end: the round trip is that of an empty request.`,
    );
  if (link.kind !== 'two kernels')
    sentences.push(
      'Equal distributions here do not prove equal distributions between two machines. Start npm run origin -- --host ADDRESS on another one, and give its URL with --origin.',
    );
  return sentences;
}

function placeSentence({ kind, host, emulatedRoundTripMs }: TransferLink): string {
  switch (kind) {
    case 'loopback':
      return `Client and origin (${host}) talk over the loopback of one machine.`;
    case 'one machine':
      return emulatedRoundTripMs === null
        ? `The origin (${host}) runs in this machine's own kernel.`
        : `The origin (${host}) runs in this machine's own kernel, behind an emulated round trip of ${emulatedRoundTripMs} ms.`;
    case 'two kernels':
      return `The origin (${host}) runs under another kernel. It may be another physical machine or a virtual machine on this one; effects of network hardware are visible only in the first case.`;
    default:
      return `Whether the origin (${host}) runs on another machine is unknown.`;
  }
}
