import type { Trust } from '@cachescope/model/run/trust.ts';
import { expect, test } from 'vitest';
import { CachescopeError } from '../error.ts';
import type { Writer } from '../results/results.ts';
import { writtenResults } from './outputs.ts';

const tools = { extensionDirectory: '', chromiumPath: '/usr/bin/chromium' };
const trust: Trust = { grade: 'good', reasons: [], inconclusive: null };
const write: Writer<{ value: number }> = async (files, { value }, { chromiumPath }) => {
  const html = await files.write('report.html', `${value}`);
  const charts = chromiumPath === null ? ['No charts: no Chromium was found to draw them.'] : [];
  const shown = { text: `${value}\n`, details: '', warnings: [] };
  return { summary: { trust, chromiumPath }, ...shown, report: html, status: ['Again', ...charts] };
};

test('results that cannot be saved on a full disk are shown anyway, with what to do', async () => {
  const said: string[] = [];
  const full = {
    path: '/run',
    write: () => Promise.reject(new Error('ENOSPC: no space left on device, write')),
  };
  const found = await writtenResults(write, full, { value: 7 }, tools, (line) => said.push(line));
  expect(found).toEqual({
    results: {
      summary: { trust, chromiumPath: null },
      text: '7\n',
      details: '',
      warnings: [],
      report: null,
      status: ['Again'],
    },
    isWritten: false,
  });
  expect(said.join()).toMatch(/ENOSPC.*\n.*npm run report -- \/run when there is room/);
});

test('results of a run whose directory was moved are not shown with the path of another run', async () => {
  const moved = new CachescopeError('CS_RUN_MOVED', '/run is no longer the directory of this run');
  const files = { path: '/run', write: () => Promise.reject(moved) };
  const failed = writtenResults(write, files, { value: 7 }, tools, () => undefined);
  await expect(failed).rejects.toBe(moved);
});

test('an error in the results themselves is thrown', async () => {
  const broken = () => Promise.reject(new Error('a defect'));
  const files = { path: '/run', write: (name: string) => Promise.resolve(name) };
  const failed = writtenResults(broken, files, {}, tools, () => undefined);
  await expect(failed).rejects.toThrow('a defect');
});

test('results of a run whose directory was removed are shown: nothing else is left', async () => {
  const said: string[] = [];
  const gone = new CachescopeError('CS_RUN_MOVED', '/no/such/run is no longer the directory');
  const files = { path: '/no/such/run', write: () => Promise.reject(gone) };
  const found = await writtenResults(write, files, { value: 7 }, tools, (line) => said.push(line));
  expect(found).toMatchObject({
    results: { text: '7\n', report: null, status: ['Again'] },
    isWritten: false,
  });
  expect(said).toEqual([
    'CS_RUN_MOVED: /no/such/run was removed during the run: this is all that is left of it',
  ]);
});
