import type { RunBase } from '@cachescope/model/run/base.ts';
import { commandText } from '../privilege.ts';
import { CachescopeError } from '../error.ts';
import type { Kinds, Resume } from '../experiments/experiment.ts';
import { thisMachine } from './division.ts';

/**
 * Refuses to resume a run that is already complete, was merged, or is a shard of another machine. A run that is still in
 * progress holds the machine.
 *
 * @throws CachescopeError CS_RESUME_COMPLETE or CS_RESUME_SHARDS, exit code 2.
 */
export function requireResumable({ status, merged, shard }: RunBase, path: string): void {
  if (status === 'complete')
    throw new CachescopeError(
      'CS_RESUME_COMPLETE',
      `${path} is complete; there is nothing to resume`,
      { hint: 'Start a new run, or report this one with npm run report -- DIR.' },
    );
  if (merged)
    throw new CachescopeError('CS_RESUME_SHARDS', `${path} was merged from shards`, {
      hint: `Take the missing shards, and merge again: npm run merge -- ${commandText([path])} SHARD... --out NEW`,
    });
  const { machine } = thisMachine();
  if (!shard || shard.machine === machine) return;
  throw new CachescopeError(
    'CS_RESUME_SHARDS',
    `${path} is a shard of the machine ${shard.machine}; this machine is ${machine}`,
    { hint: 'Resume it there, or start the same shard again here: it is then taken anew.' },
  );
}

/**
 * A saved run that is resumed, with `samples` lines so far. `fresh` is the run.json that a new run would have.
 *
 * @throws CachescopeError CS_RESUME_CHANGED with every condition that has changed, exit code 3: the samples of one cell
 * would not be comparable.
 */
export function resumedRun<K extends Kinds>(
  { conditions }: Pick<Resume<K>, 'conditions'>,
  saved: K['document']['run'],
  fresh: K['document']['run'],
  samples: number,
): K['document']['run'] {
  const changed = conditions
    .map(([name, read]) => ({ name, was: read(saved), is: read(fresh) }))
    .filter(({ was, is }) => was !== is);
  if (changed.length > 0) {
    const list = changed.map(({ name, was, is }) => `\n  - ${name}: was ${was}; is ${is}`);
    throw new CachescopeError(
      'CS_RESUME_CHANGED',
      `the run cannot be resumed, because conditions of its results have changed:${list.join('')}`,
      { hint: 'Report it with npm run report -- DIR, and start a new run.' },
    );
  }
  const { statusReason: _, endedAt: __, lineCount: ___, ...kept } = saved;
  const now = { at: fresh.startedAt, samples };
  return {
    ...kept,
    status: 'running',
    warnings: [...new Set([...saved.warnings, ...fresh.warnings])],
    resumed: [...(saved.resumed ?? []), now],
  };
}
