import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { featuresAnswer } from '../environment/browser-findings.ts';
import { knownPresets, namesIn, requireFeatures } from './known-features.ts';

const directory = mkdtempSync(join(tmpdir(), 'features-test-'));
afterAll(() => rmSync(directory, { recursive: true }));

/**
 * A program that contains the constant names of the recompression features, and one parameter of the SQL back end
 * without its feature.
 */
const program = join(directory, 'program');
writeFileSync(
  program,
  Buffer.concat([
    Buffer.from('\u007fELF\0\u0001\u00ff\n\0', 'latin1'),
    Buffer.from('kHttpCacheZstdCompression\0kHttpCacheZstdDecompression\0', 'latin1'),
    Buffer.from('SqlDiskCacheWalMode\0RendererAccessibleHttpCacheWal\0', 'latin1'),
  ]),
);

test('a name must be a whole string of the program, with or without the k of its constant', async () => {
  const names = ['HttpCacheZstdCompression', 'SqlDiskCacheWalMode', 'RendererAccessibleHttpCache'];
  const found = await namesIn(program, [...names, 'HttpCache']);
  expect([...found]).toEqual(['HttpCacheZstdCompression', 'SqlDiskCacheWalMode']);
  expect(await namesIn(program, ['Nothing'])).toEqual(new Set());
});

test('a preset needs all of its names', async () => {
  const known = await knownPresets(program);
  expect(known.has.map(({ name }) => name)).toEqual(['recompress']);
  expect(known.lacks.map(({ name }) => name)).toContain('sql-wal');
  expect(featuresAnswer(known)).toMatchObject({
    status: 'note',
    what: expect.stringMatching(/^Feature presets: recompress; not in this browser: sql-wal, /),
  });
});

test('a preset that the browser lacks is refused by name, however it was requested', async () => {
  await requireFeatures(program, [{ enabledFeatures: ['HttpCacheZstdCompression'] }, {}]);
  // Part of no preset, so its name in the program is unknown.
  await requireFeatures(program, [{ enabledFeatures: ['Other'] }]);
  const wal = { diskCache: 'sql' as const, diskCacheParameters: { SqlDiskCacheWalMode: 'true' } };
  await expect(requireFeatures(program, [wal])).rejects.toMatchObject({
    code: 'CS_BROWSER_FEATURES',
    message: expect.stringContaining('sql-wal (SqlDiskCacheWalMode, DiskCacheBackendExperiment)'),
  });
  const off = { disabledFeatures: ['HttpCacheNoVarySearch'] };
  await expect(requireFeatures(program, [off])).rejects.toThrow('no-vary-search');
});
