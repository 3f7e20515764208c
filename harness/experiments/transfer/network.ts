import type { PathProof, TransferPath } from '@cachescope/model/transfer/path.ts';
import { linkDepartures } from '@cachescope/model/network/proof.ts';
import type { RoundTripProof } from '@cachescope/model/transfer/run.ts';
import type { TransferProtocol } from '@cachescope/model/transfer/sample.ts';
import { bringUpLink, type EmulatedLink } from '../../network/emulated-link.ts';
import type { Privilege } from '../../privilege.ts';
import { nodeClient, type TransferClientAtWork } from './client.ts';
import { DistantClient } from './distant-client.ts';
import { describeOrigin, startOwnOrigin, type TransferPlace } from './origin.ts';
import { measureRoundTrip } from './round-trip.ts';

/** The network between clients and an origin, and how each client runs at its end. */
export interface Network {
  place: TransferPlace;
  /** null: loopback, or a real network. */
  link: EmulatedLink | null;
  node(protocol: TransferProtocol): TransferClientAtWork;
  roundTrip(serverDelayMs: number): Promise<RoundTripProof>;
}

/** The network to an origin that this machine reaches without a link. */
export async function directNetwork(
  originUrl: string | null,
  resources: AsyncDisposableStack,
): Promise<Network> {
  const place = await describeOrigin(originUrl ?? (await startOwnOrigin('127.0.0.1', resources)));
  return {
    place,
    link: null,
    node: (protocol) => nodeClient(protocol, place.description.certificate),
    roundTrip: (serverDelayMs) => measureRoundTrip(place, serverDelayMs),
  };
}

/** An emulated link with an origin on this machine's end; the clients run in the namespace at the other end. */
export async function linkedNetwork(
  privilege: Privilege,
  resources: AsyncDisposableStack,
): Promise<Network> {
  const link = await bringUpLink(privilege, resources);
  const place = await describeOrigin(await startOwnOrigin(link.host, resources));
  const distant = new DistantClient(link, place.description.certificate);
  resources.defer(() => distant.end());
  return {
    place,
    link,
    node: (protocol) => distant.client(protocol),
    roundTrip: (serverDelayMs) => distant.roundTrip(place, serverDelayMs),
  };
}

/** Sets the link of a path for one launch and proves it; null: the path has none. */
export async function setPath(
  { link }: Network,
  path: TransferPath,
  launch: number,
): Promise<PathProof | null> {
  if (!link || !path.link) return null;
  const { initialWindow, congestion } = path;
  await link.set(path.link, {
    initialWindow: initialWindow ?? undefined,
    congestion: congestion ?? undefined,
  });
  const before = await link.prove(path.link);
  return { path: path.name, launch, before, after: null, counts: null, sockets: [] };
}

/** Proves the link again at the end of a launch. */
export async function closePath(
  { link }: Network,
  path: TransferPath,
  proof: PathProof,
): Promise<void> {
  if (!link || !path.link) return;
  proof.counts = await link.counts();
  proof.after = await link.prove(path.link);
}

/** Whether the link was not as set when its launch began. */
export function wasOff(path: TransferPath, proof: PathProof | null): boolean {
  return proof !== null && path.link !== null && linkDepartures(path.link, proof.before).length > 0;
}
