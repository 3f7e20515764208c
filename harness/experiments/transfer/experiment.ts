import { shardSeed, shareOf } from '@cachescope/model/run/shard.ts';
import { shareOfLaunches } from '../../lab/schedule.ts';
import { transfer as declaration } from '@cachescope/model/transfer/declaration.ts';
import type {
  TransferPlan,
  TransferRun,
  TransferRunDocument,
} from '@cachescope/model/transfer/run.ts';
import type { TransferSample } from '@cachescope/model/transfer/sample.ts';
import type { TransferSummary } from '@cachescope/model/transfer/summary.ts';
import { flaggedText, sizeText } from '@cachescope/model/transfer/words.ts';
import { timeLines } from '../../lab/progress.ts';
import { outputsOf } from '../declared.ts';
import type { Experiment, Tools } from '../experiment.ts';
import { plannedBatches, transferCells } from './batches.ts';
import { takeTransfers, type TransferFound } from './measurement.ts';
import { emulateNetwork, netemLack } from './netem.ts';
import { type TransferAsked, transferOptions } from './options.ts';

const help = `
Examples:
  npm run transfer                                        over loopback
  npm run transfer -- --server-delay 20                   the origin waits 20 ms
  npm run transfer -- --netem 20                          a round trip of 20 ms
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
    beside: ({ netemMs, originUrl, headful }) => ({ netemMs, originUrl, headful }),
  },
  planText: ({ plan }) => planText(plan),
  rehearse,
  requirements: async (asked, tools) => ({
    ...asked,
    chromiumPath: await tools.requireChromium(),
    storage: 'none',
  }),
  steps: plannedBatches,
  finishing: 'finishing this batch',
  take: takeTransfers,
  measuredMs: ({ totalMs }) => totalMs,
  ...outputsOf(declaration),
  status: ({ run }, summary) => transferLines(run, summary),
};

async function rehearse({ netemMs }: TransferAsked, { privilege, say }: Tools): Promise<void> {
  if (netemMs === null) return;
  const lack = netemLack();
  if (lack !== null) say(`Would be refused here: ${lack}. The commands:`);
  await using resources = new AsyncDisposableStack();
  await emulateNetwork(netemMs, privilege, resources);
}

function planText(plan: TransferPlan): string {
  const requests = transferCells(plan).length * plan.requestsPerCell;
  return [
    `Clients      ${plan.clients.join(', ')}`,
    `Protocols    ${plan.protocols.join(', ')}`,
    `Connections  ${plan.connections.join(', ')}`,
    `Sizes        ${plan.sizesBytes.map(sizeText).join(', ')}`,
    `Requests     ${plan.requestsPerCell} of ${sizeText(plan.requestBytes)} for each, in ${plan.launches} launches: ${requests}`,
    `Delay        ${plan.serverDelayMs} ms at the origin`,
    `Seed         ${plan.seed}`,
    '',
  ].join('\n');
}

/** The lines on stderr about the requests and the time. */
function transferLines(run: TransferRun, { counts }: TransferSummary): string[] {
  const flagged = flaggedText(counts.flagged);
  const left = flagged === '' ? 'none flagged' : `flagged and excluded: ${flagged}`;
  return [
    `Requests: ${counts.used} used of ${counts.samples}, ${left}.`,
    ...timeLines(run, 'timed requests'),
  ];
}
