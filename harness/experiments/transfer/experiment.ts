import { shardSeed, shareOf } from '@cachescope/model/run/shard.ts';
import { shareOfLaunches } from '../../lab/schedule.ts';
import { transfer as declaration } from '@cachescope/model/transfer/declaration.ts';
import type { TransferPlan, TransferRunDocument } from '@cachescope/model/transfer/run.ts';
import type { TransferSample } from '@cachescope/model/transfer/sample.ts';
import type { TransferSummary } from '@cachescope/model/transfer/summary.ts';
import { sizeText } from '@cachescope/model/transfer/words.ts';
import { roundTripMsOf } from '@cachescope/model/network/link.ts';
import { precisionText } from '../../lab/plan-precision.ts';
import { clock } from '../../lab/progress.ts';
import { outputsOf } from '../declared.ts';
import type { Experiment, Tools } from '../experiment.ts';
import { plannedBatches, transferCells } from './batches.ts';
import { measureTransfers, type TransferFound } from './measurement.ts';
import { dryRunLink, whyNoLink } from '../../lab/run-link.ts';
import { type TransferAsked, transferOptions } from './options.ts';

const help = `
Examples:
  npm run transfer                                        loopback and a link
  npm run transfer -- --link 20ms,100Mbit/s               a round trip of 40 ms
  npm run transfer -- --link 20ms --initial-window 10,32  with a larger window
  npm run transfer -- --link none --server-delay 20       the origin waits 20 ms
  npm run origin -- --host 10.0.0.2                       on another machine,
  npm run transfer -- --origin http://10.0.0.2:8042       and then here`;

/** Small transfers by protocol, size and state of the connection. */
export const transfer: Experiment<{
  document: TransferRunDocument;
  line: TransferSample;
  asked: TransferAsked;
  planned: TransferAsked;
  found: TransferFound;
  summary: TransferSummary;
}> = {
  name: 'transfer',
  summary: 'time small transfers by protocol, size and state of the connection',
  description:
    'Sends requests one after another, in Chromium and, as a control, in Node, and times each response to its last byte: ' +
    'in ms, in round trips, and by the size at which times depart from the trend of smaller sizes.',
  help,
  options: transferOptions,
  firstOptions: ['sizes', 'requests', 'protocols', 'link', 'dryRun'],
  plan: (asked) => Promise.resolve(asked),
  shards: {
    launches: ({ launches }) => launches,
    part: (plan, shard) => ({
      ...plan,
      launches: shareOf(plan.launches, shard),
      requestsPerCell: shareOfLaunches(plan.requestsPerCell, plan.launches, shard),
      seed: shardSeed(plan.seed, shard),
    }),
    // The same requests over another network path are another measurement.
    beside: ({ originUrl, headful }) => ({ originUrl, headful }),
  },
  planText: ({ plan }) => planText(plan),
  dryRun,
  requirements,
  steps: plannedBatches,
  finishing: 'finishing this batch',
  measure: measureTransfers,
  measuredMs: ({ totalMs }) => totalMs,
  ...outputsOf(declaration),
};

const hasLink = ({ paths = [] }: TransferPlan): boolean => paths.some(({ link }) => link !== null);

async function dryRun({ plan }: TransferAsked, tools: Tools): Promise<void> {
  const path = plan.paths?.find(({ link }) => link !== null);
  if (path?.link) await dryRunLink(path.link, tools, path.initialWindow ?? undefined);
}

/** Chromium; and what a link needs, without which a run that did not name one is over loopback alone. */
async function requirements(asked: TransferAsked, tools: Tools): Promise<TransferFound> {
  const found = { chromiumPath: await tools.requireChromium(), storage: 'none' } as const;
  if (!hasLink(asked.plan)) return { ...asked, ...found };
  const lack = await whyNoLink(tools);
  if (lack === null || !asked.mayOmitLink) return { ...asked, ...found };
  tools.say(`Over loopback alone, which has no network effects. No link: ${lack}.`);
  const paths = asked.plan.paths?.filter(({ link }) => link === null) ?? [];
  return { ...asked, ...found, plan: { ...asked.plan, paths }, leftOut: ['the link'] };
}

/** Seconds of a launch with its end, and of one request without delays, on a quiet machine with two cores. */
const [launchS, requestS] = [2, 0.012];
/** Round trips of one request: a connection, the request, and two of slow start. */
const roundTrips = 4;

/** Approximate duration of a plan. */
function plannedSeconds(plan: TransferPlan): number {
  const { requestsPerCell, launches, serverDelayMs, paths = [], clients } = plan;
  const cells = transferCells(plan).length;
  const tripsMs = paths.map(({ link }) => (link === null ? 0 : roundTripMsOf(link)));
  const tripMs = tripsMs.reduce((sum, each) => sum + each, 0) / Math.max(1, paths.length);
  const perRequestS = requestS + (serverDelayMs + roundTrips * tripMs) / 1000;
  return cells * requestsPerCell * perRequestS + launches * clients.length * launchS;
}

function planText(plan: TransferPlan): string {
  const requests = transferCells(plan).length * plan.requestsPerCell;
  return [
    `Clients      ${plan.clients.join(', ')}`,
    `Protocols    ${plan.protocols.join(', ')}`,
    `Connections  ${plan.connections.join(', ')}`,
    ...(plan.paths ? [`Paths        ${plan.paths.map(({ name }) => name).join('; ')}`] : []),
    `Sizes        ${plan.sizesBytes.map(sizeText).join(', ')}`,
    `Requests     ${plan.requestsPerCell} of ${sizeText(plan.requestBytes)} for each, in ${plan.launches} launches: ${requests}`,
    `Delay        ${plan.serverDelayMs} ms at the origin`,
    `Precision    ${precisionText({ launches: plan.launches, readsPerLaunch: plan.requestsPerCell / plan.launches })}`,
    `Time         about ${clock(plannedSeconds(plan))} (min:s)`,
    `Seed         ${plan.seed}`,
    '',
  ].join('\n');
}
