import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import {
  base,
  cachescope,
  expectNothingLeft,
  processesOfThisTest,
  start,
} from '../command-under-test.ts';

const page = join(base, 'page.txt');
writeFileSync(page, 'document 6000 index\n  script 3000 a.js\n');

/** The shortest run with a browser of each experiment whose runs have one. */
const runs: Record<string, string> = {
  micro: 'micro --parts search --caches disk --back-ends sql --entries 20 --launches 1',
  // Of the states, only `empty` does not depend on the page cache, which other programs may drop.
  pageload: `pageload --list ${page} --states empty --arms plain --launches 1`,
  fill: 'fill --systems browser-page --questions attach --time 1 --workers 2 --size 200KiB --suites 0.5s',
  reclaim: 'reclaim --system chromium --rate 50 --time 2s --limit-bytes 1MiB',
};
const common = ['--features', 'sql-wal,recompress', '--env', 'skip'];
/** The presets as Chromium takes them. */
const switches = [
  'DiskCacheBackendExperiment:backend/sql/SqlDiskCacheWalMode/true',
  'HttpCacheZstdCompression',
  'HttpCacheZstdDecompression',
];

afterEach(expectNothingLeft);

describe.each(Object.entries(runs))('%s with presets of features', (name, words) => {
  test('a real browser runs with them, and run.json keeps them', async () => {
    const out = join(base, name);
    const args = [...words.split(' '), ...common, '--seed', '1', '--out', out];
    const run = start(args);
    const isOn = () =>
      processesOfThisTest().some(({ command }) => switches.every((each) => command.includes(each)));
    await run.until(isOn);
    const { code, stderr } = await run.ended;
    expect(code, stderr).toBe(0);
    const { status, plan } = JSON.parse(readFileSync(join(out, 'run.json'), 'utf8'));
    expect(status).toBe('complete');
    expect(plan.settings).toEqual({
      diskCache: 'sql',
      diskCacheParameters: { SqlDiskCacheWalMode: 'true' },
      enabledFeatures: ['HttpCacheZstdCompression', 'HttpCacheZstdDecompression'],
    });
  });

  test('a preset whose features the browser does not know is refused by name', async () => {
    // A program that contains the names of recompression, and no other.
    const browser = join(base, `browser-of-${name}`);
    writeFileSync(browser, '\u007fELF\0kHttpCacheZstdCompression\0kHttpCacheZstdDecompression\0');
    chmodSync(browser, 0o755);
    const args = [...words.split(' '), ...common, '--browser', browser];
    const { code, stdout, stderr } = await cachescope(...args);
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toContain('CS_BROWSER_FEATURES');
    expect(stderr).toContain('sql-wal (SqlDiskCacheWalMode');
    expect(stderr).not.toContain('recompress (');
  });
});
