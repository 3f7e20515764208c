import { join } from 'node:path';
import { linesByKind } from '@cachescope/model/reclaim/run.ts';
import { summarizeReclaim } from '@cachescope/model/reclaim/summary.ts';
import { policyShown } from '@cachescope/model/reclaim/policy-shown.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { readRunOf } from '../../harness/results/run-directory.ts';
import { chromiumProcesses } from '../../harness/sampling/process-tree.ts';
import {
  base,
  cachescope,
  expectNothingLeft,
  linesOf,
  processesOfThisTest,
  start,
} from '../command-under-test.ts';
import { type PanelBrowser, panelBrowser } from '../../harness/browser/panel-browser.ts';
import { hangLimitMs } from '../hang-limit.ts';

const common = ['--system', 'chromium', '--env', 'skip', '--wait', '--seed', '5'];

async function savedRun(out: string) {
  const document = await readRunOf('reclaim', out);
  const kinds = linesByKind(document.lines);
  return { ...document, ...kinds, summary: summarizeReclaim(document.run, document.lines) };
}

/** The browser that a command has started: its profile is in a directory of this test. */
function browserOfThisTest(): number {
  const isBrowser = ({ command }: { command: string }) =>
    command.includes('--user-data-dir=') && !command.includes('--type=');
  return processesOfThisTest().find(isBrowser)?.pid ?? Number.NaN;
}

let panel: PanelBrowser;
beforeAll(async () => {
  panel = await panelBrowser();
});
afterAll(() => panel.close());
afterEach(expectNothingLeft);

test('Chromium’s disk cache under load: evictions are observed on the disk', async () => {
  const out = join(base, 'disk');
  const load = ['--rate', '120', '--time', '10s', '--limit-bytes', '1MiB'];
  const traffic = ['--traffic', 'zipf', '--population', '1500'];
  const ended = await cachescope('reclaim', ...common, ...load, ...traffic, '--out', out);
  expect(ended.code, ended.stderr).toBe(0);

  const { run, windows, passes, summary } = await savedRun(out);
  expect(run.status).toBe('complete');
  expect(run.warnings).toEqual([]);
  expect(summary.report).toMatchObject({ requests: 1200, success: 1, statuses: { 200: 1200 } });
  expect(summary.report.bytesIn).toBe(1200 * 1024);
  // Without a limit the hit rate of these requests would be 52 %; with the 400 most recently used entries, 49 %.
  expect(summary.report.hitRate).toBeGreaterThan(0.3);
  expect(summary.report.hitRate).toBeLessThan(0.52);
  expect(summary.usage.bytes.most).toBeGreaterThan(600_000);
  expect(summary.usage.bytes.most).toBeLessThan(1_150_000);
  const types = new Set(windows.flatMap(({ system }) => system.processes.map(({ type }) => type)));
  for (const type of ['browser', 'renderer', 'utility NetworkService', 'origin', 'harness'])
    expect(types).toContain(type);
  expect(summary.usage.memory.most).toBeGreaterThan(100e6);
  expect(summary.usage.cpuShare).toBeGreaterThan(0.02);
  expect(passes.reduce((sum, { evicted }) => sum + evicted, 0)).toBeGreaterThan(100);
  expect(policyShown(passes).orders.byUse).toBeGreaterThan(0.85);
  expect(passes.at(-1)?.examples[0]?.key).toMatch(/^z\d+$/);
});

test('the panel follows a run; when the browser is killed midway, the data so far is saved and the run says so', async () => {
  const out = join(base, 'killed');
  const load = ['--rate', '50', '--time', '10m', '--limit-bytes', '1MiB'];
  const { ended, said, until } = start(['reclaim', ...common, ...load, '--out', out]);
  const url = () => /Follow it in a browser: (\S+)\s/.exec(said())?.[1];
  await until(() => url() !== undefined);
  const page = await panel.browser.newPage();
  page.setDefaultTimeout(hangLimitMs);
  await page.goto(url() ?? '');
  await page.waitForSelector('#reclaim-latency canvas');
  expect(await page.$eval('body', ({ textContent }) => textContent)).toMatch(/Live: \d+ s so far/);
  const isWindow = (line: string) => line.includes('"window"');
  await until(() => linesOf(join(out, 'windows.ndjson')).filter(isWindow).length >= 2);
  const pid = browserOfThisTest();
  const renderers = chromiumProcesses(pid).filter(({ type }) => type === 'renderer');
  expect(renderers.length).toBeGreaterThan(0);
  process.kill(pid, 'SIGKILL');
  const { code, stderr } = await ended;
  expect(code).toBe(4);
  expect(stderr).toMatch(/the browser ended|renderer ended/);
  const { run, windows } = await savedRun(out);
  expect(run.status).toBe('partial');
  expect(windows.length).toBeGreaterThanOrEqual(2);
  expect((await cachescope('report', out)).code).toBe(0);
});
