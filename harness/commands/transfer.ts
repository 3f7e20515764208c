import type { TransferPlan } from '@cachescope/model/transfer-run.ts';
import { sizeText } from '@cachescope/model/transfer-words.ts';
import { Command } from 'commander';
import { requireChromium } from '../environment/chromium.ts';
import { usageError } from '../error.ts';
import { runTransfers } from '../experiments/transfer.ts';
import { plannedBatches, transferCells } from '../experiments/transfer-batches.ts';
import { emulateNetwork, netemLack } from '../experiments/transfer-netem.ts';
import { createPrivilege } from '../privilege.ts';
import { defaultRunDirectory, RunDirectory } from '../results/run-directory.ts';
import { Progress } from '../runner/progress.ts';
import { toolVersion } from '../version.ts';
import { inSession } from './session.ts';
import {
  type RawTransferOptions,
  readTransferOptions,
  transferDefaults,
  type TransferOptions,
} from './transfer-options.ts';
import { unknownWords } from './unknown-words.ts';

const examples = `
Examples:
  npm run transfer                                        over loopback
  npm run transfer -- --server-delay 20                   the origin waits 20 ms
  npm run transfer -- --netem 20                          a round trip of 20 ms
  npm run origin -- --host 10.0.0.2                       on another machine,
  npm run transfer -- --origin http://10.0.0.2:8042       and then here`;

/** `cachescope transfer`: small transfers by protocol, size and state of the connection. */
export function transferCommand(): Command {
  const defaults = transferDefaults;
  return new Command('transfer')
    .summary('time small transfers by protocol, size and state of the connection')
    .description(
      'Sends requests one after another, in Chromium and, as a control, from Node, and times each to the last byte of its\n' +
        'answer: in ms, in round trips, and by the size at which times depart from the trend.',
    )
    .option(
      '--sizes <list>',
      'bodies of the answers, bytes; k is 1000, m a million',
      defaults.sizes,
    )
    .option('--requests <n>', 'timed requests for each size', defaults.requests)
    .option('--launches <n>', 'browser launches they are spread over', defaults.launches)
    .option('--request-bytes <n>', 'body of each request', defaults.requestBytes)
    .option(
      '--protocols <list>',
      'of h1, h1-tls, h2; the first is the baseline',
      defaults.protocols,
    )
    .option('--connections <list>', 'cold: one for each request; warm: one', defaults.connections)
    .option('--clients <list>', 'of chromium, node', defaults.clients)
    .option('--origin <url>', 'an origin on another machine (default: one is started here)')
    .option('--server-delay <ms>', 'the origin waits before each answer', defaults.serverDelay)
    .option('--netem <ms>', 'emulate this round trip in a network namespace; needs root')
    .option('--margin <share>', 'medians closer than this are the same', defaults.margin)
    .option('--env <rule>', 'on a machine unfit to measure: throw, warn or skip', defaults.env)
    .option('--wait', 'wait for another run on this machine to end', false)
    .option('--browser <path>', 'Chromium to measure (default: CHROME_PATH, then what is found)')
    .option('--headful', 'show the browser', false)
    .option('--seed <n>', 'seed of the random order (default: drawn, and kept in run.json)')
    .option('--out <dir>', 'new directory of the run (default: results/<time>_transfer)')
    .option('--json', 'print summary.json instead of the tables', false)
    .option('--dry-run', 'print the plan and every privileged command, run nothing', false)
    .addHelpText('after', examples)
    .allowUnknownOption()
    .allowExcessArguments()
    .action(async (flags: RawTransferOptions, command: Command) => {
      const { options, problems } = readTransferOptions(flags);
      const all = [...unknownWords(command), ...problems];
      if (all.length > 0) throw usageError(all);
      process.exitCode = options.dryRun ? await dryRun(options) : await transfer(options);
    });
}

const say = (line: string) => void process.stderr.write(`${line}\n`);

/** Takes, derives and shows one run; returns the exit code. */
async function transfer(options: TransferOptions): Promise<number> {
  const { plan, originUrl, netemMs, headful } = options;
  const privilege = createPrivilege({ dryRun: false, say });
  const chromium = await requireChromium(options.browser, privilege, say);
  const path = options.out ?? defaultRunDirectory('transfer', new Date().toISOString());
  const progress = new Progress(plannedBatches(plan));
  const wanted = {
    ...options,
    open: () => RunDirectory.create(path, 'transfer'),
    storage: 'none' as const,
    chromiumPath: chromium.path,
    privilege,
    finishing: 'finishing this batch',
    say: (line: string) => progress.step(line),
  };
  return inSession(wanted, async (session) => {
    if (originUrl === null && netemMs === null) progress.step(netemHint());
    const found = { headful, privilege, progress, toolVersion, originUrl, netemMs };
    const { run, samples, cleanUpError } = await runTransfers(plan, { ...session, ...found });
    progress.end();
    return { document: { run, samples }, cleanUpError };
  });
}

/** What else there is beside loopback. */
function netemHint(): string {
  const lack = netemLack();
  const netem = lack === null ? '--netem MS emulates a round trip' : `no --netem here: ${lack}`;
  return `Over loopback, which hides what a network does (${netem}; --origin URL is another machine).`;
}

async function dryRun({ plan, netemMs }: TransferOptions): Promise<number> {
  process.stdout.write(planText(plan));
  if (netemMs === null) return 0;
  const lack = netemLack();
  if (lack !== null) say(`Would be refused here: ${lack}. The commands:`);
  await using resources = new AsyncDisposableStack();
  await emulateNetwork(netemMs, createPrivilege({ dryRun: true, say }), resources);
  return 0;
}

function planText(plan: TransferPlan): string {
  const requests = transferCells(plan).length * plan.requestsPerCell;
  return [
    `Clients      ${plan.clients.join(', ')}`,
    `Protocols    ${plan.protocols.join(', ')}`,
    `Connections  ${plan.connections.join(', ')}`,
    `Answers      ${plan.sizesBytes.map(sizeText).join(', ')}`,
    `Requests     ${plan.requestsPerCell} of ${sizeText(plan.requestBytes)} for each, in ${plan.launches} launches: ${requests}`,
    `Delay        ${plan.serverDelayMs} ms at the origin`,
    `Seed         ${plan.seed}`,
    '',
  ].join('\n');
}
