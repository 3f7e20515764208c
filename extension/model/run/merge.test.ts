import { mergedWarnings } from './merged-machines.ts';
import { expect, test } from 'vitest';
import { madeUpShard } from '../fixtures/made-up-shard.ts';
import { cellKey } from './sample.ts';
import { mergedRun } from './merge.ts';
import { isRunOf, type RunDocument } from './run.ts';
import { savedSweep } from '../sweep/run.ts';
import { summarize } from '../sweep/summary.ts';

function sweepOf(documents: readonly RunDocument[]) {
  const merged = mergedRun(documents);
  if ('problems' in merged) throw new Error(merged.problems.join('\n'));
  if (!isRunOf('sweep', merged.value)) throw new Error('not a sweep');
  return merged.value;
}

const problemsOf = (...documents: RunDocument[]) => {
  const merged = mergedRun(documents);
  return 'problems' in merged ? merged.problems : [];
};

const six = Array.from({ length: 6 }, (_, place) => madeUpShard(place + 1, 6));

test('six shards make one complete run of the whole plan, in which each machine read every cell', () => {
  const { run, samples } = sweepOf(six);
  expect(run.status).toBe('complete');
  expect(run.plan).toMatchObject({ samplesPerCell: 12, launchesPerPoint: 12, seed: 42 });
  const timed = samples.filter(({ kind }) => kind === 'timed');
  const cells = Map.groupBy(timed, ({ cell }) => cellKey(cell));
  for (const [, of] of cells) {
    expect(of).toHaveLength(12);
    expect(new Set(of.map(({ machine }) => machine)).size).toBe(6);
    // The same numbers as in a run of the whole plan.
    expect(new Set(of.map(({ pass }) => pass))).toEqual(new Set(Array(12).keys()));
  }
  expect(summarize(run, samples).points).toHaveLength(12);
});

test('the time of a merged run is the sum over its shards, and unknown when that of one is', () => {
  const [first, ...others] = six;
  if (!first) throw new Error('six shards');
  const { timeSpent, ...run } = first.run;
  expect(sweepOf(six).run.timeSpent?.totalMs).toBe(6 * (timeSpent?.totalMs ?? 0));
  expect(sweepOf([{ ...first, run }, ...others]).run).not.toHaveProperty('timeSpent');
  expect(sweepOf([...others, { ...first, run }]).run).not.toHaveProperty('timeSpent');
});

test('launch numbers are unique across shards', () => {
  const { samples } = sweepOf(six);
  const machines = Map.groupBy(samples, ({ launch }) => launch);
  for (const [, of] of machines) expect(new Set(of.map(({ machine }) => machine)).size).toBe(1);
});

test('a launch that its histograms flag is flagged in the merged run, and no other launch is', () => {
  const shard = madeUpShard(2, 6);
  const launch = shard.samples[0]?.launch ?? 0;
  const none = { count: 0, sumMs: 0 };
  const told = { launch, hits: 1, others: 0, reads: 2, contentBytes: [], open: none, used: none };
  const histograms = [{ ...told, disagreements: ['one hit, two reads'] }];
  const all = [madeUpShard(1, 6), { ...shard, run: { ...shard.run, histograms } }];
  const document = sweepOf(all);
  const flagged = document.samples.filter(({ flags }) => flags.includes('histograms'));
  expect(flagged).toHaveLength(shard.samples.filter((each) => each.launch === launch).length);
  expect(new Set(flagged.map(({ machine }) => machine))).toEqual(new Set(['m2']));
  expect(sweepOf([document, madeUpShard(3, 6)])).toEqual(sweepOf([...all, madeUpShard(3, 6)]));
});

test('a merged run is written and read like any other run', () => {
  const document = sweepOf(six);
  const { run, samples } = JSON.parse(JSON.stringify(document)) as typeof document;
  const text = samples.map((sample) => JSON.stringify(sample)).join('\n');
  const read = savedSweep.readParts({ name: 'run.json', json: run }, { name: 'l', text });
  expect(read).toEqual({ value: document });
});

