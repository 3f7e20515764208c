import { printable } from '@cachescope/model/printable.ts';
import { existsSync, lstatSync, readdirSync, renameSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { RunBase } from '@cachescope/model/run/base.ts';
import type { Shard } from '@cachescope/model/run/shard.ts';
import { CachescopeError } from '../error.ts';
import type { Experiment, Kinds } from '../experiments/experiment.ts';
import { readRunDirectory, RunDirectory } from '../results/run-directory.ts';

/** Default directory of a shard: the same at every start. */
export function shardDirectory({ planId, number, count }: Shard): string {
  const digits = String(count).length;
  return resolve('results', `${planId}_${String(number).padStart(digits, '0')}-of-${count}`);
}

/**
 * The run in the directory of a shard; null: none has begun.
 *
 * @throws CachescopeError CS_OUT_EXISTS when it contains something else; CS_RUN_INVALID.
 */
export async function savedShard(path: string, shard: Shard): Promise<{ run: RunBase } | null> {
  if (!existsSync(join(path, 'run.json'))) return null;
  const document = await readRunDirectory(path);
  const { shard: saved } = document.run;
  if (
    saved?.planId === shard.planId &&
    saved.number === shard.number &&
    saved.count === shard.count
  )
    return document;
  const holds = saved
    ? `shard ${saved.number}/${saved.count} of plan ${saved.planId}`
    : 'a run that is not a shard';
  throw new CachescopeError(
    'CS_OUT_EXISTS',
    `${path} holds ${holds}, not shard ${shard.number}/${shard.count} of plan ${shard.planId}`,
    { hint: 'Name another directory with --out DIR.' },
  );
}

/**
 * Opens the directory of a shard; null: it is complete already. A shard that was interrupted on this machine is resumed
 * if the experiment supports it; otherwise its measurements are moved to a directory beside it, and the shard starts
 * again.
 */
export async function openShard<K extends Kinds>(
  { saved: files, resume }: Experiment<K>,
  path: string,
  shard: Shard,
  say: (line: string) => void,
): Promise<{ directory: RunDirectory; saved?: K['document'] } | null> {
  if (!existsSync(path)) return { directory: await RunDirectory.create(path, files) };
  const saved = await savedShard(path, shard);
  if (!saved) requireOnlyBegun(path);
  if (saved?.run.status === 'complete') return null;
  if (saved && resume && saved.run.shard?.machine === shard.machine) {
    say(`Continuing ${printable(path)}`);
    return { directory: RunDirectory.reopen(path, files), saved: saved as K['document'] };
  }
  const aside = unusedBeside(path);
  renameSync(path, aside);
  say(
    `${printable(path)} was interrupted and cannot be continued here: moved to ${printable(aside)}; starting again`,
  );
  return { directory: await RunDirectory.create(path, files) };
}

/**
 * A start that was killed at once leaves a directory with empty files at most. Anything else is no shard, and is not
 * moved.
 */
function requireOnlyBegun(path: string): void {
  const isBegun =
    statSync(path).isDirectory() &&
    readdirSync(path).every((name) => isEmptyFile(join(path, name)));
  if (isBegun) return;
  throw new CachescopeError('CS_OUT_EXISTS', `${path} exists, and is no shard of a run`, {
    hint: 'Name another directory with --out DIR.',
  });
}

function isEmptyFile(path: string): boolean {
  const found = lstatSync(path);
  return found.isFile() && found.size === 0;
}

/** `interrupted-1-NAME` beside a directory, or the next number that no earlier interruption took. */
function unusedBeside(path: string): string {
  const candidate = (number: number) =>
    join(dirname(path), `interrupted-${number}-${basename(path)}`);
  let number = 1;
  while (existsSync(candidate(number))) number++;
  return candidate(number);
}
