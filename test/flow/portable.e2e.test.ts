import { spawnSync } from 'node:child_process';
import { chownSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { madeUpRun } from '@cachescope/model/fixtures/made-up-run.ts';
import { madeUpShard } from '@cachescope/model/fixtures/made-up-shard.ts';
import type { SweepRunDocument } from '@cachescope/model/sweep/run.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadDuckDb } from '../../harness/commands/query/duckdb.ts';
import { cacheFolder } from '../../harness/environment/setup/kept-package.mjs';
import { portableCommands } from '../../harness/environment/setup/platform.mjs';

const project = join(import.meta.dirname, '../..');
const nobody = 65_534;
const base = mkdtempSync(join(tmpdir(), 'cs-portable-'));
const at = (name: string) => join(base, name);
for (const name of ['upper', 'work']) mkdirSync(at(name));

/** Modules of the project see another operating system; packages need this one's native builds. */
const fake = `const own = process.platform;
Object.defineProperty(process, 'platform', {
  get: () => (/node_modules|node:/.test(new Error().stack.split('\\n')[2]) ? own : 'darwin'),
});`;
const faked = ['--import', `data:text/javascript,${encodeURIComponent(fake)}`];

/**
 * Mounts that end with the command: no /proc, no /sys, and a layer over the project, $1, that keeps what is written there in
 * $2. The command has no root.
 */
const enter = `set -e
mount -t overlay -o "lowerdir=$1,upperdir=$2/upper,workdir=$2/work" overlay "$1"
cd "$1"
rm -rf extension/dist/* dist
chown ${nobody} . extension extension/dist
mount -t tmpfs tmpfs /proc
mount -t tmpfs tmpfs /sys
cd "$2"
shift 2
exec setpriv --reuid ${nobody} --regid ${nobody} --clear-groups "$@"`;

function run(...words: string[]) {
  const namespace = ['--mount', '--propagation', 'private', 'sh', '-c', enter, 'sh', project, base];
  const env = {
    PATH: process.env['PATH'],
    HOME: base,
    TMPDIR: base,
    XDG_STATE_HOME: at('state'),
    XDG_CACHE_HOME: at('cache'),
  };
  return spawnSync('unshare', [...namespace, ...words], { env, encoding: 'utf8' });
}

const obstacle =
  process.getuid?.() === 0
    ? run('test', '-r', join(project, 'package.json')).stderr
    : 'only root can hide /proc and /sys';
if (obstacle !== '')
  console.warn(`Commands that run wherever Node does are not tested: ${obstacle}`);

function save(name: string, { run: document, samples }: SweepRunDocument): void {
  mkdirSync(at(name));
  writeFileSync(join(at(name), 'run.json'), JSON.stringify(document));
  const lines = samples.map((sample) => `${JSON.stringify(sample)}\n`);
  writeFileSync(join(at(name), 'samples.ndjson'), lines.join(''));
  chownSync(at(name), nobody, nobody);
}

beforeAll(async () => {
  chownSync(base, nobody, nobody);
  save('a', madeUpRun(3));
  save('b', madeUpRun(3));
  for (const number of [1, 2]) save(`shard-${number}`, madeUpShard(number, 2));
  await loadDuckDb();
  cpSync(cacheFolder(), at('cache/cachescope'), { recursive: true });
  spawnSync('chown', ['--recursive', `${nobody}`, at('cache')]);
});
afterAll(() => rmSync(base, { recursive: true }));

const cli = join(project, 'harness/cli.ts');
const portable: [name: string, output: RegExp, words: string[]][] = [
  ['report', /^control /m, [cli, 'report', 'a']],
  ['compare', /UNKNOWN|SAME/, [cli, 'compare', 'a', 'b', '--out', 'compared']],
  ['merge', /^control /m, [cli, 'merge', 'shard-1', 'shard-2', '--out', 'merged']],
  ['baseline', /_sweep$/m, [cli, 'baseline', 'save', 'nightly', 'a', '--folder', 'baselines']],
  ['build:extension', /^For a store: /m, [join(project, 'scripts/zip.ts')]],
];

test.skipIf(obstacle !== '').each(portable)(
  '%s runs on another system than Linux, without root, /proc and /sys',
  (_, output, words) => {
    const { status, stdout, stderr } = run(process.execPath, ...faked, ...words);
    expect(status, stderr).toBe(0);
    expect(stdout).toMatch(output);
  },
);

// DuckDB has a build for each system, of which this one's is there.
test.skipIf(obstacle !== '')('query runs without root, /proc and /sys', () => {
  const words = [cli, 'query', 'a', 'SELECT count(*) > 0 AS found FROM samples'];
  const { status, stdout, stderr } = run(process.execPath, ...words);
  expect(status, stderr).toBe(0);
  expect(stdout).toContain('true');
});

test.skipIf(obstacle !== '')(
  'a measurement there is refused, before packages are installed',
  () => {
    const words = [...faked, join(project, 'scripts/start.mjs'), 'harness/cli.ts', 'sweep'];
    const { status, stderr } = run(process.execPath, ...words);
    expect(stderr).toMatch(/^CS_SETUP_PLATFORM: sweep runs on Linux only, and this is darwin\./);
    for (const name of portableCommands) expect(stderr).toContain(name);
    expect(status).toBe(3);
  },
);
