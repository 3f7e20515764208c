import { join } from 'node:path';
import { createRandom } from '@cachescope/model/statistics/random.ts';
import type { TransferPlan, TransferRun } from '@cachescope/model/transfer/run.ts';
import { transferFlagsOf, type TransferSample } from '@cachescope/model/transfer/sample.ts';
import type { RunSession } from '../../lab/run-session.ts';
import type { Found } from '../experiment.ts';
import { batchesOf, missingCells, type TransferBatch } from './batches.ts';
import { launchTransferBrowser, transferFlags } from './browser.ts';
import { nodeClient, type TransferClientAtWork } from './client.ts';
import { emulateNetwork, netemLack } from './netem.ts';
import type { TransferAsked } from './options.ts';
import { describeOrigin, startOwnOrigin, type TransferPlace } from './origin.ts';
import { measureRoundTrip } from './round-trip.ts';

/** The requirements of transfers. */
export interface TransferFound extends TransferAsked, Found {
  plan: TransferPlan;
}

type TransferSession = RunSession<TransferRun, TransferSample, TransferFound>;

/**
 * Measures transfers: first the round trip; then, in each launch, batches of sequential requests in a random order of
 * cells, and the round trip after the launch. Returns the cells without a usable request as text; null: there are none.
 */
export async function takeTransfers(session: TransferSession): Promise<string | null> {
  const { plan, chromiumPath } = session.found;
  const place = await openPlace(session);
  session.progress.step(`Origin ${place.bases.h1}; measuring the round trip`);
  const chromium = { version: 'none used', path: chromiumPath, flags: [] };
  const storage = 'not used: nothing is cached';
  const roundTrips = [await measureRoundTrip(place, plan.serverDelayMs)];
  const run = await session.begin(
    { chromium, storage, timerStepMs: null },
    { plan, link: place.link, roundTrips },
  );
  for (let launch = 0; launch < plan.launches && !session.shouldStop(); launch++) {
    await takeLaunch(session, place, launch);
    if (!session.shouldStop())
      run.roundTrips.push(await measureRoundTrip(place, plan.serverDelayMs));
    await session.save();
  }
  return session.shouldStop() ? null : missingCells(plan, session.lines);
}

async function openPlace({
  found: { netemMs, originUrl },
  privilege,
  progress,
  resources,
}: TransferSession): Promise<TransferPlace> {
  if (originUrl === null && netemMs === null) progress.step(netemHint());
  const network = netemMs === null ? null : await emulateNetwork(netemMs, privilege, resources);
  return describeOrigin(originUrl ?? (await startOwnOrigin(network, resources)), netemMs);
}

/** Hints at the alternatives to loopback. */
function netemHint(): string {
  const lack = netemLack();
  const netem = lack === null ? '--netem MS emulates a round trip' : `no --netem here: ${lack}`;
  return `Over loopback, which has no network effects (${netem}; --origin URL is another machine).`;
}

/** One launch of each client: samples of one launch resemble each other. */
async function takeLaunch(
  session: TransferSession,
  place: TransferPlace,
  launch: number,
): Promise<void> {
  const { found, extensionDirectory, work } = session;
  const { plan, chromiumPath: executablePath, headful } = found;
  session.progress.step(`Launch ${launch + 1} of ${plan.launches}`);
  await using clients = new AsyncDisposableStack();
  const working = new Map<string, TransferClientAtWork>();
  if (plan.clients.includes('chromium')) {
    const browser = await launchTransferBrowser({
      executablePath,
      extensionDirectory,
      headful,
      profileDirectory: join(work, 'profile'),
      cacheDirectory: join(work, 'cache'),
      temporaryDirectory: join(work, 't'),
      extra: transferFlags(place.link.host, place.description.publicKeySha256),
    });
    clients.defer(() => browser.close());
    const { chromium, timerStepMs } = browser;
    Object.assign(session.run.environment, { chromium, timerStepMs });
    for (const protocol of plan.protocols) working.set(`chromium ${protocol}`, browser);
  }
  for (const protocol of plan.clients.includes('node') ? plan.protocols : []) {
    const control = nodeClient(protocol, place.description.certificate);
    clients.defer(() => control.close());
    working.set(`node ${protocol}`, control);
  }
  for (const batch of batchesOf(plan, launch, createRandom(plan.seed + launch))) {
    if (session.shouldStop()) return;
    const client = working.get(`${batch.cell.client} ${batch.cell.protocol}`);
    if (client) await takeBatch(session, place, launch, batch, client);
  }
}

async function takeBatch(
  session: TransferSession,
  place: TransferPlace,
  launch: number,
  { cell, requests }: TransferBatch,
  client: TransferClientAtWork,
): Promise<void> {
  const takenAt = new Date().toISOString();
  const { connection, responseBytes, protocol } = cell;
  const { requestBytes, serverDelayMs } = session.found.plan;
  const baseUrl = place.bases[protocol];
  const task = { baseUrl, connection, requests, requestBytes, responseBytes, serverDelayMs };
  const batch = await session.watched(() => client.perform(task));
  for (const taken of batch.result) {
    const flags = [...transferFlagsOf(cell, taken), ...batch.flags];
    const sequence = session.lines.length;
    await session.keep({ sequence, launch, takenAt, cell, ...taken, flags });
  }
  session.progress.advance(`${cell.client} ${protocol} ${connection} ${responseBytes} bytes`);
}
