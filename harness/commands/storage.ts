import { Command } from 'commander';
import { type StorageKind, storageKinds } from '@cachescope/model/sample.ts';
import { installPackages } from '../environment/packages.ts';
import { CachescopeError, usageError } from '../error.ts';
import { createPrivilege, type Privilege } from '../privilege.ts';
import { figureText, throughputText } from '../results/figures.ts';
import { maxDelayMs } from '../storage/delay.ts';
import { proveDelay } from '../storage/delay-proof.ts';
import { Journal } from '../storage/journal.ts';
import {
  attachStorage,
  missingPackages,
  resolveStorageKind,
  type SlowDisk,
  standingStorage,
} from '../storage/storage.ts';
import { undo } from '../storage/undo.ts';
import { clean } from './clean.ts';

const say = (line: string) => void process.stderr.write(`${line}\n`);

function readDelay(text: string): number {
  const delayMs = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (delayMs >= 0 && delayMs <= maxDelayMs) return delayMs;
  throw usageError([
    `the delay is ${JSON.stringify(text)}; it must be a whole number of ms from 0 to ${maxDelayMs}`,
  ]);
}

function readKind(text: string): 'auto' | StorageKind {
  const kinds = ['auto', ...storageKinds.filter((kind) => kind !== 'none')] as const;
  const kind = kinds.find((candidate) => candidate === text);
  if (kind) return kind;
  throw usageError([`--storage is ${JSON.stringify(text)}; known are ${kinds.join(', ')}`]);
}

async function requireStanding(privilege: Privilege): Promise<SlowDisk> {
  const disk = await standingStorage(privilege);
  if (disk) return disk;
  throw new CachescopeError('CS_STORAGE_DOWN', 'no storage is up', {
    hint: 'Bring it up with: npm run storage -- up',
  });
}

/** What the disk measures now, on stdout. The delay asked for is known only right after it was set. */
async function show(disk: SlowDisk, requestedDelayMs: number | null): Promise<void> {
  const request = {
    requestedDelayMs: requestedDelayMs ?? 0,
    when: 'before',
    reads: 16,
    throughput: true,
  } as const;
  const proof = await proveDelay(disk, request);
  const counts = await disk.counters();
  const lines = [
    `directory   ${disk.directory}`,
    `storage     ${disk.describe}`,
    ...(requestedDelayMs === null ? [] : [`requested   ${requestedDelayMs} ms a read`]),
    `measured    ${figureText(proof?.p50Ms ?? null)} ms a direct 4 KiB read (p95 ${figureText(proof?.p95Ms ?? null)} ms)`,
    `throughput  ${throughputText(proof?.throughputBytesPerSecond ?? null)}`,
    `device      ${counts ? `${counts.reads} reads, ${counts.writes} writes since it came up` : 'unknown'}`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  if (requestedDelayMs !== null && proof?.off)
    say('Warning: the device does not have the delay that was asked for');
}

interface UpFlags {
  delay: string;
  storage: string;
  delayWrites: boolean;
  dryRun: boolean;
}

async function up(flags: UpFlags): Promise<void> {
  const delayMs = readDelay(flags.delay);
  const wanted = readKind(flags.storage);
  const privilege = createPrivilege({ dryRun: flags.dryRun, say });
  if (!flags.dryRun && (await standingStorage(privilege).catch(() => null))) {
    throw new CachescopeError('CS_STORAGE_UP', 'storage is up already', {
      hint: 'Change it with: npm run storage -- set MS; take it down with: npm run storage -- down',
    });
  }
  const kind = await resolveStorageKind(wanted, privilege);
  if (!flags.dryRun)
    await installPackages(await missingPackages(kind), `${kind} storage`, privilege, say);
  const disk = await attachStorage({
    kind,
    delayWrites: flags.delayWrites,
    privilege,
    standing: true,
  });
  await disk.setDelay(delayMs);
  if (!flags.dryRun) await show(disk, delayMs);
}

async function set(text: string): Promise<void> {
  const delayMs = readDelay(text);
  const disk = await requireStanding(createPrivilege({ dryRun: false, say }));
  await disk.setDelay(delayMs);
  await show(disk, delayMs);
}

async function down(): Promise<void> {
  const privilege = createPrivilege({ dryRun: false, say });
  const standing = Journal.all().filter((journal) => journal.head.standing !== null);
  if (standing.length === 0) say('No storage is up.');
  for (const journal of standing) {
    await undo(journal, privilege);
    journal.end();
  }
}

/** `cachescope storage up|set|status|down|clean`: slow storage by hand. */
export function storageCommand(): Command {
  const storage = new Command('storage').summary(
    'slow storage by hand: up, set, status, down, clean',
  );
  storage
    .command('up')
    .description('attach a disk with a read delay; it stays when this command ends')
    .option('--delay <ms>', 'read delay', '0')
    .option('--storage <kind>', 'auto, dm-delay or nbd-delay', 'auto')
    .option('--delay-writes', 'delay writes too', false)
    .option('--dry-run', 'print every privileged command, run none', false)
    .action(up);
  storage
    .command('set')
    .description('change the read delay; close all files on it first')
    .argument('<ms>')
    .action(set);
  storage
    .command('status')
    .description('measure the disk and show its counters')
    .action(async () => show(await requireStanding(createPrivilege({ dryRun: false, say })), null));
  storage.command('down').description('unmount and remove it').action(down);
  storage
    .command('clean')
    .description('list and remove what a killed program left behind')
    .option('--dry-run', 'list only', false)
    .action(async (options: { dryRun: boolean }) => {
      process.exitCode = await clean(options);
    });
  return storage;
}
