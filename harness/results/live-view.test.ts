import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { linesFrom, livePage, openLiveView } from './live-view.ts';

const report = `<head><meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:"></head>
<script type="application/json" id="run-document"></script>`;

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'cachescope-live-'));
  await mkdir(join(directory, 'reports'));
  await writeFile(join(directory, 'reports/reclaim.html'), report);
  await writeFile(join(directory, 'run.json'), '{"status":"running"}');
  await writeFile(join(directory, 'windows.ndjson'), '{"a":1}\n{"b":2}\n{"cut');
});
afterEach(() => rm(directory, { recursive: true }));

test('complete lines from an offset on, and none that is not yet fully written', async () => {
  const path = join(directory, 'windows.ndjson');
  const text = async (from: number) => new TextDecoder().decode(await linesFrom(path, from));
  expect(await text(0)).toBe('{"a":1}\n{"b":2}\n');
  expect(await text(8)).toBe('{"b":2}\n');
  expect(await text(16)).toBe('');
  expect(await text(1000)).toBe('');
  await appendFile(path, '":3}\n');
  expect(await text(16)).toBe('{"cut":3}\n');
});

test('the page may connect only to its own origin; the report itself may not connect at all', () => {
  const page = livePage(report);
  expect(page).toContain("default-src 'none'; connect-src 'self';");
  expect(page).toContain('id="run-document" data-follow="">');
  expect(() => livePage('<html></html>')).toThrow(/has no place for a run/);
});

test('a run is served only under its token, and read-only', async () => {
  await using live = await openLiveView(directory, 'reclaim', directory, 0);
  const status = async (url: string, method = 'GET') => (await fetch(url, { method })).status;
  const { origin } = new URL(live.url);
  expect(await (await fetch(live.url)).text()).toContain('data-follow');
  expect(await (await fetch(`${live.url}run.json`)).json()).toEqual({ status: 'running' });
  expect(await (await fetch(`${live.url}lines?from=8`)).text()).toBe('{"b":2}\n');
  expect(await (await fetch(`${live.url}lines?from=-1`)).text()).toBe('{"a":1}\n{"b":2}\n');
  expect(await status(`${origin}/`)).toBe(404);
  expect(await status(`${origin}/${'x'.repeat(32)}/run.json`)).toBe(404);
  expect(await status(`${live.url}../run.json`)).toBe(404);
  expect(await status(`${live.url}windows.ndjson`)).toBe(404);
  expect(await status(`${live.url}run.json`, 'POST')).toBe(404);
  expect(new URL(live.url).hostname).toBe('127.0.0.1');
});

test('a viewer sees the end of the run before the view closes', async () => {
  const live = await openLiveView(directory, 'reclaim', directory);
  await fetch(`${live.url}lines`);
  await writeFile(join(directory, 'run.json'), '{"status":"complete"}');
  let isGone = false;
  const ending = live[Symbol.asyncDispose]().then(() => (isGone = true));
  expect(await (await fetch(`${live.url}run.json`)).json()).toEqual({ status: 'complete' });
  expect(isGone).toBe(false);
  await (await fetch(`${live.url}lines`)).text().catch(() => '');
  await ending;
  await expect(fetch(live.url)).rejects.toThrow();
});
