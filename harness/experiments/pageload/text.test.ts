import {
  fetchedRows,
  madeUpLoad,
  madeUpPage,
  madeUpResource,
} from '@cachescope/model/fixtures/pageload.ts';
import { type PageLoad, pageArms, pageStates } from '@cachescope/model/pageload/load.ts';
import type { PageloadRun } from '@cachescope/model/pageload/run.ts';
import { summarizePageload } from '@cachescope/model/pageload/summary.ts';
import { madeUpBase } from '@cachescope/model/fixtures/made-up-base.ts';
import { expect, test } from 'vitest';
import { treeLines } from './plan-text.ts';
import { pageloadCellsCsv, pageloadResourcesCsv } from './csv.ts';
import { pageloadFinishText, pageloadLines, pageloadTextReport, waterfallText } from './text.ts';

const run = {
  ...madeUpBase(),
  experiment: 'pageload',
  status: 'complete',
  page: madeUpPage,
  notes: [],
  stored: [],
  warnings: [],
  environment: { chromium: { version: 'Chrome/156', flags: ['--one'] } },
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
const summary = summarizePageload(run, loads);

test('the text on stdout fits 80 columns, even with the longest values', () => {
  const lines = pageloadFinishText(run, summary).split('\n');
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
  expect(lines.join('\n')).toMatch(/^10,000 +plain +empty +123,45\d +123,45\d\.\.123,46\d/m);
  expect(pageloadLines(run, summary)[0]).toBe('96 loads in 6 launches; none excluded.');
});

test('the report draws a waterfall of every kind of load, in 80 columns', () => {
  const report = pageloadTextReport(run, summary, loads);
  expect(report.match(/^WATERFALL: /gm)).toHaveLength(16);
  const bars = report.split('\n').filter((line) => line.startsWith('app.js'));
  expect(bars).toHaveLength(16);
  expect(Math.max(...bars.map((line) => line.length))).toBeLessThanOrEqual(80);
});

test('each resource of each load is a line of the CSV, and no field is a formula', () => {
  const [document, ...others] = madeUpPage.resources;
  if (!document) throw new Error('no document');
  const page = { ...madeUpPage, resources: [{ ...document, url: '=1+1,"a"' }, ...others] };
  const lines = pageloadResourcesCsv(page, loads).trim().split('\n');
  expect(lines).toHaveLength(1 + 96 * 3);
  expect(lines[1]).toContain(`,"'=1+1,""a""",document,`);
  const cells = pageloadCellsCsv(summary).trim().split('\n');
  expect(cells).toHaveLength(1 + 16);
  expect(cells[0]).toContain(',finish_ms,requested,sent_bytes,device_reads,');
  expect(new Set(cells.map((line) => line.split(',').length)).size).toBe(1);
});

test('200,000 rows in a crafted file are shown', () => {
  const last = { ...fetchedRows[0], startMs: 1, endMs: 7 } as PageLoad['rows'][number];
  const unknown = { ...last, startMs: null, endMs: null };
  const rows = [...Array.from({ length: 199_999 }, () => unknown), last];
  const long = madeUpLoad({}, { rows, loadMs: null });
  const lines = waterfallText(madeUpPage, long).trimEnd().split('\n');
  expect(lines[0]).toContain('(0 to 7 ms)');
  expect(lines).toHaveLength(2 + 200_000);
});

test('odd times and initiators in a crafted file cannot break the text', () => {
  const row = { ...fetchedRows[0], startMs: -50, responseStartMs: -1e15, endMs: -1 };
  const odd = madeUpLoad({}, { rows: [row as PageLoad['rows'][number]] });
  expect(waterfallText(madeUpPage, odd)).toContain('WATERFALL');
  const resources = Array.from({ length: 5000 }, (_, place) =>
    madeUpResource({ parent: place === 0 ? null : place - 1 }),
  );
  const chain = { ...madeUpPage, resources };
  expect(treeLines(chain).length).toBeLessThan(5000);
});
