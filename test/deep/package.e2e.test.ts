import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { madeUpRun } from '@cachescope/model/fixtures/made-up-run.ts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { which, YAML } from 'zx';
import { findChromium } from '../../harness/browser/find.ts';
import { installPackages } from '../../harness/environment/packages.ts';
import { createPrivilege } from '../../harness/privilege.ts';
import { readRunOf } from '../../harness/results/run-directory.ts';
import {
  base,
  environmentIn,
  expectNothingLeft,
  expectNothingLeftIn,
  lacking,
  linesOf,
  processesOfThisTest,
} from '../command-under-test.ts';
import { hangLimitMs } from '../hang-limit.ts';

const root = join(import.meta.dirname, '../..');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
/** The npm prefix of the installed command, and the user's empty directory. */
const prefix = join(base, 'global');
const empty = join(base, 'empty');
const command = join(prefix, 'bin/cachescope');
const nobody = 65_534;

/** The parts of a container in the manifest of a pod that decide what it runs. */
interface Container {
  args: string[];
  env: { name: string; value?: string }[];
}

interface Said {
  status: number | null;
  stdout: string;
  stderr: string;
}

function run(program: string, args: string[], cwd: string, options = {}): Said {
  const env = environmentIn(base);
  return spawnSync(program, args, { cwd, env, encoding: 'utf8', ...options });
}

function packed(folder: string): Buffer {
  mkdirSync(folder);
  const { status, stderr } = run('npm', ['pack', '--pack-destination', folder], root);
  expect(status, stderr).toBe(0);
  return readFileSync(join(folder, `cachescope-${version}.tgz`));
}

const tarball = join(base, 'first', `cachescope-${version}.tgz`);
let first: Buffer;
beforeAll(() => {
  mkdirSync(empty);
  first = packed(join(base, 'first'));
  const { status, stderr } = run(
    'npm',
    ['install', '--global', '--prefix', prefix, tarball],
    empty,
  );
  expect(status, stderr).toBe(0);
});

test('two packs are the same bytes, below 12 MB', () => {
  expect(packed(join(base, 'second')).equals(first)).toBe(true);
  expect(first.length).toBeLessThan(12_000_000);
});

/** What `npm install` is to put on a disk where Node is recent enough, bytes. */
const installedLimitBytes = 90e6;

test('installed, it takes less than 90 MB', () => {
  const { stdout } = run('du', ['--summarize', '--bytes', prefix], empty);
  expect(Number(stdout.split('\t')[0])).toBeLessThan(installedLimitBytes);
});

test('on an older Node it fetches a recent one, once', () => {
  const name = `node-linux-${process.arch}`;
  const folder = join(base, 'older');
  const { status } = run('npm', ['install', '--prefix', folder, `${name}@20.19.0`], base);
  expect(status).toBe(0);
  const PATH = [join(folder, 'node_modules', name, 'bin'), process.env['PATH']].join(':');
  // pnpm gives its programs a NODE_PATH, in which the clone has a Node.
  const env = { ...environmentIn(base), PATH, NODE_PATH: '', XDG_CACHE_HOME: join(base, 'kept') };
  const offline = {
    ...env,
    npm_config_registry: 'http://127.0.0.1:9/',
    npm_config_fetch_retries: '0',
  };
  const refused = run(command, ['--version'], empty, { env: offline });
  expect(refused.status).toBe(3);
  expect(refused.stderr).toMatch(
    /^CS_SETUP_NODE: npm could not fetch Node 26\S+ into .* type: npm install /m,
  );
  const said = run(command, ['--version'], empty, { env });
  expect(said).toMatchObject({ status: 0, stdout: `${version}\n` });
  expect(said.stderr).toMatch(/^Node v20\.19\.0 cannot run Cachescope: .* Fetching Node 26/);
  expect(run(command, ['--version'], empty, { env })).toMatchObject({ status: 0, stderr: '' });
});

