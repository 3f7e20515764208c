import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { storeManifest, storeZip } from './zip.ts';

const manifest = {
  manifest_version: 3,
  name: 'Cachescope',
  key: 'MIIB',
  permissions: ['debugger', 'storage'],
  optional_permissions: ['webRequest'],
};
const files: [name: string, content: string][] = [
  ['manifest.json', JSON.stringify(manifest)],
  ['panel.js', 'export const größe = 1;\n'.repeat(1000)],
  ['panel.js.map', '{}'],
  ['reports/sweep.html', '<!doctype html>'],
  ['assets/brotli.wasm', '\0asm'],
  ['icons/icon-16.png', 'png'],
];

let directory: string;

async function build(name: string, order: [string, string][]): Promise<string> {
  const built = join(directory, name);
  for (const [path, content] of order) {
    await mkdir(join(built, path, '..'), { recursive: true });
    await writeFile(join(built, path), content);
    const random = new Date(Date.UTC(2000 + path.length, 1, 1));
    await utimes(join(built, path), random, random);
  }
  return built;
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'cachescope-zip-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

test('another program unpacks it, and finds only what a store accepts', async () => {
  const zip = join(directory, 'store.zip');
  await writeFile(zip, storeZip(await build('first', files)));
  const out = join(directory, 'out');
  execFileSync('python3', ['-m', 'zipfile', '--test', zip]);
  execFileSync('python3', ['-m', 'zipfile', '--extract', zip, out]);
  const listed = execFileSync('python3', ['-m', 'zipfile', '--list', zip], { encoding: 'utf8' });
  const names = listed.split('\n').slice(1, -1);
  expect(names.map((line) => line.split(/\s/)[0])).toEqual([
    'assets/brotli.wasm',
    'icons/icon-16.png',
    'manifest.json',
    'panel.js',
  ]);
  for (const line of names) expect(line).toContain('1980-01-01 00:00:00');
  expect(await readFile(join(out, 'panel.js'), 'utf8')).toBe(files[1]?.[1]);
  expect(JSON.parse(await readFile(join(out, 'manifest.json'), 'utf8'))).toEqual({
    manifest_version: 3,
    name: 'Cachescope',
    permissions: ['storage'],
    optional_permissions: ['webRequest'],
  });
});

test('the same files give the same bytes, regardless of when and in which order they were written', async () => {
  const [one, other] = [await build('a', files), await build('b', files.toReversed())];
  expect(Buffer.compare(storeZip(one), storeZip(other))).toBe(0);
});

test('a manifest without other permissions has no permissions field', () => {
  expect(storeManifest('{"name":"x","permissions":["debugger"]}')).not.toContain('permissions');
  expect(storeManifest('{"name":"x"}')).toBe('{\n  "name": "x"\n}');
});
