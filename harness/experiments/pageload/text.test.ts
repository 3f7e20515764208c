import {
  fetchedRows,
  madeUpLoad,
  madeUpPage,
  madeUpResource,
} from '@cachescope/model/fixtures/pageload.ts';
import { type PageLoad, pageArms, pageStates } from '@cachescope/model/pageload/load.ts';
import type { PageloadRun } from '@cachescope/model/pageload/run.ts';
import { waterfallTable } from '@cachescope/model/pageload/waterfall-table.ts';
import { madeUpBase } from '@cachescope/model/fixtures/made-up-base.ts';
import { expect, test } from 'vitest';
import { treeLines } from './plan-text.ts';
import { screenText } from '../../results/screen.ts';
import { pageload } from './experiment.ts';

const run = {
  ...madeUpBase(),
  experiment: 'pageload',
  page: madeUpPage,
  notes: [],
  stored: [],
  plan: {
    states: pageStates,
    margin: 0.02,
    passes: 6,
    arms: pageArms,
    delaysMs: [0, 10_000],
    serverDelayMs: 0,
  },
} as unknown as PageloadRun;

/** Six loads of every cell, with the longest possible values. */
const device = { reads: 12_345, readBytes: 123_456_789, writes: 0, writtenBytes: 0 };
const loads: PageLoad[] = [0, 10_000]
  .flatMap((delayMs) =>
    pageArms.flatMap((arm) =>
      pageStates.flatMap((state) =>
        Array.from({ length: 6 }, (_, pass) =>
          madeUpLoad(
            { arm, state, delayMs, storage: 'nbd-delay' },
            { loadMs: 123_456 + pass, launch: pass, device },
          ),
        ),
      ),
    ),
  )
  .map((load, sequence) => ({ ...load, sequence }));
const document = { run, pageloads: loads };
const summary = pageload.summarize(document);
const files = pageload.files(document, summary);

/** The bars of the waterfall of a load. */
const waterfallOf = (page: PageloadRun['page'], load: PageLoad) =>
  waterfallTable(page, [load], [{ shown: load.sequence } as (typeof summary.figures)[number]])
    .shown('report')
    .flatMap(({ title, rows }) => [title, ...rows.map((cells) => cells.at(-1)?.text)]);

test('the text on stdout fits 80 columns, even with the longest values', () => {
  const lines = screenText(pageload.page(document, summary), run, summary.trust).split('\n');
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
  expect(lines.join('\n')).toMatch(/^10,000 +.*123,45\d/m);
  expect(files['report.txt']).toMatch(/0 of 96\s+loads\s+excluded/);
});

test('the report draws a waterfall of every kind of load, in 80 columns', () => {
  const report = files['report.txt'] ?? '';
  expect(report.match(/^Waterfall: /gm)).toHaveLength(16);
  const bars = report.split('\n').filter((line) => line.startsWith('app.js'));
  expect(bars).toHaveLength(16);
  expect(Math.max(...bars.map((line) => line.length))).toBeLessThanOrEqual(80);
});

test('each resource of each load is a line of the CSV, and no field is a formula', () => {
  const [first, ...others] = madeUpPage.resources;
  if (!first) throw new Error('no document');
  const page = { ...madeUpPage, resources: [{ ...first, url: '=1+1,"a"' }, ...others] };
  const crafted = { run: { ...run, page }, pageloads: loads };
  const lines = (pageload.files(crafted, pageload.summarize(crafted))['resources.csv'] ?? '')
    .trim()
    .split('\n');
  expect(lines).toHaveLength(1 + 96 * 3);
  expect(lines[1]).toContain(`,"'=1+1,""a""",document,`);
  const cells = (files['cells.csv'] ?? '').trim().split('\n');
  expect(cells).toHaveLength(1 + 16);
  expect(cells[0]).toContain(',finish_ms,requested,sent_bytes,device_reads,');
  expect(new Set(cells.map((line) => line.split(',').length)).size).toBe(1);
});

test('200,000 rows in a crafted file are shown', () => {
  const last = { ...fetchedRows[0], startMs: 1, endMs: 7 } as PageLoad['rows'][number];
  const unknown = { ...last, startMs: null, endMs: null };
  const rows = [...Array.from({ length: 199_999 }, () => unknown), last];
  const long = madeUpLoad({}, { rows, loadMs: null });
  const lines = waterfallOf(madeUpPage, long);
  expect(lines[0]).toContain('(0 to 7 ms)');
  expect(lines).toHaveLength(1 + 200_000);
});

test('odd times and initiators in a crafted file cannot break the text', () => {
  const row = { ...fetchedRows[0], startMs: -50, responseStartMs: -1e15, endMs: -1 };
  const odd = madeUpLoad({}, { rows: [row as PageLoad['rows'][number]] });
  expect(waterfallOf(madeUpPage, odd)).toEqual([expect.stringContaining('Waterfall'), '=']);
  const resources = Array.from({ length: 5000 }, (_, place) =>
    madeUpResource({ parent: place === 0 ? null : place - 1 }),
  );
  const chain = { ...madeUpPage, resources };
  expect(treeLines(chain).length).toBeLessThan(5000);
});
