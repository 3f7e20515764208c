import { type MachineWatch, noteMachine } from '../environment/machine-watch.ts';
import { join } from 'node:path';
import { createRandom } from '@cachescope/model/random.ts';
import { transferFlagsOf } from '@cachescope/model/transfer-flags.ts';
import type { TransferPlan, TransferRun } from '@cachescope/model/transfer-run.ts';
import type { TransferSample } from '@cachescope/model/transfer-sample.ts';
import { describeEnvironment } from '../environment/environment.ts';
import { messageOf } from '../error.ts';
import type { Privilege } from '../privilege.ts';
import type { RunDirectory } from '../results/run-directory.ts';
import { withCleanUp } from '../runner/clean-up.ts';
import { runHead } from '../runner/run-record.ts';
import type { Interrupt } from '../runner/interrupt.ts';
import type { Progress } from '../runner/progress.ts';
import { makeWorkDirectory } from '../storage/work-directory.ts';
import { type TransferBatch, batchesOf } from './transfer-batches.ts';
import { launchTransferBrowser, type TransferBrowser, transferFlags } from './transfer-browser.ts';
import type { TransferClientAtWork } from './transfer-client.ts';
import { emulateNetwork } from './transfer-netem.ts';
import { NodeClient } from './transfer-node.ts';
import { cellsWithoutUse } from './transfer-judgement.ts';
import { describeOrigin, startOwnOrigin, type TransferPlace } from './transfer-origin.ts';
import { measureRoundTrip } from './transfer-round-trip.ts';

/** What transfers are measured with, found and checked before. */
export interface TransferBench {
  chromiumPath: string;
  extensionDirectory: string;
  headful: boolean;
  privilege: Privilege;
  directory: RunDirectory;
  progress: Progress;
  interrupt: Interrupt;
  machine: MachineWatch;
  commandLine: string[];
  toolVersion: string;
  /** null: one of our own is started. */
  originUrl: string | null;
  /** Round trip of an emulated network, ms; null: none. */
  netemMs: number | null;
}

/** Transfers that have ended, whole or in part. */
export interface TransferOutcome {
  run: TransferRun;
  samples: TransferSample[];
  /** What could not be undone afterwards; null when nothing is left behind. */
  cleanUpError: unknown;
}

/** Transfers in progress. */
interface InProgress {
  plan: TransferPlan;
  bench: TransferBench;
  place: TransferPlace;
  /** Folder of the browser's profiles. */
  work: string;
  run: TransferRun;
  samples: TransferSample[];
}

/**
 * Measures transfers: the round trip, then in each launch batches of requests, one after another, in a random order of cells,
 * and the round trip after each launch. Every sample is on the disk before the next batch begins.
 *
 * @throws CachescopeError when not even the origin or the first round trip came about; after that the run ends `partial`.
 */
export async function runTransfers(
  plan: TransferPlan,
  bench: TransferBench,
): Promise<TransferOutcome> {
  return withCleanUp(bench.directory, (resources) => takeTransfers(plan, bench, resources));
}

async function takeTransfers(
  plan: TransferPlan,
  bench: TransferBench,
  resources: AsyncDisposableStack,
): Promise<Omit<TransferOutcome, 'cleanUpError'>> {
  const { directory, privilege, netemMs, originUrl, interrupt } = bench;
  const startedAt = Date.now();
  const network = netemMs === null ? null : await emulateNetwork(netemMs, privilege, resources);
  const url = originUrl ?? (await startOwnOrigin(network, resources));
  const place = await describeOrigin(url, netemMs);
  const work = await makeWorkDirectory('transfer', privilege);
  resources.defer(work.remove);
  const run = await newRun(plan, bench, place, startedAt);
  bench.progress.step(`Origin ${url}; measuring the round trip`);
  const progress: InProgress = { plan, bench, place, work: work.path, run, samples: [] };
  await proveRoundTrip(progress);
  try {
    for (let launch = 0; launch < plan.launches && !interrupt.requested; launch++) {
      await takeLaunch(progress, launch);
      if (!interrupt.requested) await proveRoundTrip(progress);
    }
    end(progress, interrupt.requested ? 'interrupted' : cellsWithoutUse(plan, progress.samples));
  } catch (error) {
    end(progress, messageOf(error));
  }
  await noteMachine(run, bench.machine);
  const totalMs = Date.now() - startedAt;
  const measuringMs = progress.samples.reduce((sum, { totalMs: took }) => sum + took, 0);
  run.timeSpent = { totalMs, measuringMs };
  await directory.writeRun(run);
  return { run, samples: progress.samples };
}