test('a merged run that lost lines is partial after another merge, and its warning is kept', () => {
  const lost = (document: ReturnType<typeof sweepOf>) => {
    const { run, samples } = JSON.parse(JSON.stringify(document)) as typeof document;
    const text = samples.slice(0, -3).map((sample) => JSON.stringify(sample));
    const file = { name: 'samples.ndjson', text: text.join('\n') };
    const read = savedSweep.readParts({ name: 'run.json', json: run }, file);
    if ('problems' in read) throw new Error(read.problems.join());
    return read.value;
  };
  const { run, samples } = sweepOf(six);
  expect(run.lineCount).toBe(samples.length);
  const again = sweepOf([lost(sweepOf(six.slice(1))), madeUpShard(1, 6)]).run;
  expect(again.status).toBe('partial');
  expect(again.statusReason).toBe(
    `3 of the ${samples.length} lines that the shards wrote cannot be used`,
  );
  expect(again.lineCount).toBe(samples.length - 3);
  expect(again.warnings.join()).toContain('samples.ndjson lacks 3 of');
  // The complete shards beside it have what it lost.
  expect(sweepOf([lost(sweepOf(six)), ...six])).toEqual(sweepOf(six));
});

test('a complete shard with a line that cannot be used makes a partial run of the lines that it has', () => {
  const [one, two] = [madeUpShard(1, 2), madeUpShard(2, 2)];
  const { run, samples } = sweepOf([one, { ...two, samples: two.samples.slice(1) }]);
  expect(run).toMatchObject({ status: 'partial', lineCount: samples.length });
});

test('missing and unfinished shards are named, and the run is partial', () => {
  const { run } = sweepOf([madeUpShard(2, 6), madeUpShard(5, 6, { taken: 7 })]);
  expect(run.status).toBe('partial');
  expect(run.statusReason).toBe('shards 1, 3, 4, 6 of 6 are missing; shard 5 is running');
  expect(run.endedAt).toBeUndefined();
});

test('a part of the plan that a machine could not take is named, and the run is partial', () => {
  const [one, two] = [madeUpShard(1, 2), madeUpShard(2, 2)];
  const { run } = sweepOf([{ ...one, run: { ...one.run, leftOut: ['cold loads'] } }, two]);
  expect(run.status).toBe('partial');
  expect(run.statusReason).toBe('shard 1 could not take cold loads');
  expect(run.leftOut).toBeUndefined();
});

test('shards of different plans are refused, and every difference is named with both values and machines', () => {
  const other = madeUpShard(2, 6);
  const { shard } = other.run;
  if (!shard) throw new Error('a shard');
  const changed = {
    ...other,
    run: {
      ...other.run,
      shard: { ...shard, planId: 'x', whole: { ...shard.whole, delaysMs: [1] } },
    },
  };
  const [problem = '', ...more] = problemsOf(madeUpShard(1, 6), changed);
  expect(more).toEqual([]);
  expect(problem).toContain(
    'delaysMs is [0,1,2,3,4,5,6,7,8,9,10] in shard 1 on m1, [1] in shard 2 on m2',
  );
  expect(problemsOf(madeUpShard(1, 6), madeUpShard(2, 7)).join()).toContain(
    'number of shards is 6 in shard 1 on m1, 7 in shard 2 on m2',
  );
});

test('a machine with a different Chromium version is refused', () => {
  const other = madeUpShard(2, 6);
  const { chromium } = other.run.environment;
  const environment = {
    ...other.run.environment,
    chromium: { ...chromium, version: 'Chrome/155.0.1.2' },
  };
  expect(problemsOf(madeUpShard(1, 6), { ...other, run: { ...other.run, environment } })).toEqual([
    expect.stringContaining(
      'Chromium is "Chrome/156.0.8078.79" in shard 1 on m1, "Chrome/155.0.1.2" in shard 2',
    ),
  ]);
});

test('two copies of one shard with different samples are refused; an earlier copy is accepted', () => {
  const whole = madeUpShard(1, 6);
  const other = { ...whole, samples: whole.samples.map((sample) => ({ ...sample, readMs: 1 })) };
  expect(problemsOf(whole, other)).toEqual([
    'shard 1 occurs twice with different samples, taken on m1: name only one of them',
  ]);
  const earlier = madeUpShard(1, 6, { taken: 9 });
  expect(sweepOf([earlier, whole]).samples).toHaveLength(whole.samples.length);
});

test('a run that is not a shard is refused', () => {
  const { shard: _, ...run } = madeUpShard(1, 6).run;
  expect(problemsOf({ ...madeUpShard(1, 6), run })).toEqual([
    'the sweep of 2026-11-20T23:00:00Z is not a shard of a plan',
  ]);
});

