import { Command } from 'commander';
import { CachescopeError } from '../error.ts';
import { createPrivilege, type Privilege } from '../privilege.ts';
import { figureText, throughputText } from '../results/figures.ts';
import { maxDelayMs } from '../storage/delay.ts';
import { proveDelay } from '../storage/delay-proof.ts';
import { journalsHere } from '../storage/journal/journals.ts';
import { claimMachine } from '../storage/journal/machine-claim.ts';
import { reap } from '../storage/journal/reaper.ts';
import type { SlowDisk } from '../storage/disk.ts';
import {
  attachStorage,
  requireFree,
  requireStorage,
  type Standing,
  standingStorage,
} from '../storage/storage.ts';
import { endWith, say, show } from '../terminal.ts';
import { undoLines } from '../storage/journal/undo-commands.ts';
import { undo } from '../storage/journal/undo.ts';
import { clean, cleanTable } from './clean.ts';
import { storageFor } from '../options/storage-choice.ts';
import { resolve } from 'node:path';
import { milliseconds, percent } from '@cachescope/model/quantity.ts';
import { quantile } from '@cachescope/model/statistics/quantile.ts';
import { which } from 'zx';
import { installPackages } from '../environment/packages.ts';
import { integerFrom, readNewFile } from '../options/option-reading.ts';
import { writeOutput } from '../results/output-file.ts';
import { recordProfile } from '../storage/profile-recording.ts';
import { latencyTable, medianDrawnMs } from '../storage/latency-profile.ts';
import { replay, replayTable } from './storage-replay.ts';
import { oneOf } from '../options/name-reading.ts';
import type { OptionValues } from '../options/option-table.ts';
import { delayRule, quantity } from '../options/quantity-option.ts';
import { type UpOptions, upOptions } from '../options/storage-options.ts';
import { runWith, runWithTable } from '../options/table-command.ts';
import { withoutInterrupt } from '../lab/interrupt.ts';
import { Progress } from '../lab/progress.ts';

/** Maximum number of reads of a proof, and their time limit, ms: at a delay of seconds only a few reads are made. */
const proofReads = 16;
const proofLimitMs = 3000;

const interruptedExitCode = 130;

async function requireStanding(privilege: Privilege): Promise<Standing> {
  const standing = await standingStorage(privilege);
  if (standing) return standing;
  throw new CachescopeError('CS_STORAGE_DOWN', 'no storage is up', {
    hint: 'Bring it up with: npm run storage -- up',
  });
}

/** Measures the disk now and shows the result on stdout. */
async function showDisk(disk: SlowDisk, delayMs: number): Promise<void> {
  const affordable = Math.floor(proofLimitMs / Math.max(1, delayMs));
  const request = {
    requestedDelayMs: delayMs,
    when: 'before',
    reads: Math.max(1, Math.min(proofReads, affordable)),
    throughput: affordable >= proofReads,
  } as const;
  const proof = await proveDelay(disk, request);
  const counts = await disk.counters();
  const lines = [
    `directory   ${disk.directory}`,
    `storage     ${disk.describe}`,
    `requested   ${delayMs} ms a read`,
    `measured    ${figureText(proof?.p50Ms ?? null)} ms a direct 4 KiB read (p95 ${figureText(proof?.p95Ms ?? null)} ms)`,
    `throughput  ${throughputText(proof?.throughputBytesPerSecond ?? null)}`,
    `device      ${counts ? `${counts.reads} reads and ${counts.writes} writes on its counters` : 'unknown'}`,
  ];
  show(`${lines.join('\n')}\n`);
  if (proof?.off) say('Warning: measured delay is outside tolerance');
}

async function up({ delayMs, storage, disk: wanted, dryRun }: UpOptions): Promise<void> {
  const privilege = createPrivilege({ dryRun, say });
  if (!dryRun) await refuseSecond(privilege);
  const tools = { privilege, say, missingForBrowser: () => [] };
  const kind = await storageFor(storage, tools, [wanted.fileSystem ?? 'ext4']);
  const options = { kind, ...wanted, privilege, standing: true };
  await requireStorage(options, [delayMs]);
  await withoutInterrupt(say, async (interrupt) => {
    const disk = await attachStorage(options);
    try {
      if (!interrupt.requested) await disk.setDelay(delayMs);
      await disk.setProfile?.(true);
    } catch (error) {
      await disk.detach();
      throw error;
    }
    if (interrupt.requested) {
      await disk.detach();
      process.exitCode = interruptedExitCode;
    } else if (!dryRun) {
      await showDisk(disk, delayMs + medianDrawnMs(wanted.profile));
    }
  });
}

async function refuseSecond(privilege: Privilege): Promise<void> {
  // Removes storage that is no longer up, for example after a restart of the machine.
  await reap(privilege, say);
  if ((await standingStorage(privilege)) === null) return;
  throw new CachescopeError('CS_STORAGE_UP', 'storage is up already', {
    hint: 'Change it with: npm run storage -- set MS; take it down with: npm run storage -- down',
  });
}

const setTable = {
  ms: {
    isArgument: true,
    isRequired: true,
    value: '<ms>',
    description: `read delay, ms, 0 to ${maxDelayMs}`,
    read: quantity(delayRule),
  },
} as const;

async function set({ ms: delayMs }: OptionValues<typeof setTable>): Promise<void> {
  await withoutInterrupt(say, async () => {
    const { disk, drawnMs } = await requireStanding(createPrivilege({ dryRun: false, say }));
    await disk.setDelay(delayMs);
    await showDisk(disk, delayMs + drawnMs);
  });
}

