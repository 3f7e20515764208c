import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SocketStatistics } from '@cachescope/model/network/link.ts';
import { createRandom } from '@cachescope/model/statistics/random.ts';
import type { TransferPlan, TransferRun } from '@cachescope/model/transfer/run.ts';
import {
  idlePauseMs,
  type TransferCell,
  transferFlagsOf,
  type TransferSample,
} from '@cachescope/model/transfer/sample.ts';
import { seriesLabel } from '@cachescope/model/transfer/words.ts';
import type { PathProof, TransferPath } from '@cachescope/model/transfer/path.ts';
import { shuffle } from '../../lab/schedule.ts';
import { socketStatistics } from '../../network/socket-statistics.ts';
import type { RunSession } from '../../lab/run-session.ts';
import type { Found } from '../experiment.ts';
import { batchesOf, lacking, type TransferBatch } from './batches.ts';
import { launchTransferBrowser, transferFlags } from './browser.ts';
import type { TransferClientAtWork } from './client.ts';
import {
  closePath,
  directNetwork,
  linkedNetwork,
  type Network,
  setPath,
  wasOff,
} from './network.ts';
import type { TransferAsked } from './options.ts';

/** The requirements of transfers. */
export interface TransferFound extends TransferAsked, Found {
  plan: TransferPlan;
}

type TransferSession = RunSession<TransferRun, TransferSample, TransferFound>;

/** A plan without paths has one: that of `--origin`, or loopback. */
const onlyPath: TransferPath = { name: '', link: null, initialWindow: null, congestion: null };

/**
 * Measures transfers: in each launch, on each path in a random order, batches of sequential requests in a random order of
 * cells, with the round trip before and after them. Returns the cells without a usable request as text; null: there are
 * none.
 */
export async function measureTransfers(session: TransferSession): Promise<string | null> {
  const { plan, chromiumPath } = session.found;
  const { paths = [onlyPath] } = plan;
  const networks = await openNetworks(session, paths);
  const [first] = networks.values();
  if (!first) return null;
  const chromium = { version: 'none used', path: chromiumPath, flags: [] };
  const storage = 'not used: nothing is cached';
  const run = await session.begin(
    { chromium, storage, timerStepMs: null },
    { plan, link: first.place.link, roundTrips: [], ...(plan.paths && { pathProofs: [] }) },
  );
  for (let launch = 0; launch < plan.launches && !session.shouldStop(); launch++) {
    const random = createRandom(plan.seed + launch);
    for (const path of shuffle(paths, random)) {
      const network = networks.get(path.link !== null);
      if (session.shouldStop() || !network) break;
      const proof = await setPath(network, path, launch);
      if (proof) run.pathProofs?.push(proof);
      const roundTrip = async () => {
        const measured = await network.roundTrip(plan.serverDelayMs);
        run.roundTrips.push(plan.paths ? { ...measured, path: path.name } : measured);
      };
      await roundTrip();
      await takeLaunch({ session, network, path, proof, launch, random });
      if (session.shouldStop()) break;
      await roundTrip();
      if (proof) await closePath(network, path, proof);
      await session.save();
    }
    await session.save();
  }
  return session.shouldStop() ? null : lacking(plan, session.lines);
}

/** The networks of the paths: by whether they have an emulated link. */
async function openNetworks(
  { found: { originUrl }, privilege, progress, resources }: TransferSession,
  paths: readonly TransferPath[],
): Promise<Map<boolean, Network>> {
  const networks = new Map<boolean, Network>();
  if (paths.some(({ link }) => link === null)) {
    progress.step(originUrl === null ? 'Starting the origin' : `Origin ${originUrl}`);
    networks.set(false, await directNetwork(originUrl, resources));
  }
  if (paths.some(({ link }) => link !== null)) {
    progress.step('Bringing up the link and an origin at its end');
    networks.set(true, await linkedNetwork(privilege, resources));
  }
  return networks;
}

/** One path in one launch. */
interface PathLaunch {
  session: TransferSession;
  network: Network;
  path: TransferPath;
  proof: PathProof | null;
  launch: number;
  random: () => number;
}

