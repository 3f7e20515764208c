import { expect, test } from 'vitest';
import { explainOptions } from '../explain/options.ts';
import { sweepOptions } from './options.ts';

test('a profile stands beside the delays that were asked for, and in place of the usual ones', () => {
  const planOf = (options: typeof sweepOptions, more = {}) =>
    options.read({ profile: 'hard-disk', ...more }).asked.plan;
  expect(planOf(sweepOptions)).toMatchObject({ delaysMs: [], profile: { name: 'hard-disk' } });
  expect(planOf(sweepOptions, { delays: '0,5' }).delaysMs).toEqual([0, 5]);
  const range = { start: '0', end: '4', increment: '2' };
  expect(planOf(sweepOptions, range).delaysMs).toEqual([0, 2, 4]);
  // Without delays there would be no model to explain.
  expect(planOf(explainOptions).delaysMs).toEqual([0, 2, 5, 10]);
});

test('only the device of nbd-live draws latencies', () => {
  const { asked } = sweepOptions.read({ profile: 'hard-disk' });
  expect(asked.storage).toBe('nbd-live');
  const { problems } = sweepOptions.read({
    profile: '/nowhere',
    storage: 'dm-delay',
    samples: '0',
  });
  expect(problems).toEqual([
    '--samples is "0"; it must be a whole number from 1 to 10000',
    expect.stringMatching(/^--profile is not a file .* none of .*hard-disk/),
    '--profile needs --storage nbd-live; dm-delay has one latency for all reads',
  ]);
  expect(sweepOptions.read({ profile: 'hard-disk', storage: 'none' }).problems).toEqual([
    '--profile: --storage none has no slow disk',
  ]);
  const typed = { storage: 'none', start: '0', delays: '5', bandwidth: '20MB/s' };
  expect(sweepOptions.read(typed).problems).toEqual([
    'start, end and increment: --storage none has no slow disk',
    '--delays, --bandwidth: --storage none has no slow disk',
    '--delays and the arguments start, end and increment exclude each other',
  ]);
  expect(explainOptions.read({ storage: 'none' }).problems).toEqual([]);
});

test('the margin is in the plan with and without a stop rule', () => {
  for (const options of [sweepOptions, explainOptions]) {
    const planOf = (typed: Record<string, string>) => options.read(typed).asked.plan;
    expect(planOf({ margin: '10%' })).toMatchObject({ margin: 0.1 });
    expect(planOf({ margin: '10%', precision: '3%' })).toMatchObject({ stopRule: { margin: 0.1 } });
    expect(planOf({})).not.toHaveProperty('margin');
  }
});

test('more launches than samples are refused; a default is lowered', () => {
  const problemsOf = (typed: Record<string, string>) => sweepOptions.read(typed).problems;
  expect(problemsOf({ launches: '50' })).toEqual([
    '--launches 50 is above --samples 20: some launches would be empty',
  ]);
  expect(problemsOf({ launches: '20' })).toEqual([]);
  for (const options of [sweepOptions, explainOptions]) {
    const { asked, problems } = options.read({ samples: '3' });
    expect(problems).toEqual([]);
    expect(asked.plan.launchesPerPoint).toBe(3);
  }
});

test('nothing is traced by default', () => {
  for (const typed of [{}, { trace: false }])
    expect(sweepOptions.read(typed).asked.plan.traces).toBeUndefined();
});

test('--witness syscalls implies a trace', () => {
  const tracesOf = (typed: Parameters<typeof sweepOptions.read>[0]) =>
    sweepOptions.read(typed).asked.plan.traces;
  expect(tracesOf({ trace: true })).toEqual({ syscalls: false });
  expect(tracesOf({ witness: 'syscalls' })).toEqual({ syscalls: true });
});

test('an unknown witness is rejected by name', () => {
  const { problems } = sweepOptions.read({ witness: 'ebpf' });
  expect(problems).toEqual(['--witness is "ebpf"; known are syscalls']);
});
