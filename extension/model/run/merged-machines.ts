import type { Environment, RunBase } from './base.ts';
import type { Shard } from './shard.ts';

type ShardHead = Pick<
  RunBase,
  'environment' | 'warnings' | 'startedAt' | 'status' | 'statusReason' | 'leftOut'
> & {
  shard: Shard;
  /** Of a run of fill: the versions of its nginx. */
  nginx?: { own: string | null; patched: string | null };
  /** Of a run of transfer: its network path. */
  link?: { kind: string };
};

/**
 * The machine of each shard, by shard number. Shards with the same kernel boot id ran on one machine, even under
 * different names: they get the name that sorts first.
 */
export function mergedMachines(runs: readonly ShardHead[]): ReadonlyMap<number, string> {
  // Each name and each boot id belongs to one machine.
  const groups: { keys: Set<string>; names: string[]; numbers: number[] }[] = [];
  for (const { shard } of runs) {
    const { machine, bootId, number } = shard;
    const keys = [`name ${machine}`, ...(bootId === null ? [] : [`boot ${bootId}`])];
    const found = groups.filter((group) => keys.some((key) => group.keys.has(key)));
    const rest = groups.filter((group) => !found.includes(group));
    groups.splice(0, groups.length, ...rest, {
      keys: new Set([...found.flatMap((group) => [...group.keys]), ...keys]),
      names: [...found.flatMap(({ names }) => names), machine],
      numbers: [...found.flatMap(({ numbers }) => numbers), number],
    });
  }
  return new Map(
    groups.flatMap(({ names, numbers }) =>
      numbers.map((number) => [number, names.toSorted()[0] ?? ''] as const),
    ),
  );
}

/** Version of the browser; null when no browser was launched. */
export function chromiumOf({ environment }: Pick<RunBase, 'environment'>): string | null {
  const { version } = environment.chromium;
  return /\d/.test(version) ? version : null;
}

/** The text that all machines share, or the text of each machine: `6.1.0 (a, c); 6.5.0 (b)`. */
function eachText(runs: readonly ShardHead[], of: (run: ShardHead) => unknown): string {
  const machines = mergedMachines(runs);
  const texts = Map.groupBy(runs, (run) => String(of(run)));
  if (texts.size === 1) return [...texts.keys()].join('');
  return [...texts]
    .map(([text, same]) => {
      const names = same.map(({ shard }) => machines.get(shard.number) ?? shard.machine);
      return `${text} (${[...new Set(names)].toSorted().join(', ')})`;
    })
    .join('; ');
}

/**
 * One environment for all machines. A text that differs names the machines. Cores and memory are the minimum, the timer
 * step is the maximum.
 */
export function mergedEnvironment(runs: readonly ShardHead[]): Environment {
  const [first] = runs;
  if (!first) throw new Error('nothing to merge');
  const launching = runs.filter((run) => chromiumOf(run) !== null);
  const browsers = launching.length > 0 ? launching : runs;
  const { chromium } = (browsers[0] ?? first).environment;
  const steps = runs.flatMap(({ environment }) => environment.timerStepMs ?? []);
  return {
    chromium: {
      ...chromium,
      path: eachText(browsers, ({ environment }) => environment.chromium.path),
    },
    node: eachText(runs, ({ environment }) => environment.node),
    kernel: eachText(runs, ({ environment }) => environment.kernel),
    os: eachText(runs, ({ environment }) => environment.os),
    cpu: eachText(runs, ({ environment }) => environment.cpu),
    cores: Math.min(...runs.map(({ environment }) => environment.cores)),
    memoryBytes: Math.min(...runs.map(({ environment }) => environment.memoryBytes)),
    storage: eachText(runs, ({ environment }) => environment.storage),
    ...(first.environment.link !== undefined && {
      link: eachText(runs, ({ environment }) => environment.link),
    }),
    timerStepMs: steps.length === 0 ? null : Math.max(...steps),
  };
}