test('the first query fetches DuckDB, once; where npm cannot, it says what to type', () => {
  const saved = join(empty, 'saved');
  mkdirSync(saved);
  const madeUp = madeUpRun(6);
  writeFileSync(join(saved, 'run.json'), JSON.stringify(madeUp.run));
  const lines = madeUp.samples.map((sample) => `${JSON.stringify(sample)}\n`);
  writeFileSync(join(saved, 'samples.ndjson'), lines.join(''));
  expect(run(command, ['report', 'saved'], empty).status).toBe(0);
  // pnpm gives its programs a NODE_PATH, in which the clone has DuckDB.
  const env = { ...environmentIn(base), NODE_PATH: '', XDG_CACHE_HOME: join(base, 'kept') };
  const query = (more = {}) =>
    run(command, ['query', 'saved', 'SELECT count(*) AS reads FROM samples', '--json'], empty, {
      env: { ...env, ...more },
    });
  const refused = query({
    npm_config_registry: 'http://127.0.0.1:9/',
    npm_config_fetch_retries: '0',
  });
  expect(refused.status, refused.stderr).toBe(3);
  expect(refused.stderr).toMatch(
    /CS_QUERY_DUCKDB: a query needs DuckDB \S+, which npm could not fetch into \S+\n.* type: npm install \S+ /,
  );
  const first = query();
  expect(first.status, first.stderr).toBe(0);
  expect(JSON.parse(first.stdout)).toEqual([{ reads: madeUp.samples.length }]);
  expect(first.stderr).toMatch(/^Fetching DuckDB \S+ into \S+, once \(70 MB\) …$/m);
  expect(query().stderr).not.toContain('Fetching');
});

test('npx runs the package file directly', () => {
  const { stdout, stderr } = run(
    'npx',
    ['--yes', `../first/cachescope-${version}.tgz`, '--version'],
    empty,
  );
  expect(stdout.trim(), stderr).toBe(version);
});

