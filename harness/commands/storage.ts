import { Command } from 'commander';
import { fileSystems } from '@cachescope/model/run/variant.ts';
import { CachescopeError, usageError } from '../error.ts';
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
import { clean } from './clean.ts';
import { storageFor } from '../options/storage-choice.ts';
import { shippedProfiles } from '../options/profile-reading.ts';
import { resolve } from 'node:path';
import { milliseconds, percent } from '@cachescope/model/quantity.ts';
import { quantile } from '@cachescope/model/statistics/quantile.ts';
import { which } from 'zx';
import { installPackages } from '../environment/packages.ts';
import { readInteger, readNewFile } from '../options/option-reading.ts';
import { writeOutput } from '../results/output-file.ts';
import { recordProfile } from '../storage/profile-recording.ts';
import { latencyTable, medianDrawnMs } from '../storage/latency-profile.ts';
import { replay } from './storage-replay.ts';
import { type RawUp, readDelay, readUp } from '../options/storage-options.ts';
import { unknownWords } from '../options/unknown-words.ts';
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

async function up(flags: RawUp, command: Command): Promise<void> {
  const problems = unknownWords(command);
  const { delayMs, storage, disk: wanted } = readUp(flags, problems);
  if (problems.length > 0) throw usageError(problems);
  const privilege = createPrivilege({ dryRun: flags.dryRun, say });
  if (!flags.dryRun) await refuseSecond(privilege);
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
    } else if (!flags.dryRun) {
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

async function set(text: string, _flags: object, command: Command): Promise<void> {
  const problems = unknownWords(command);
  const delayMs = readDelay(text, problems);
  if (problems.length > 0) throw usageError(problems);
  await withoutInterrupt(say, async () => {
    const { disk, drawnMs } = await requireStanding(createPrivilege({ dryRun: false, say }));
    await disk.setDelay(delayMs);
    await showDisk(disk, delayMs + drawnMs);
  });
}

/** Switches bad reads on or off, live. */
async function badReads(word: string, _flags: object, command: Command): Promise<void> {
  const problems = unknownWords(command);
  if (word !== 'on' && word !== 'off')
    problems.push(`bad reads: ${JSON.stringify(word)}; it must be on or off`);
  if (problems.length > 0) throw usageError(problems);
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

/** Records the latencies of a disk into a file for `--profile`. */
async function record(
  path: string,
  { out, seconds: text }: { out: string; seconds: string },
  command: Command,
): Promise<void> {
  const problems = unknownWords(command);
  const file = readNewFile(out, '--out', problems);
  const seconds = readInteger('--seconds', text, 1, 3600, problems);
  if (problems.length > 0 || file === undefined) throw usageError(problems);
  const privilege = createPrivilege({ dryRun: false, say });
  using _claim = await claimMachine({ wait: false, say });
  const fio = await which('fio', { nothrow: true });
  await installPackages(fio ? [] : ['fio'], 'recording a disk', privilege, say);
  const progress = new Progress(0);
  const profile = await recordProfile(resolve(path), seconds, privilege, progress).finally(() =>
    progress.end(),
  );
  writeOutput(file, `${JSON.stringify(profile)}\n`);
  const table = latencyTable(profile.read);
  const [middle, p95, p99] = [0.5, 0.95, 0.99].map((p) => milliseconds(quantile(table, p)));
  show(`${profile.source}\nmedian ${middle}, p95 ${p95}, p99 ${p99}\n`);
}

async function status(): Promise<void> {
  const { disk, delayMs, drawnMs } = await requireStanding(createPrivilege({ dryRun: false, say }));
  await showDisk(disk, delayMs + drawnMs);
}

async function down({ dryRun }: { dryRun: boolean }): Promise<void> {
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

const shippedNames = shippedProfiles.map(({ name }) => name).join(', ');

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
  storage
    .command('up')
    .summary('attach a disk with a read delay')
    .description('Attaches a disk with a read delay. It stays when this command ends.')
    .option('--delay <ms>', 'read delay', '0')
    .option('--storage <kind>', 'auto, dm-delay, nbd-live or nbd-delay', 'auto')
    .option('--delay-writes', 'delay writes like reads', false)
    .option('--write-delay <ms>', 'delay of each write, independent of the read delay')
    .option('--flush-delay <ms>', 'delay of each flush (not with nbd-delay)')
    .option('--bandwidth <rate>', 'bandwidth in each direction, as 20MB/s (not with dm-delay)')
    .option('--profile <name|file>', `latencies of a disk: ${shippedNames}, or a JSON file`)
    .option('--bad-reads <share>', 'share of reads that fail once switched on, such as 1%')
    .option('--file-system <name>', `file system: ${fileSystems.join(', ')}`, 'ext4')
    .option('--read-ahead <KiB>', 'read-ahead of the disk (default: 128)')
    .option('--image <file>', 'new file for the disk (default: in TMPDIR)')
    .option('--mount <directory>', 'empty directory to mount it on (default: in TMPDIR)')
    .option('--dry-run', 'print every privileged command, run none', false)
    .allowUnknownOption()
    .allowExcessArguments()
    .action(up);
  storage
    .command('set')
    .summary('change the read delay')
    .description('Changes the read delay. With nbd-delay, close all files on the disk first.')
    .argument('<ms>', `read delay, ms, 0 to ${maxDelayMs}`)
    .allowUnknownOption()
    .allowExcessArguments()
    .action(set);
  storage
    .command('bad-reads')
    .summary('switch bad reads on or off')
    .description('Switches bad reads on or off. Files on the disk may be open.')
    .argument('<on|off>', 'whether reads fail, at the rate of storage up --bad-reads')
    .allowUnknownOption()
    .allowExcessArguments()
    .action(badReads);
  storage
    .command('record')
    .summary('measure the read latencies of a disk')
    .description(
      'Measures the read latencies of a disk with fio, for --profile. It never writes to the disk.',
    )
    .argument('<device|file>', 'a block device, or a file of at least 64 MiB on the disk')
    .requiredOption('--out <file>', 'new file for the profile (JSON)')
    .option('--seconds <count>', 'time for the random reads', '10')
    .allowUnknownOption()
    .allowExcessArguments()
    .action(record);
  storage
    .command('replay')
    .summary('replay the device reads of traced hits on another disk')
    .description('Replays the device reads of traced hits, with their chain, on another disk.')
    .argument('<run>', 'directory of a sweep with traced reads')
    .requiredOption(
      '--on <dir>',
      'directory on that disk; holds a file of at least 64 MiB during the replay',
    )
    .allowUnknownOption()
    .allowExcessArguments()
    .action(replay);
  storage
    .command('status')
    .summary('measure the disk and show its counters')
    .description('Measures the disk and shows its counters.')
    .action(status);
  storage
    .command('down')
    .summary('unmount and remove the disk')
    .description('Unmounts and removes the disk.')
    .option('--dry-run', 'print every privileged command, run none', false)
    .action(down);
  storage
    .command('clean')
    .summary('list and remove what a killed program left behind')
    .description('Lists what a killed program left behind, then removes it.')
    .option('--dry-run', 'list only', false)
    .action(async (options: { dryRun: boolean }) => {
      endWith(await clean(options));
    });
  return storage;
}
