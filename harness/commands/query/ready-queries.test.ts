import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { usable } from '@cachescope/model/run/sample.ts';
import { expect, test } from 'vitest';
import { sweep } from '../../experiments/sweep/experiment.ts';
import { answerOf } from './command.ts';
import { merged, plain, runsOnDisk } from './made-up-runs.ts';

const { mergedPath, plainPath, shardPaths } = runsOnDisk();

/** The ready queries of the documentation. */
function readyQueries(): string[] {
  const page = readFileSync(join(import.meta.dirname, '../../docs/query.md'), 'utf8');
  return /```sql\n([^`]*)```/.exec(page)?.[1]?.trim().split(/;\s*/).filter(Boolean) ?? [];
}

/** The ready query under a comment. */
function readyQuery(name: string): string {
  return readyQueries().find((each) => each.startsWith(`-- ${name}`)) ?? '';
}

/** The delay of a point in SQL: the control has none. */
function delayIn({ storage, requestedDelayMs }: { storage: string; requestedDelayMs: number }) {
  return storage === 'none' ? null : requestedDelayMs;
}

/** Rows in any order, numbers to nine digits. */
function asSet(rows: readonly (readonly unknown[])[]): string[] {
  const rounded = (value: unknown) =>
    typeof value === 'number' || typeof value === 'bigint' ? Number(value).toPrecision(9) : value;
  return rows.map((row) => row.map((value) => String(rounded(value))).join(' ')).toSorted();
}

test.each([
  ['plain', () => [plainPath, plain] as const],
  ['merged', () => [mergedPath, merged] as const],
])('the ready queries over a %s run give what its summary says', async (_, of) => {
  const [path, run] = of();
  const summary = sweep.summarize(run);
  const answer = async (name: string) => asSet((await answerOf([path], readyQuery(name))).rows);
  const cells = summary.points.flatMap((point) =>
    point.arms.map((cell) => ({ ...cell, point, storage: point.storage, delay: delayIn(point) })),
  );
  expect(await answer('Read times as in the report')).toEqual(
    asSet(
      cells.map(({ workload = null, storage, delay, arm, variant = null, ...cell }) => {
        const times = [cell.medianMs, cell.lowMs, cell.highMs];
        return [path, workload, storage, delay, arm, variant, ...times];
      }),
    ),
  );
  expect(await answer('One cell over many runs')).toEqual(
    asSet(
      cells.flatMap(({ arm, variant, delay, medianMs, lowMs, highMs }) =>
        arm === 'dcb' && variant === undefined && delay === 5
          ? [[path, medianMs, lowMs, highMs]]
          : [],
      ),
    ),
  );
  expect(await answer('Gaps that were decided')).toEqual(
    asSet(
      summary.points.flatMap((point) =>
        point.gaps.flatMap(({ of: one, against, ms, verdict }) => {
          const sides = [one, against].flatMap(({ arm, variant = null }) => [arm, variant]);
          const where = [path, point.storage, delayIn(point)];
          return verdict.outcome === 'DIFFERENT' ? [[...where, ...sides, ms]] : [];
        }),
      ),
    ),
  );
  const timed = run.samples.filter(({ kind }) => kind === 'timed');
  const byFlags = Map.groupBy(timed, ({ flags }) => flags.join(' '));
  expect(await answer('Share of flagged reads')).toEqual(
    asSet(
      Array.from(byFlags, ([flags, own]) => [path, flags, own.length, own.length / timed.length]),
    ),
  );
  const slowest = usable(run.samples).toSorted((a, b) => b.readMs - a.readMs);
  const { rows } = await answerOf([path], readyQuery('Slow reads'));
  expect(rows.map((row) => row[7])).toEqual(slowest.slice(0, 10).map(({ readMs }) => readMs));
});

test('without machines, read times from the samples are those of the summary', async () => {
  const { rows } = await answerOf([plainPath], readyQuery('Read times by machine'));
  const expected = sweep.summarize(plain).points.flatMap((point) =>
    point.arms.map(({ workload = null, arm, variant = null, medianMs, launches }) => {
      const series = [point.storage, delayIn(point), arm, variant];
      return [null, workload, ...series, medianMs, launches];
    }),
  );
  expect(asSet(rows)).toEqual(asSet(expected));
});

test('the machine with the largest effect at each point is that of the summary', async () => {
  const statement = readyQuery('The machine with the largest effect');
  const { rows } = await answerOf([mergedPath], statement);
  const gaps = sweep.summarize(merged).machines ?? [];
  const expected = gaps.map((gap) => {
    const size = ({ relative }: { relative: number }) => Math.abs(relative);
    const [largest] = gap.pooled.machines.toSorted((a, b) => size(b) - size(a));
    return [gap.storage, delayIn(gap), largest?.machine, largest?.relative];
  });
  expect(asSet(rows.map((row) => row.slice(2)))).toEqual(asSet(expected));
});

test.each([
  ['a merged run', () => [mergedPath]],
  ['its shards', () => shardPaths],
])(
  'the effect by machine from the samples of %s in SQL is that of the forest plot',
  async (_, runs) => {
    const statement = readyQuery('Effect of DCB');
    const { rows } = await answerOf(runs(), statement);
    const gaps = sweep.summarize(merged).machines ?? [];
    const expected = gaps.flatMap(({ storage, requestedDelayMs, pooled }) =>
      pooled.machines.map(({ machine, relative, launches }) => {
        const delay = delayIn({ storage, requestedDelayMs });
        const where = [null, storage, delay, null, machine];
        return [...where, expect.closeTo(relative, 9), BigInt(launches)];
      }),
    );
    expect(rows).toHaveLength(expected.length);
    expect(rows).toEqual(expect.arrayContaining(expected));
  },
);
