import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exposureWarning, type OriginFlags, readCommandLine } from './command-line.ts';

const defaults: OriginFlags = { host: '127.0.0.1', port: '8042' };
let directory: string;
const inDirectory = (name: string) => join(directory, name);

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'cachescope-command-line-'));
  await writeFile(inDirectory('old.js'), 'let a = 1;');
  await writeFile(inDirectory('new.js'), 'let a = 2;');
  await writeFile(inDirectory('empty.js'), '');
});

afterAll(() => rm(directory, { recursive: true, force: true }));

async function namesOf(flags: Partial<OriginFlags>): Promise<string[]> {
  const { workloads } = await readCommandLine({ ...defaults, ...flags });
  return workloads.map(({ name }) => name);
}

test('without options all real workloads are served on the default port', async () => {
  const { workloads, ...rest } = await readCommandLine(defaults);
  expect(rest).toEqual({
    host: '127.0.0.1',
    port: 8042,
    qualities: {},
    transfer: { tlsPort: 0 },
  });
  expect(workloads.map(({ name }) => name)).toEqual(['pdfjs', 'three']);
});

test('qualities are applied to their codings', async () => {
  const flags = { ...defaults, brotliQuality: '11', dcbQuality: '9', gzipQuality: '1' };
  expect((await readCommandLine(flags)).qualities).toEqual({ br: 11, dcb: 9, gzip: 1 });
});

test('a named workload, or the user’s own pair, replaces the catalog', async () => {
  expect(await namesOf({ workload: 'synthetic:1KiB' })).toEqual(['synthetic:1KiB']);
  const pair = { dictionary: inDirectory('old.js'), resource: inDirectory('new.js') };
  expect(await namesOf(pair)).toEqual(['own']);
});

async function messageOf(flags: Partial<OriginFlags>): Promise<string> {
  return readCommandLine({ ...defaults, ...flags }).then(
    () => 'no error',
    (error: Error & { code: string }) => `${error.code}: ${error.message}`,
  );
}

test('all problems are reported at once, one per line', async () => {
  const message = await messageOf({
    port: '65536',
    workload: 'nope',
    resource: inDirectory('empty.js'),
    dictionary: inDirectory('missing.js'),
    brotliQuality: 'abc',
    dcbQuality: '4',
  });
  const lines = message.split('\n');
  expect(lines).toHaveLength(8);
  for (const [index, part] of [
    /^CS_USAGE: /,
    /--port is "65536"/,
    /quality of br is abc/,
    /quality of dcb is 4.*ignores the dictionary/,
    /--workload "nope" is not known; known are pdfjs, three/,
    /exclude each other/,
    /missing\.js cannot be read \(ENOENT\)/,
    /empty\.js is empty/,
  ].entries())
    expect(lines[index]).toMatch(part);
});

test('unknown options are refused together with all other problems', async () => {
  const refused = readCommandLine({ ...defaults, port: 'x' }, ['--frobnicate', 'more']);
  await expect(refused).rejects.toThrow(/--frobnicate is not known.*\n.*more is not.*\n.*--port/);
});

test.each([{ dictionary: 'old.js' }, { resource: 'new.js' }])(
  '%o needs the other file of the pair',
  async (flags) => {
    expect(await messageOf(flags)).toMatch(
      /^CS_USAGE: .*\n {2}- --dictionary and --resource go together/,
    );
  },
);

test.each(['', '-1', '1.5', '0x50', '1e3', ' 80', '65536'])('port %j is refused', async (port) => {
  expect(await messageOf({ port })).toContain(`--port is ${JSON.stringify(port)};`);
});

test.each(['127.0.0.1', '127.8.8.8', 'localhost', '::1'])('%s needs no warning', (host) => {
  expect(exposureWarning(host)).toBeNull();
});

test.each(['0.0.0.0', '::', '192.168.1.7', 'lab.example', '127.0.0.1.example'])(
  '%s prints a warning',
  (host) => {
    expect(exposureWarning(host)).toContain(`${host} is not loopback`);
  },
);