async function proveRoundTrip({ plan, bench, place, run }: InProgress): Promise<void> {
  run.roundTrips.push(await measureRoundTrip(place, plan.serverDelayMs));
  await bench.directory.writeRun(run);
}

function end({ run }: InProgress, reason: string | null): void {
  run.endedAt = new Date().toISOString();
  run.status = reason === null ? 'complete' : 'partial';
  if (reason !== null) run.statusReason = reason;
}

/** One launch of each client: samples of one resemble each other. */
async function takeLaunch(progress: InProgress, launch: number): Promise<void> {
  const { plan, bench, run } = progress;
  bench.progress.step(`Launch ${launch + 1} of ${plan.launches}`);
  await using clients = new AsyncDisposableStack();
  const browser = plan.clients.includes('chromium') ? await launchBrowser(progress, clients) : null;
  if (browser) Object.assign(run.environment, environmentOf(browser));
  const controls = new Map<string, TransferClientAtWork>();
  for (const protocol of plan.clients.includes('node') ? plan.protocols : []) {
    const control = new NodeClient(protocol, progress.place.description.certificate);
    clients.defer(() => control.close());
    controls.set(protocol, control);
  }
  for (const batch of batchesOf(plan, launch, createRandom(plan.seed + launch))) {
    if (bench.interrupt.requested) return;
    const client = batch.cell.client === 'chromium' ? browser : controls.get(batch.cell.protocol);
    if (client) await takeBatch(progress, launch, batch, client);
  }
  await bench.directory.writeRun(run);
}

async function launchBrowser(
  { bench, place, work }: InProgress,
  clients: AsyncDisposableStack,
): Promise<TransferBrowser> {
  const profileDirectory = join(work, 'profile');
  const browser = await launchTransferBrowser({
    executablePath: bench.chromiumPath,
    extensionDirectory: bench.extensionDirectory,
    headful: bench.headful,
    profileDirectory,
    cacheDirectory: join(work, 'cache'),
    temporaryDirectory: join(work, 't'),
    extra: transferFlags(place.link.host, place.description.publicKeySha256),
  });
  clients.defer(() => browser.close());
  return browser;
}

function environmentOf({ chromium, timerStepMs }: TransferBrowser) {
  return { chromium, timerStepMs };
}

async function takeBatch(
  { plan, bench, place, samples }: InProgress,
  launch: number,
  { cell, requests }: TransferBatch,
  client: TransferClientAtWork,
): Promise<void> {
  const takenAt = new Date().toISOString();
  const { connection, responseBytes, protocol } = cell;
  const { requestBytes, serverDelayMs } = plan;
  const baseUrl = place.bases[protocol];
  const task = { baseUrl, connection, requests, requestBytes, responseBytes, serverDelayMs };
  for (const taken of await client.perform(task)) {
    const flags = transferFlagsOf(cell, taken);
    const sample = { sequence: samples.length, launch, takenAt, cell, ...taken, flags };
    await bench.directory.append(sample);
    samples.push(sample);
  }
  bench.progress.advance(`${cell.client} ${protocol} ${connection} ${responseBytes} bytes`);
}

async function newRun(
  plan: TransferPlan,
  bench: TransferBench,
  { link }: TransferPlace,
  startedAt: number,
): Promise<TransferRun> {
  const chromium = { version: 'none used', path: bench.chromiumPath, flags: [] };
  return {
    ...runHead('transfer', bench, new Date(startedAt)),
    plan,
    link,
    roundTrips: [],
    environment: await describeEnvironment({
      chromium,
      storage: 'not used: nothing is cached',
      timerStepMs: null,
    }),
  };
}
