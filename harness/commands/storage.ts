import { Command } from 'commander';
import { fileSystems } from '@cachescope/model/run/variant.ts';
import { CachescopeError, usageError } from '../error.ts';
import { createPrivilege, type Privilege } from '../privilege.ts';
import { figureText, throughputText } from '../results/figures.ts';
import { maxDelayMs } from '../storage/delay.ts';
import { proveDelay } from '../storage/delay-proof.ts';
import { Journal } from '../storage/journal/journal.ts';
import { reap } from '../storage/journal/reaper.ts';
import type { SlowDisk } from '../storage/disk.ts';
import { requireFree, type Standing, standingStorage } from '../storage/standing-storage.ts';
import { attachStorage, requireStorage } from '../storage/storage.ts';
import { say, show } from '../terminal.ts';
import { undo, undoLines } from '../storage/journal/undo.ts';
import { clean } from './clean.ts';
import { storageFor } from '../options/storage-choice.ts';
import { type RawUp, readDelay, readUp } from '../options/storage-options.ts';
import { unknownWords } from '../options/unknown-words.ts';
import { withoutInterrupt } from '../lab/without-interrupt.ts';

/** Most reads of a proof, and the time that they may take, ms: at a delay of seconds a few must do. */
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

/** What the disk measures now, on stdout. */
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
  const kind = await storageFor(storage, privilege, say, [wanted.fileSystem ?? 'ext4']);
  const options = { kind, ...wanted, privilege, standing: true };
  await requireStorage(options, [delayMs]);
  await withoutInterrupt(say, async (interrupt) => {
    const disk = await attachStorage(options);
    try {
      if (!interrupt.requested) await disk.setDelay(delayMs);
    } catch (error) {
      await disk.detach();
      throw error;
    }
    if (interrupt.requested) {
      await disk.detach();
      process.exitCode = interruptedExitCode;
    } else if (!flags.dryRun) {
      await showDisk(disk, delayMs);
    }
  });
}

async function refuseSecond(privilege: Privilege): Promise<void> {
  // Storage that is up no more, as after a restart of the machine, goes here.
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
    const { disk } = await requireStanding(createPrivilege({ dryRun: false, say }));
    await disk.setDelay(delayMs);
    await showDisk(disk, delayMs);
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
    show(word === 'on' ? `${badReadRate * 100} % of reads fail now.\n` : 'No read fails now.\n');
  });
}

async function status(): Promise<void> {
  const { disk, delayMs } = await requireStanding(createPrivilege({ dryRun: false, say }));
  await showDisk(disk, delayMs);
}

async function down({ dryRun }: { dryRun: boolean }): Promise<void> {
  const privilege = createPrivilege({ dryRun: false, say });
  const standing = Journal.all().filter(({ head }) => head.standing !== null);
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

/** `cachescope storage up|set|bad-reads|status|down|clean`: slow storage by hand. */
export function storageCommand(): Command {
  const storage = new Command('storage').summary(
    'use slow storage by hand: up, set, bad-reads, status, down, clean',
  );
  storage
    .command('up')
    .description('attach a disk with a read delay; it stays when this command ends')
    .option('--delay <ms>', 'read delay', '0')
    .option('--storage <kind>', 'auto, dm-delay, nbd-live or nbd-delay', 'auto')
    .option('--delay-writes', 'delay writes like reads', false)
    .option('--write-delay <ms>', 'delay of each write, independent of the read delay')
    .option('--flush-delay <ms>', 'delay of each flush (not with nbd-delay)')
    .option('--bandwidth <rate>', 'most bytes a second each way, as 20MB/s (not with dm-delay)')
    .option('--bad-reads <share>', 'share of reads, 0 to 1, that fail once switched on')
    .option('--file-system <name>', fileSystems.join(', '), 'ext4')
    .option('--read-ahead <KiB>', 'read-ahead of the disk (default: 128)')
    .option('--image <file>', 'new file for the disk (default: in TMPDIR)')
    .option('--mount <directory>', 'empty directory to mount it on (default: in TMPDIR)')
    .option('--dry-run', 'print every privileged command, run none', false)
    .allowUnknownOption()
    .allowExcessArguments()
    .action(up);
  storage
    .command('set')
    .description('change the read delay; with nbd-delay close all files on it first')
    .argument('<ms>', `read delay, 0 to ${maxDelayMs}`)
    .allowUnknownOption()
    .allowExcessArguments()
    .action(set);
  storage
    .command('bad-reads')
    .description('switch bad reads on or off; files may be open on it')
    .argument('<on|off>')
    .allowUnknownOption()
    .allowExcessArguments()
    .action(badReads);
  storage.command('status').description('measure the disk and show its counters').action(status);
  storage
    .command('down')
    .description('unmount and remove it')
    .option('--dry-run', 'print every privileged command, run none', false)
    .action(down);
  storage
    .command('clean')
    .description('list and remove what a killed program left behind')
    .option('--dry-run', 'list only', false)
    .action(async (options: { dryRun: boolean }) => {
      process.exitCode = await clean(options);
    });
  return storage;
}