/** Properties that may differ between machines and affect times. */
const compared: readonly (readonly [string, (run: ShardHead) => unknown])[] = [
  ['kernel', ({ environment }) => environment.kernel],
  ['processor', ({ environment: { cpu, cores } }) => `${cpu}, ${cores} cores`],
  ['operating system', ({ environment }) => environment.os],
  ['storage', ({ environment }) => environment.storage],
  ['link', ({ environment }) => environment.link ?? 'none'],
  ['nginx', ({ nginx }) => [nginx?.own, nginx?.patched].filter(Boolean).join(', ') || 'none'],
  ['network path', ({ link }) => link?.kind ?? 'none'],
];

/** Of a run of fill: each nginx of the first machine that has it; empty for others. */
export function mergedNginx(runs: readonly ShardHead[]): Pick<ShardHead, 'nginx'> {
  const found = runs.flatMap(({ nginx }) => nginx ?? []);
  const first = (key: 'own' | 'patched') => found.find((each) => each[key] !== null)?.[key] ?? null;
  return found.length === 0 ? {} : { nginx: { own: first('own'), patched: first('patched') } };
}

/** Warnings about the machines: differences, names and clocks that must be wrong, and each machine's own warnings. */
export function mergedWarnings(runs: readonly ShardHead[]): string[] {
  const differing = compared.flatMap(([name, of]) => {
    const values = new Set(runs.map(of));
    return values.size > 1 ? [`The machines differ in ${name}: ${eachText(runs, of)}.`] : [];
  });
  return [...differing, ...sharedKernels(runs), ...wrongClocks(runs), ...ownWarnings(runs)];
}

function sharedKernels(runs: readonly ShardHead[]): string[] {
  const machines = mergedMachines(runs);
  const names = Map.groupBy(runs, ({ shard }) => machines.get(shard.number) ?? '');
  return [...names].flatMap(([machine, same]) => {
    const called = [...new Set(same.map(({ shard }) => shard.machine))].toSorted();
    if (called.length < 2) return [];
    return [
      `${called.join(' and ')} ran on one kernel, so they count as one machine: ${machine}. Set CACHESCOPE_MACHINE only for machines that really differ.`,
    ];
  });
}

/** A run cannot begin before its plan was made. */
function wrongClocks(runs: readonly ShardHead[]): string[] {
  return runs.flatMap(({ shard, startedAt }) => {
    const earlyMs = Date.parse(shard.plannedAt ?? startedAt) - Date.parse(startedAt);
    // Unsynchronised clocks may differ by up to a minute, without effect on results.
    if (!(earlyMs > 60_000)) return [];
    return [
      `By its clock, ${shard.machine} began shard ${shard.number} ${Math.round(earlyMs / 60_000)} min before the plan was made: one of the clocks is wrong. No result depends on times of different machines.`,
    ];
  });
}

function ownWarnings(runs: readonly ShardHead[]): string[] {
  const sentences = [...new Set(runs.flatMap(({ warnings }) => warnings))];
  return sentences.map((sentence) => {
    const by = runs.filter(({ warnings }) => warnings.includes(sentence));
    if (by.length === runs.length) return sentence;
    return `${[...new Set(by.map(({ shard }) => shard.machine))].toSorted().join(', ')}: ${sentence}`;
  });
}

/** The missing and unfinished shards, and those without a part of the plan, without a full stop. */
export function lackingShards(runs: readonly ShardHead[]): string[] {
  const count = runs[0]?.shard.count ?? 0;
  const known = new Set(runs.map(({ shard }) => shard.number));
  const missing = Array.from({ length: count }, (_, place) => place + 1).filter(
    (number) => !known.has(number),
  );
  const unfinished = runs
    .filter(({ status }) => status !== 'complete')
    .map(
      ({ shard, status, statusReason }) =>
        `shard ${shard.number} is ${status}${statusReason === undefined ? '' : ` (${statusReason})`}`,
    );
  const [shards, are] = missing.length === 1 ? ['shard', 'is'] : ['shards', 'are'];
  if (missing.length > 0)
    unfinished.unshift(`${shards} ${missing.join(', ')} of ${count} ${are} missing`);
  const without = runs.flatMap(({ shard, leftOut }) =>
    leftOut ? [`shard ${shard.number} could not take ${leftOut.join(', ')}`] : [],
  );
  return [...unfinished, ...without];
}