test('the examples of the library run as typed, from an installation in an empty directory, and its types are strict', async () => {
  const place = join(base, 'library');
  mkdirSync(place);
  const installed = run('npm', ['install', '--prefix', place, tarball], place);
  expect(installed.status, installed.stderr).toBe(0);
  const page = readFileSync(join(root, 'harness/docs/library.md'), 'utf8');
  const examples = [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code);
  const files = examples.map((code, index) => {
    writeFileSync(join(place, `example-${index}.mts`), code);
    return `example-${index}.mts`;
  });
  const compilerOptions = {
    strict: true,
    noEmit: true,
    module: 'nodenext',
    target: 'es2024',
    lib: ['ES2024', 'DOM', 'DOM.Iterable'],
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
  };
  writeFileSync(join(place, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  expect(run(join(root, 'node_modules/.bin/tsc'), ['-p', '.'], place)).toMatchObject({
    status: 0,
    stdout: '',
  });
  const rules = files[examples.findIndex((code) => code.includes('cachescope/attribution'))] ?? '';
  expect(run(process.execPath, [rules], place).stdout).toMatch(/^disk certain /);
  const watching = files[examples.findIndex((code) => code.includes('puppeteer.launch'))] ?? '';
  const watched = await runInBrowser(join(place, watching));
  expect(watched).toMatch(/^(disk|memory) certain http\S+\/static\/app.js$/m);
});

/** Runs an example with a Chromium that contacts this machine only, and a page with a cacheable script. */
async function runInBrowser(example: string): Promise<string> {
  const chromium = await findChromium(undefined);
  const wrapper = join(dirname(example), 'chromium');
  const flags = '--host-resolver-rules="MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"';
  writeFileSync(wrapper, `#!/bin/sh\nexec ${chromium?.path} ${flags} "$@"\n`, { mode: 0o755 });
  const server = createServer(({ url = '' }, response) => {
    const isScript = url.startsWith('/static/');
    response.setHeader('cache-control', 'max-age=3600');
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.end(isScript ? 'void 0;' : '<script src="/static/app.js"></script>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const page = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  try {
    const cwd = dirname(example);
    const { stdout } = await promisify(execFile)(process.execPath, [example, wrapper, page], {
      cwd,
    });
    return stdout;
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

test.skipIf(lacking)('the installed command runs a sweep in an empty directory', async () => {
  const args = ['sweep', '0', '1', '1', '--samples', '2', '--launches', '1', '--out', 'run'];
  const { status, stdout, stderr } = run(command, args, empty);
  expect(status, stderr).toBe(0);
  expect(stdout).toContain('Brotli');
  const { samples } = await readRunOf('sweep', join(empty, 'run'));
  expect(samples.length).toBeGreaterThan(0);
  expect(statSync(join(empty, 'run/report.html')).size).toBeGreaterThan(100_000);
  expectNothingLeft();
});

test('pods of a Job take the shards of their indices, with the command that is the entry of the container', async () => {
  const options =
    '--link none --clients node --protocols h1 --sizes 1kB --requests 4 --launches 2 --seed 3';
  const planned = ['plan', 'transfer', ...options.split(' '), '--out', 'plan.json'];
  const { status, stderr } = run(command, [...planned, '--kubernetes', '--slurm'], empty);
  expect(status, stderr).toBe(0);
  const [, job] = YAML.parseAllDocuments(readFileSync(join(empty, 'plan.job.yaml'), 'utf8'));
  const container = job?.toJS().spec.template.spec.containers[0] as Container;
  const args = container.args.map((word) => word.replace('/plan/plan.json', 'plan.json'));
  const literal = container.env.flatMap(({ name, value }) => (value ? [[name, value]] : []));
  for (const index of [0, 1]) {
    const given = { JOB_COMPLETION_INDEX: `${index}`, CACHESCOPE_MACHINE: `node-${index}` };
    const env = { ...environmentIn(base), ...Object.fromEntries(literal), ...given };
    const pod = run(command, args, empty, { env });
    expect(pod.status, pod.stderr).toBe(0);
  }
  const merged = run(command, ['merge', 'results/*-of-2', '--out', 'merged'], empty);
  expect(merged.status, merged.stderr).toBe(0);
  const document = await readRunOf('transfer', join(empty, 'merged'));
  const machines = document.run.merged?.shards.map(({ shard }) => shard.machine);
  expect(machines).toEqual(['node-0', 'node-1']);
  const script = readFileSync(join(empty, 'plan.slurm.sh'), 'utf8');
  expect(script).toContain('exec cachescope transfer --plan');
  expect(script).not.toContain('npm run');
});

test('its advice uses the name of the installed command', () => {
  const { stdout } = run(command, ['sweep', '--help'], empty);
  expect(stdout).toContain('cachescope sweep 0 10 1');
  expect(stdout).not.toContain('npm run');
});

test.skipIf(process.getuid?.() !== 0)('a user without root and sudo gets instructions', () => {
  const home = join(base, 'user');
  mkdirSync(home);
  for (const folder of [base, home, join(base, 'tmp')]) chmodSync(folder, 0o777);
  // A PATH without sudo, even where sudo is installed.
  const env = {
    ...environmentIn(home),
    HOME: home,
    PATH: [dirname(process.execPath), '/usr/sbin'].join(':'),
  };
  const options = { env, uid: nobody, gid: nobody };
  const version0 = run(command, ['--version'], home, options);
  const { status, stderr } = run(command, ['sweep', '0', '1', '1', '--out', 'run'], home, options);
  expect(version0.stdout.trim(), version0.stderr).toBe(version);
  expect(status, stderr).toBe(3);
  expect(stderr).toMatch(/CS_[A-Z_]+: /);
});

const isRoot = process.getuid?.() === 0;
if (!isRoot) console.warn('User accounts are not tested: only root can make them.');

describe.skipIf(lacking !== null || !isRoot)('a user with an account', () => {
  const name = `cs-test-${process.pid}`;
  const home = join(base, 'account');
  const own = join(home, 'npm/bin/cachescope');
  /** Lets the user run everything as root without a password. */
  const rule = join('/etc/sudoers.d', name);
  const saved = join(home, 'run');
  const environment = (): NodeJS.ProcessEnv => ({
    ...environmentIn(home),
    HOME: home,
    // The npm that started the tests names root's cache and settings in these variables.
    npm_config_cache: join(home, '.npm'),
    npm_config_userconfig: join(home, '.npmrc'),
  });
  const userWords = ['--user', name, '--'];
  const asUser = (...words: string[]): Said =>
    run('runuser', [...userWords, ...words], home, { env: environment() });
  const asRoot = (...words: string[]): void => {
    const { status, stderr } = run(words[0] ?? '', words.slice(1), '/');
    expect(status, stderr).toBe(0);
  };

  beforeAll(async () => {
    const privilege = createPrivilege({ dryRun: false, say: () => undefined });
    const hasSudo = (await which('sudo', { nothrow: true })) !== null;
    await installPackages(hasSudo ? [] : ['sudo'], 'The test', privilege, console.warn);
    chmodSync(base, 0o711);
    for (const path of [dirname(tarball), tarball]) chmodSync(path, 0o755);
    asRoot('useradd', '--create-home', '--home-dir', home, name);
    environmentIn(home);
    asRoot('chown', '--recursive', `${name}:`, home);
  });
  afterAll(() => {
    rmSync(rule, { force: true });
    // By force: a browser's processes that no init has reaped count as the user's.
    run('userdel', ['--force', name], '/');
  });

  test('installs the package without root, and runs a sweep with passwordless sudo', async () => {
    const installed = asUser('npm', 'install', '--global', '--prefix', join(home, 'npm'), tarball);
    expect(installed.status, installed.stderr).toBe(0);
    writeFileSync(rule, `${name} ALL=(ALL) NOPASSWD: ALL\n`, { mode: 0o440 });
    const few = ['--samples', '2', '--launches', '1', '--env', 'skip'];
    const { status, stdout, stderr } = asUser(own, 'sweep', '0', '1', '1', ...few, '--out', saved);
    expect(status, stderr).toBe(0);
    expect(stdout).toContain('Brotli');
    const { samples } = await readRunOf('sweep', saved);
    const slow = samples.filter(({ cell }) => cell.storage !== 'none');
    expect(slow.filter(({ flags }) => flags.length === 0).length).toBeGreaterThan(0);
    // What only root can do was done by sudo, the rest by the user.
    expect(statSync(join(saved, 'run.json')).uid).toBe(statSync(home).uid);
    expectNothingLeftIn(home);
  });

  test('whose sweep is killed removes with `clean` all that it left', async () => {
    const out = join(home, 'killed');
    const words = ['sweep', '1', '1', '1', '--launches', '1', '--env', 'skip', '--out', out];
    const sweep = spawn('runuser', [...userWords, own, ...words], {
      cwd: home,
      env: environment(),
      stdio: 'ignore',
    });
    const ended = once(sweep, 'close');
    const isOnSlowDisk = () =>
      linesOf(join(out, 'samples.ndjson')).some((line) => line.includes('"nbd-'));
    await vi.waitUntil(() => isOnSlowDisk() || sweep.exitCode !== null, { timeout: hangLimitMs });
    const commands = processesOfThisTest(home).filter(({ command }) =>
      command.includes('cli.js sweep'),
    );
    expect(commands).toHaveLength(1);
    for (const { pid } of commands) process.kill(pid, 'SIGKILL');
    await ended;
    const cleaned = asUser(own, 'clean');
    expect(cleaned.status, cleaned.stderr).toBe(0);
    expect(cleaned.stdout).toMatch(/^umount /m);
    expect(cleaned.stdout).toMatch(/^losetup -d /m);
    expectNothingLeftIn(home);
    expect(asUser(own, 'clean').stdout).toBe('Nothing was left behind.\n');
  });

  test('whose sudo asks for a password gets instructions, and can still read a run', () => {
    rmSync(rule, { force: true });
    const other = join(home, 'other');
    const { status, stderr } = asUser(own, 'sweep', '0', '1', '1', '--env', 'skip', '--out', other);
    expect(status, stderr).toBe(3);
    expect(stderr).toMatch(
      /CS_PRIVILEGE: without root the control, .* and sudo asks for a password$/m,
    );
    expect(existsSync(other)).toBe(false);
    const report = asUser(own, 'report', saved);
    expect(report.status, report.stderr).toBe(0);
    expectNothingLeftIn(home);
  });
});