/** One launch of each client: samples of one launch resemble each other. */
async function takeLaunch(where: PathLaunch): Promise<void> {
  const { session, network, path, launch, random } = where;
  const { found, extensionDirectory, work } = session;
  const { plan, chromiumPath, headful } = found;
  const { place, link } = network;
  session.progress.status(
    `Launch ${launch + 1} of ${plan.launches}${path.name === '' ? '' : `, ${path.name}`}`,
  );
  await using clients = new AsyncDisposableStack();
  const working = new Map<string, TransferClientAtWork>();
  if (plan.clients.includes('chromium')) {
    const { host } = place.link;
    const options = {
      executablePath: chromiumPath,
      link: link ?? undefined,
      extensionDirectory,
      headful,
      profileDirectory: join(work, 'profile'),
      cacheDirectory: join(work, 'cache'),
      temporaryDirectory: join(work, 't'),
      extra: transferFlags(host, place.description.publicKeySha256, link !== null),
    };
    const browser = await launchTransferBrowser(options);
    clients.defer(() => browser.close());
    const { chromium, timerStepMs } = browser;
    Object.assign(session.run.environment, {
      chromium: { ...chromium, path: chromiumPath },
      timerStepMs,
    });
    for (const protocol of plan.protocols) working.set(`chromium ${protocol}`, browser);
  }
  for (const protocol of plan.clients.includes('node') ? plan.protocols : []) {
    const control = network.node(protocol);
    clients.defer(() => control.close());
    working.set(`node ${protocol}`, control);
  }
  for (const batch of batchesOf(plan, launch, random, plan.paths && path.name)) {
    if (session.shouldStop()) return;
    const client = working.get(`${batch.cell.client} ${batch.cell.protocol}`);
    if (client) await takeBatch(where, batch, client);
  }
}

async function takeBatch(
  { session, network, path, proof, launch }: PathLaunch,
  { cell, requests }: TransferBatch,
  client: TransferClientAtWork,
): Promise<void> {
  const takenAt = new Date().toISOString();
  const { connection, responseBytes, protocol } = cell;
  const { requestBytes, serverDelayMs, sizesBytes } = session.found.plan;
  const baseUrl = network.place.bases[protocol];
  const pauseMs = connection === 'idle' ? idlePauseMs : 0;
  const sizes = { requestBytes, responseBytes };
  const task = { baseUrl, connection, pauseMs, requests, ...sizes, serverDelayMs };
  const isOff = wasOff(path, proof);
  const batch = await session.watched(async () => {
    const performing = client.perform(task);
    // A connection that closes after its response is seen only meanwhile, and that only where the responses are long.
    if (proof && connection === 'cold' && responseBytes === sizesBytes.at(-1))
      keepSocket(proof, cell, await socketDuring(performing, baseUrl));
    return performing;
  });
  if (proof && connection !== 'cold')
    keepSocket(proof, cell, await socketStatistics(new URL(baseUrl).host));
  for (const taken of batch.result) {
    const flags = [
      ...transferFlagsOf(cell, taken),
      ...batch.flags,
      ...(isOff ? (['link-off'] as const) : []),
    ];
    const sequence = session.lines.length;
    await session.keep({ sequence, launch, takenAt, cell, ...taken, flags });
  }
  session.progress.advance(`${cell.client} ${protocol} ${connection} ${responseBytes} bytes`);
}

function keepSocket(proof: PathProof, cell: TransferCell, socket: SocketStatistics | null): void {
  const { responseBytes } = cell;
  if (socket) proof.sockets.push({ ...socket, cell: seriesLabel(cell), responseBytes });
}

/** Interval at which the connections of the largest responses are looked at, ms. */
const lookIntervalMs = 250;

/** The state of the origin's connection that was seen last while a task was performed. */
async function socketDuring(
  task: Promise<unknown>,
  baseUrl: string,
): Promise<SocketStatistics | null> {
  let last: SocketStatistics | null = null;
  const end = task.then(
    () => true,
    () => true,
  );
  while (!(await Promise.race([end, sleep(lookIntervalMs, false)])))
    last = (await socketStatistics(new URL(baseUrl).host)) ?? last;
  return last;
}
