import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { attributeLoad } from '@cachescope/model/attribution/attributed-resource.ts';
import { momentsOf } from '@cachescope/model/explore/moment.ts';
import type { ExploreRunDocument } from '@cachescope/model/explore/run.ts';
import { labPaths, type LabState, labStateSchema } from '@cachescope/model/explore/lab.ts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { readRunDirectory } from '../../harness/results/run-directory.ts';
import { base, cachescope, expectNothingLeft, lacking, start } from '../command-under-test.ts';
import { hangLimitMs } from '../hang-limit.ts';

const script = '/* a script that is read back from the cache */'.repeat(500);
/** Sends requests with an HttpOnly cookie and with its own Authorization header. */
const secretsPage = `<!doctype html><link rel="icon" href="data:,"><script type="module">
  await fetch('/asked', { headers: { authorization: 'Bearer secret-' + 'authorization' } });
</script>`;
let server: Server;
let pageUrl: string;
/** Paths of the requests to the page's own server. */
const requests: string[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    requests.push(request.url ?? '');
    if (request.url === '/secrets') {
      response.writeHead(200, {
        'content-type': 'text/html',
        'set-cookie': 'session=secret-cookie; HttpOnly',
        'proxy-authorization': 'Basic secret-proxy',
      });
      response.end(secretsPage);
      return;
    }
    if (request.url === '/page') {
      response.writeHead(200, { 'content-type': 'text/html', 'cache-control': 'no-store' });
      response.end('<!doctype html><link rel="icon" href="data:,"><script src="/a.js"></script>');
      return;
    }
    response.writeHead(200, { 'content-type': 'text/javascript', 'cache-control': 'max-age=3600' });
    response.end(script);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  pageUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/page`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** A running exploration and its control routes. */
interface Running {
  child: ReturnType<typeof start>['child'];
  ended: ReturnType<typeof start>['ended'];
  ask(method: 'GET' | 'POST', path: string, body?: object, headers?: object): Promise<Response>;
  state(): Promise<LabState>;
}

/** Options of the slow-storage test. */
const slow = () => ['--delay', '5', '--url', pageUrl, '--storage', 'nbd-delay'];

async function begin(out: string, words = slow()): Promise<Running> {
  const common = ['--headless', '--workload', 'synthetic:1KiB', '--out', out];
  const { child, ended } = start(['explore', ...common, ...words]);
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await vi.waitUntil(
    () => {
      if (child.exitCode !== null) throw new Error(`explore ended: ${said}`);
      return /^Explore\./m.test(said);
    },
    { timeout: hangLimitMs },
  );
  const origin = /^Origin: (\S+)/m.exec(said)?.[1] ?? '';
  const token = /^Token of its control routes: (\S+)/m.exec(said)?.[1] ?? '';
  const ask: Running['ask'] = (method, path, body, headers = {}) =>
    fetch(origin + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...headers,
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
  const state = async () => labStateSchema.parse(await (await ask('GET', labPaths.state)).json());
  return { child, ended, ask, state };
}

/** Waits until the lab is idle and this many loads are saved, each with all resources of the page. */
async function settled(running: Running, out: string, loads: number): Promise<LabState> {
  return vi.waitFor(
    async () => {
      const now = await running.state();
      expect(now).toMatchObject({ busyWith: null, lastProblem: null });
      expect(now.savedLoads).toBeGreaterThanOrEqual(loads);
      const scripts = usesOfScript(await saved(out));
      expect(scripts.filter(({ row }) => row !== undefined)).toHaveLength(loads);
      return now;
    },
    { timeout: hangLimitMs, interval: 200 },
  );
}

/** The script's record in each load of the page, with the delay at that time. */
function usesOfScript(document: ExploreRunDocument) {
  const momentOf = momentsOf(document);
  return document.loads
    .filter(({ url }) => url === pageUrl)
    .map((load) => {
      const row = attributeLoad(load).find(({ resource }) => resource.url.endsWith('/a.js'));
      return { row, ...(row && momentOf(load, row.resource)) };
    });
}

async function saved(out: string): Promise<ExploreRunDocument> {
  const document = await readRunDirectory(out);
  if ('loads' in document) return document;
  throw new Error('no exploration');
}

/** All files of a run as one text. */
function wholeDirectory(path: string): string {
  const files = readdirSync(path, { recursive: true, withFileTypes: true });
  const texts = files
    .filter((file) => file.isFile())
    .map((file) => readFileSync(join(file.parentPath, file.name), 'latin1'));
  return texts.join('\n');
}

test('a run contains no value of Cookie, Set-Cookie, Authorization or Proxy-Authorization', async () => {
  const out = join(base, 'secrets');
  const url = pageUrl.replace('/page', '/secrets');
  const running = await begin(out, ['--storage', 'none', '--url', url]);
  const isWhole = async () =>
    (await saved(out)).loads.some(({ resources }) =>
      resources.some(
        (each) => each.url.endsWith('/asked') && each.requestHeaders && each.responseHeaders,
      ),
    );
  await vi.waitUntil(isWhole, { timeout: hangLimitMs, interval: 200 });
  running.child.kill('SIGINT');
  const { code, stderr } = await running.ended;
  expect(code, stderr).toBe(0);
  // The words in the page's own source are absent: the bodies of a load are not saved.
  expect(wholeDirectory(out)).not.toMatch(/secret-(cookie|authorization|proxy)/);
  expect(statSync(out).mode & 0o777).toBe(0o700);
  for (const name of ['run.json', 'loads.ndjson', 'report.html'])
    expect(statSync(join(out, name)).mode & 0o777).toBe(0o600);
});

test('only with --external the browser resolves other hosts than this machine', async () => {
  // Chromium itself answers for this name (RFC 6761 section 6.3), so that no other machine is asked.
  const url = pageUrl.replace('127.0.0.1', 'app.localhost').replace('/page', '/elsewhere');
  const words = ['--storage', 'none', '--url', url];
  const refused = await cachescope('explore', '--headless', '--dry-run', ...words);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('--url app.localhost is not this machine; --external');
  const running = await begin(join(base, 'external'), [...words, '--external']);
  await vi.waitUntil(() => requests.includes('/elsewhere'), { timeout: hangLimitMs });
  running.child.kill('SIGINT');
  const { code, stderr } = await running.ended;
  expect(code, stderr).toBe(0);
});

describe.skipIf(lacking)('explore', () => {
  test('loads are saved, the lab is controlled, and Ctrl-C leaves a complete run and nothing else', async () => {
    const out = join(base, 'explored');
    const running = await begin(out);
    const first = await settled(running, out, 1);
    expect(first).toMatchObject({ delayMs: 5, backEnd: 'nbd-delay', isLive: false });
    expect(first.cacheBytes).toBeGreaterThan(0);

    const delayed = await running.ask('POST', labPaths.delay, { delayMs: 20 });
    expect([delayed.status, await delayed.json()]).toMatchObject([202, { willRestart: true }]);
    const meanwhile = await running.ask('POST', labPaths.dropPageCache);
    expect([meanwhile.status, await meanwhile.json()]).toMatchObject([
      409,
      { code: 'CS_LAB_BUSY' },
    ]);
    // The tab was restored, and its page was loaded again.
    const after = await settled(running, out, 2);
    expect(after.delayMs).toBe(20);
    expect(after.measuredDelayMs).toBeGreaterThan(19);

    expect((await running.ask('POST', labPaths.dropPageCache)).status).toBe(200);
    const page = await running.ask('POST', labPaths.relaunch, {}, { origin: pageUrl });
    expect(page.status).toBe(403);

    running.child.kill('SIGINT');
    const ended = await running.ended;
    expect(ended.stdout).toContain(join(out, 'report.html'));
    expect(ended.stdout).toMatch(/^2 loads$/m);
    expect(ended.code, ended.stderr).toBe(0);
    expectNothingLeft();

    const document = await saved(out);
    const { run } = document;
    expect(run).toMatchObject({
      status: 'complete',
      actions: [{ kind: 'delay', delayMs: 20 }, { kind: 'drop-page-cache' }],
    });
    expect(run.proofs.map(({ requestedDelayMs }) => requestedDelayMs)).toEqual([5, 20]);
    for (const proof of run.proofs)
      expect(proof.p50Ms).toBeGreaterThan(proof.requestedDelayMs * 0.95);
    const uses = usesOfScript(document);
    expect(uses.map(({ delayMs }) => delayMs)).toEqual([5, 20]);
    expect(uses.map(({ row }) => row?.attribution.source)).toEqual(['network', 'disk']);
    expect(requests.filter((path) => path === '/a.js')).toHaveLength(1);
    // The entry was written once, so both loads read the same one: body, headers, and some 100 bytes of cache metadata.
    for (const { row } of uses) {
      expect(row?.resource.storedBytes).toBeGreaterThan(script.length);
      expect(row?.resource.storedBytes).toBeLessThan(script.length + 2000);
    }
  });

  test('the report is derived again from the saved loads', async () => {
    const out = join(base, 'explored');
    const { code, stdout } = await cachescope('report', out);
    expect(code).toBe(0);
    expect(stdout).toContain('cache on nbd-delay');
    expect(readFileSync(join(out, 'report.html'), 'utf8')).toContain(pageUrl);
    const csv = readFileSync(join(out, 'resources.csv'), 'utf8');
    expect(csv.split('\n').filter((line) => line.includes('/a.js'))).toHaveLength(2);
  });

  test('a killed browser leaves a partial run with its loads, and nothing else', async () => {
    const out = join(base, 'killed');
    const running = await begin(out);
    await settled(running, out, 1);
    const chromium = childrenOf(running.child.pid).find((pid) => /chrom/.test(commandOf(pid)));
    if (!chromium) throw new Error('no Chromium runs under it');
    process.kill(chromium, 'SIGKILL');
    const { code } = await running.ended;
    expect(code).toBe(4);
    const { run, loads } = await saved(out);
    expect(run).toMatchObject({
      status: 'partial',
      statusReason: expect.stringMatching(/SIGKILL/),
    });
    expect(loads.length).toBeGreaterThanOrEqual(1);
    // A killed Chromium cannot remove the directory of its own lock.
    const temporary = join(base, 'tmp');
    for (const name of readdirSync(temporary).filter((each) => each.startsWith('org.chromium.')))
      rmSync(join(temporary, name), { recursive: true });
    // Its renderers end when they notice, which may be after the command has ended.
    await vi.waitFor(expectNothingLeft, { timeout: hangLimitMs });
  });
});

function childrenOf(pid: number | undefined): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return text.split(' ').filter(Boolean).map(Number);
}

function commandOf(pid: number): string {
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
}
