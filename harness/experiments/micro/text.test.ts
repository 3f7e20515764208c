import { madeUpBase } from '@cachescope/model/fixtures/made-up-base.ts';
import { madeUpSlice } from '@cachescope/model/fixtures/micro.ts';
import type { MicroRun } from '@cachescope/model/micro/run.ts';
import type { MicroCell, MicroSlice } from '@cachescope/model/micro/slice.ts';
import { expect, test } from 'vitest';
import { screenText } from '../../results/screen.ts';
import { micro } from './experiment.ts';

const run = {
  ...madeUpBase(),
  experiment: 'micro',
  plan: {
    delaysMs: [],
    caches: ['none', 'memory', 'disk'],
    timeMs: 10_000,
    launches: 5,
    listLength: 101,
    crossoverMargin: 0.1,
  },
  quiets: [{ after: 'disk', waitedMs: 700, entries: 101 }],
  fills: [],
} as unknown as MicroRun;

/** Six launches of every cell, so that there are intervals. */
function slices(...cells: [cell: Partial<MicroCell>, us: number][]): MicroSlice[] {
  return cells.flatMap(([cell, us]) =>
    Array.from({ length: 6 }, (_, launch) =>
      madeUpSlice(cell, { launch, batchUs: [us + launch, us + 10], counts: [50, 50] }),
    ),
  );
}

const all = slices(
  [{ row: 'overhead' }, 1_234_567],
  [{ cache: 'memory', bytes: 524288 }, 98_765_432],
  [{ bytes: 524288 }, 198_765_432],
  [
    {
      part: 'list',
      cache: 'service-worker',
      state: 'dropped',
      storage: 'nbd-delay',
      delayMs: 10_000,
    },
    9e9,
  ],
  [
    { part: 'search', row: 'absent', entries: 50_000, backEnd: 'blockfile', state: 'first' },
    123_456_789,
  ],
  [{ part: 'search', cache: 'blink', row: 'present', entries: 100, state: 'relaunched' }, 1000],
  [{ part: 'crossover', cache: 'disk', bytes: 1024 }, 3000],
  [{ part: 'crossover', cache: 'memory', bytes: 1024 }, 1000],
);

const outputs = (own: readonly MicroSlice[]) => {
  const document = { run, slices: [...own] };
  const summary = micro.summarize(document);
  return {
    stdout: screenText(micro.page(document, summary), run, summary.trust),
    files: micro.files(document, summary),
  };
};
const { files } = outputs(all);

test('the text on stdout fits 80 columns, even with five levels of entries and sizes', () => {
  const entries = [0, 100, 1000, 10_000, 50_000].map((count): [Partial<MicroCell>, number] => [
    {
      part: 'search',
      cache: 'disk',
      backEnd: 'blockfile',
      row: 'present',
      state: 'lost',
      entries: count,
    },
    123_456,
  ]);
  const both = entries.map(([cell, us]): [Partial<MicroCell>, number] => [
    { ...cell, cache: 'blink' },
    us,
  ]);
  const lines = outputs([...all, ...slices(...entries, ...both)]).stdout.split('\n');
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
});

test('the report shows the published values beside the measured ones where they are comparable', () => {
  const report = files['report.txt'] ?? '';
  expect(report).toMatch(/^Memory cache +Hit +512 KiB .* 10,443 +31 +337$/m);
  expect(report).toMatch(/^Disk cache +Hit +512 KiB .* 10,451 +31 +337$/m);
  expect(report).toMatch(/^Service worker +cold, 10,000 ms .* – +– +–$/m);
  expect(report).toContain('Bjarne Herland');
  expect(report.replaceAll(/\s+/g, ' ')).toContain(
    'disk is more than 10 % slower than memory at all sizes from 1 KiB on',
  );
});

test('a part that was not measured leaves no empty table', () => {
  expect(outputs(slices([{ row: 'hit' }, 1000])).stdout).not.toMatch(/again: in|Search in/);
});

test('every cell is a line of the CSV, with the same number of fields as its header', () => {
  const lines = (files['cells.csv'] ?? '').trim().split('\n');
  expect(lines).toHaveLength(1 + 8);
  expect(new Set(lines.map((line) => line.split(',').length)).size).toBe(1);
  expect(lines.find((line) => line.startsWith('search,disk,absent'))).toContain(
    ',first,blockfile,50000,',
  );
});