const badReadsTable = {
  'on|off': {
    isArgument: true,
    isRequired: true,
    value: '<on|off>',
    description: 'whether reads fail, at the rate of storage up --bad-reads',
    read: oneOf(['on', 'off']),
  },
} as const;

/** Switches bad reads on or off, live. */
async function badReads({ 'on|off': word }: OptionValues<typeof badReadsTable>): Promise<void> {
  await withoutInterrupt(say, async () => {
    const { disk, badReadRate } = await requireStanding(createPrivilege({ dryRun: false, say }));
    if (!disk.setBadReadRate) {
      throw new CachescopeError('CS_STORAGE_BAD_READS', 'this storage cannot fail reads', {
        hint: 'Take it down, and bring it up with --bad-reads RATE.',
      });
    }
    await disk.setBadReadRate(word === 'on' ? badReadRate : 0);
    show(word === 'on' ? `${percent(badReadRate)} of reads fail now.\n` : 'No read fails now.\n');
  });
}

const recordTable = {
  'device|file': {
    isArgument: true,
    isRequired: true,
    value: '<device|file>',
    description: 'a block device, or a file of at least 64 MiB on the disk',
  },
  out: {
    isRequired: true,
    value: '<file>',
    description: 'new file for the profile (JSON)',
    read: readNewFile,
  },
  seconds: {
    value: '<count>',
    description: 'time for the random reads',
    default: '10',
    read: integerFrom(1, 3600),
  },
} as const;

/** Records the latencies of a disk into a file for `--profile`. */
async function record({
  'device|file': path,
  out,
  seconds,
}: OptionValues<typeof recordTable>): Promise<void> {
  const privilege = createPrivilege({ dryRun: false, say });
  using _claim = await claimMachine({ wait: false, say });
  const fio = await which('fio', { nothrow: true });
  await installPackages(fio ? [] : ['fio'], 'recording a disk', privilege, say);
  const progress = new Progress(0);
  const profile = await recordProfile(resolve(path), seconds, privilege, progress).finally(() =>
    progress.end(),
  );
  writeOutput(out, `${JSON.stringify(profile)}\n`);
  const table = latencyTable(profile.read);
  const [middle, p95, p99] = [0.5, 0.95, 0.99].map((p) => milliseconds(quantile(table, p)));
  show(`${profile.source}\nmedian ${middle}, p95 ${p95}, p99 ${p99}\n`);
}

async function status(): Promise<void> {
  const { disk, delayMs, drawnMs } = await requireStanding(createPrivilege({ dryRun: false, say }));
  await showDisk(disk, delayMs + drawnMs);
}

const downTable = { dryRun: { description: 'print every privileged command, run none' } };

async function down({ dryRun }: OptionValues<typeof downTable>): Promise<void> {
  const privilege = createPrivilege({ dryRun: false, say });
  const standing = journalsHere().filter(({ head }) => head.standing !== null);
  if (standing.length === 0) say('No storage is up.');
  if (dryRun) {
    show([...undoLines(standing), ''].join('\n'));
    return;
  }
  await withoutInterrupt(say, async () => {
    for (const journal of standing) {
      requireFree(journal);
      journal.claim();
      await undo(journal, privilege);
      journal.end();
    }
  });
}

const examples = `
Examples:
  npm run storage -- up --delay 5        attach a disk, and show where
  npm run storage -- set 20              change its read delay
  npm run storage -- status              measure it
  npm run storage -- down                remove it`;

/** `cachescope storage up|set|bad-reads|record|replay|status|down|clean`: manages slow storage by hand. */
export function storageCommand(): Command {
  const storage = new Command('storage')
    .summary('use slow storage by hand: up, set, bad-reads, record, replay, status, down, clean')
    .description('Uses slow storage by hand. A disk stays attached until it is taken down.')
    .addHelpText('after', examples);
  const add = (name: string, summary: string, description: string) =>
    storage.command(name).summary(summary).description(description);
  runWith(
    add(
      'up',
      'attach a disk with a read delay',
      'Attaches a disk with a read delay. It stays when this command ends.',
    ),
    upOptions,
    up,
  );
  runWithTable(
    add(
      'set',
      'change the read delay',
      'Changes the read delay. With nbd-delay, close all files on the disk first.',
    ),
    setTable,
    set,
  );
  runWithTable(
    add(
      'bad-reads',
      'switch bad reads on or off',
      'Switches bad reads on or off. Files on the disk may be open.',
    ),
    badReadsTable,
    badReads,
  );
  runWithTable(
    add(
      'record',
      'measure the read latencies of a disk',
      'Measures the read latencies of a disk with fio, for --profile. It never writes to the disk.',
    ),
    recordTable,
    record,
  );
  runWithTable(
    add(
      'replay',
      'replay the device reads of traced hits on another disk',
      'Replays the device reads of traced hits, with their chain, on another disk.',
    ),
    replayTable,
    replay,
  );
  runWithTable(
    add(
      'status',
      'measure the disk and show its counters',
      'Measures the disk and shows its counters.',
    ),
    {},
    status,
  );
  runWithTable(
    add('down', 'unmount and remove the disk', 'Unmounts and removes the disk.'),
    downTable,
    down,
  );
  runWithTable(
    add(
      'clean',
      'list and remove what a killed program left behind',
      'Lists what a killed program left behind, then removes it.',
    ),
    cleanTable,
    async (asked) => endWith(await clean(asked)),
  );
  return storage;
}