test('shards on one kernel count as one machine, even under different names', () => {
  const { run, samples } = sweepOf([
    madeUpShard(1, 3, { machine: 'b', bootId: 'k' }),
    madeUpShard(2, 3, { machine: 'a', bootId: 'k' }),
    madeUpShard(3, 3, { machine: 'c', bootId: 'l' }),
  ]);
  expect(new Set(samples.map(({ machine }) => machine))).toEqual(new Set(['a', 'c']));
  expect(run.warnings.join()).toContain('a and b ran on one kernel');
});

test('differences between machines come first in the warnings; a wrong clock is reported', () => {
  const [one, two] = [madeUpShard(1, 2), madeUpShard(2, 2)];
  const environment = { ...two.run.environment, kernel: '6.5.0' };
  const { shard } = two.run;
  if (!shard) throw new Error('a shard');
  // An hour before its plan was made.
  const early = { ...shard, plannedAt: '2026-11-21T00:00:00Z' };
  const { run } = sweepOf([one, { ...two, run: { ...two.run, environment, shard: early } }]);
  expect(run.environment.kernel).toBe('6.1.0 (m1); 6.5.0 (m2)');
  expect(run.warnings[0]).toBe('The machines differ in kernel: 6.1.0 (m1); 6.5.0 (m2).');
  expect(run.warnings[1]).toContain('m2 began shard 2 60 min before the plan was made');
});

test('machines that measured with another nginx are named', () => {
  const runs = ['nginx/1.22.1', 'nginx/1.28.0'].map((own, index) => ({
    ...madeUpShard(index + 1, 2).run,
    nginx: { own, patched: null },
  }));
  expect(mergedWarnings(runs as never)).toContain(
    'The machines differ in nginx: nginx/1.22.1 (m1); nginx/1.28.0 (m2).',
  );
});

test('the nginx of a merged run is that of a machine which has one', () => {
  const shards = [null, 'nginx/1.22.1'].map((own, place) => {
    const shard = madeUpShard(place + 1, 2);
    return { ...shard, run: { ...shard.run, nginx: { own, patched: null } } };
  });
  expect(sweepOf(shards).run).toMatchObject({ nginx: { own: 'nginx/1.22.1', patched: null } });
});

test('machines with another network path are named', () => {
  const runs = ['loopback', 'two kernels'].map((kind, index) => ({
    ...madeUpShard(index + 1, 2).run,
    link: { kind },
  }));
  expect(mergedWarnings(runs as never)).toContain(
    'The machines differ in network path: loopback (m1); two kernels (m2).',
  );
});

test('the browser is that of the first shard that launched one', () => {
  const [one, two] = [madeUpShard(1, 2), madeUpShard(2, 2)];
  const chromium = { version: 'not used', path: '', flags: [] };
  const without = { ...one.run, environment: { ...one.run.environment, chromium } };
  const { run } = sweepOf([{ ...one, run: without }, two]);
  expect(run.environment.chromium).toEqual(two.run.environment.chromium);
});

/** Two shards of a plan that asks for the recompressed series, each with or without it. */
const recompressing = (...has: boolean[]) =>
  has.map((recompress, place) => {
    const shard = madeUpShard(place + 1, has.length);
    const { run } = shard;
    const whole = { ...run.shard?.whole, recompress: true };
    const plan = { ...run.plan, ...(recompress && { recompress }) };
    return { ...shard, run: { ...run, plan, shard: { ...run.shard, whole } } as typeof run };
  });

test('a series that every shard left out is not in the merged plan', () => {
  expect(sweepOf(recompressing(false, false)).run.plan.recompress).toBeUndefined();
  expect(sweepOf(recompressing(false, true)).run.plan.recompress).toBe(true);
});

test('the cost of a coding is the median of all shards', () => {
  const shards = [1, 5, 2].map((encodeMs, place) => {
    const shard = madeUpShard(place + 1, 3);
    const cost = { workload: 'w', encodedBytes: 1000, runs: 5 + place, decodeMs: 10 * encodeMs };
    const codingCosts = (['br', 'dcb'] as const).map((coding) => ({ ...cost, coding, encodeMs }));
    return { ...shard, run: { ...shard.run, codingCosts } };
  });
  const all = { workload: 'w', encodedBytes: 1000, runs: 5, encodeMs: 2, decodeMs: 20 };
  expect(sweepOf(shards).run.codingCosts).toEqual([
    { ...all, coding: 'br' },
    { ...all, coding: 'dcb' },
  ]);
});
