import { mostShards, type ShardPlace } from '@cachescope/model/run/shard.ts';
import type { Problems } from './option-reading.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * `--shard`: `3/20`; `auto`, from the variables of a Slurm array or a Kubernetes Indexed Job; or `env:INDEX,COUNT`, the
 * names of two variables of another engine, whose index counts from 0. undefined, and a problem, when it is not a
 * shard.
 */
export function readShard(
  text: string,
  flag: string,
  problems: Problems,
  variables: Variables = process.env,
): ShardPlace | undefined {
  if (text === 'auto') {
    const found = shardOfEngine(variables, problems);
    if (!found && problems.length === 0)
      problems.push(
        `${flag} auto finds neither SLURM_ARRAY_TASK_ID nor JOB_COMPLETION_INDEX with CACHESCOPE_SHARDS; name the shard, such as 3/20`,
      );
    return found;
  }
  const names = /^env:(\w+),(\w+)$/.exec(text);
  if (names) return fromVariables(variables, names.slice(1), problems);
  const numbers = /^(\d+)\/(\d+)$/.exec(text);
  return checked(flag, text, numbers?.slice(1).map(Number), problems);
}

/** The shard set by the engine that started this process; undefined when there is none. */
export function shardOfEngine(variables: Variables, problems: Problems): ShardPlace | undefined {
  if (variables['SLURM_ARRAY_TASK_ID'] !== undefined) return ofSlurm(variables, problems);
  if (variables['JOB_COMPLETION_INDEX'] === undefined) return undefined;
  return fromVariables(variables, ['JOB_COMPLETION_INDEX', 'CACHESCOPE_SHARDS'], problems);
}

/**
 * Accepts only complete arrays: if an array starts elsewhere or leaves tasks out, its count differs from the plan's.
 */
function ofSlurm(variables: Variables, problems: Problems): ShardPlace | undefined {
  const [task, first, last, count] = ['ID', 'MIN', 'MAX', 'COUNT'].map((name) =>
    wholeNumber(variables[`SLURM_ARRAY_TASK_${name}`]),
  ) as [number, number, number, number];
  if ((first === 0 || first === 1) && last - first + 1 === count)
    return checked(
      'SLURM_ARRAY_TASK_ID',
      `${variables['SLURM_ARRAY_TASK_ID']}`,
      [task - first + 1, count],
      problems,
    );
  problems.push(
    `the Slurm array has ${count} tasks from ${first} to ${last}, which is not a whole array; name the shard: --shard $SLURM_ARRAY_TASK_ID/COUNT`,
  );
  return undefined;
}

function fromVariables(
  variables: Variables,
  [index = '', count = '']: readonly string[],
  problems: Problems,
): ShardPlace | undefined {
  const said = `${variables[index] ?? 'not set'} of ${variables[count] ?? 'not set'}`;
  const numbers = [wholeNumber(variables[index]) + 1, wholeNumber(variables[count])];
  return checked(`${index} and ${count}`, said, numbers, problems);
}

/** NaN for other texts, also for an empty one, which `Number()` takes for 0. */
function wholeNumber(text = ''): number {
  return /^\d+$/.test(text) ? Number(text) : Number.NaN;
}

function checked(
  name: string,
  text: string,
  numbers: readonly number[] | undefined,
  problems: Problems,
): ShardPlace | undefined {
  const [number = Number.NaN, count = Number.NaN] = numbers ?? [];
  const isWhole = Number.isInteger(number) && Number.isInteger(count);
  if (isWhole && number >= 1 && number <= count && count <= mostShards) return { number, count };
  problems.push(
    `${name} is ${JSON.stringify(text)}; it must name a shard, such as 3/20, from 1 to the number of shards, which is at most ${mostShards}`,
  );
  return undefined;
}
