import { expect, test } from 'vitest';
import type { OptionTexts } from '../../options/option-table.ts';
import { sweepOptions } from '../sweep/options.ts';
import { explainOptions } from './options.ts';

/** The plan of a command line without problems. */
function planOf(typed: OptionTexts) {
  const { asked, problems } = explainOptions.read(typed);
  expect(problems).toEqual([]);
  return { ...asked.plan, workloads: asked.workloads };
}

test('explain is a sweep with presets', () => {
  expect(planOf({})).toMatchObject({
    explain: true,
    samplesPerCell: 6,
    launchesPerPoint: 6,
    delaysMs: [0, 2, 5, 10],
    slow: ['cache', 'dictionaries'],
    firstLoads: true,
    traces: { syscalls: false },
    workloads: [{ name: 'pdfjs' }, { name: 'synthetic:10KiB' }, { name: 'synthetic:10MiB' }],
  });
  const { asked } = sweepOptions.read({});
  expect(asked.plan.delaysMs).toEqual([1, 11, 21, 31, 41]);
  expect(asked.plan).not.toHaveProperty('explain');
});

test('an explicit option overrides a preset, and a preset never conflicts with it', () => {
  expect(planOf({ start: '0', end: '4', increment: '2' }).delaysMs).toEqual([0, 2, 4]);
  expect(planOf({ storage: 'none' })).not.toHaveProperty('slow');
  const files = { dictionary: import.meta.filename, resource: import.meta.filename };
  expect(planOf({ ...files, sizes: 'none' }).workloads).toEqual([files]);
  const { problems } = explainOptions.read({ start: '0', delays: '1' });
  expect(problems).toEqual([
    '--delays and the arguments start, end and increment exclude each other',
  ]);
});

test('defaults can be turned off, and --disk can be repeated', () => {
  const plan = planOf({ trace: false, firstLoads: false });
  expect(plan).not.toHaveProperty('traces');
  expect(plan).not.toHaveProperty('firstLoads');
  const disk = ['0.3ms,120MB/s', '2ms,1GB/s,64KiB'];
  expect(planOf({ disk }).disks?.map(({ name }) => name)).toEqual(disk);
});

test.each([
  [
    { delays: '0,5' },
    ['2 read delays: the model and its break-evens need 3, for example --delays 0,5,10'],
  ],
  [
    { start: '5', end: '5' },
    ['1 read delay: the model and its break-evens need 3, for example --delays 0,5,10'],
  ],
  [{ delays: '0,5,10' }, []],
  [{ storage: 'none' }, []],
])('a plan without a model is refused before it starts: %j', (typed, problems) => {
  expect(explainOptions.read(typed).problems).toEqual(problems);
});
