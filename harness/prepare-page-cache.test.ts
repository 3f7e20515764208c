import { execFileSync, spawnSync } from 'node:child_process';
import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  statfsSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isOutOfState } from '@cachescope/model/run/page-cache-state.ts';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createPrivilege } from './privilege.ts';
import { pageCacheDrops } from './storage/page-cache-drops.ts';

/** A directory with files of 25 and 2 pages, an empty one and a link, on this file system. */
function filesIn(parent: string): string {
  const directory = mkdtempSync(join(parent, 'page-cache-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  writeFileSync(join(directory, 'large'), Buffer.alloc(100_000, 1));
  mkdirSync(join(directory, 'below'));
  writeFileSync(join(directory, 'below', 'small'), Buffer.alloc(5000, 1));
  writeFileSync(join(directory, 'empty'), '');
  symlinkSync('/proc/self/mem', join(directory, 'link'));
  return directory;
}
const pages = 27;

const dataBytes = 1024 * 1024;
/** A file of 16 MiB with data at 0 and at 8 MiB, and holes behind them. */
function sparseFile(path: string): string {
  const file = openSync(path, 'w');
  ftruncateSync(file, 16 * dataBytes);
  for (const position of [0, 8 * dataBytes])
    writeSync(file, Buffer.alloc(dataBytes, 1), 0, dataBytes, position);
  closeSync(file);
  return path;
}

/** Bytes of a file in the page cache (fincore(1)). */
function residentBytes(path: string): number {
  const words = ['--bytes', '--noheadings', '--output', 'RES', path];
  return Number(execFileSync('fincore', words, { encoding: 'utf8' }));
}

const isTmpfs = (path: string) => statfsSync(path).type === 0x01_02_19_94;

const canPrepare = process.getuid?.() === 0 && spawnSync('python3', ['--version']).status === 0;
const reasons = [
  ...(canPrepare ? [] : ['Tests of the page cache are skipped: they need root and python3']),
  ...(isTmpfs(tmpdir())
    ? ['Files of the temporary directory are in memory: their state is not tested']
    : []),
  ...(isTmpfs('/dev/shm')
    ? []
    : ['/dev/shm is no tmpfs: files that stay in memory are not tested']),
];
if (reasons.length > 0) process.stderr.write(`${reasons.join('\n')}\n`);

describe.skipIf(!canPrepare)('the page cache', () => {
  const privilege = createPrivilege({ dryRun: false, say: () => undefined });

  test.skipIf(isTmpfs(tmpdir()))('files are brought into a state of the page cache', async () => {
    const files = filesIn(tmpdir());
    const residentIn = async (state: 'warm' | 'file-cold') =>
      privilege.preparePageCache({ state, path: files, files });
    expect(await residentIn('warm')).toEqual({ residentPages: pages, pages });
    expect(await residentIn('file-cold')).toEqual({ residentPages: 0, pages });
    expect(
      await privilege.preparePageCache({ state: 'cold', path: files, files: null }),
    ).toBeNull();
  });

  test.skipIf(isTmpfs(tmpdir()))(
    'the image of an attached disk is in memory after everything was dropped',
    async () => {
      const directory = mkdtempSync(join(tmpdir(), 'page-cache-'));
      onTestFinished(() => rmSync(directory, { recursive: true }));
      const image = sparseFile(join(directory, 'disk.img'));
      const residentAfterDrop = async (): Promise<number> => {
        const before = await pageCacheDrops();
        await privilege.dropPageCache(directory);
        const resident = residentBytes(image);
        // Of data and of metadata, once each; more when another program dropped the page cache meanwhile.
        const isAlone = before === null || (await pageCacheDrops()) === before + 2;
        return isAlone ? resident : residentAfterDrop();
      };
      expect(await residentAfterDrop()).toBe(0);
      privilege.images.add(image);
      const resident = await residentAfterDrop();
      expect(resident).toBeGreaterThanOrEqual(2 * dataBytes);
      // Read-ahead reaches into the holes.
      expect(resident).toBeLessThan(8 * dataBytes);
      rmSync(image);
      await expect(privilege.dropPageCache()).rejects.toThrow(/No such file.*disk\.img/);
      privilege.images.delete(image);
    },
  );

  test.skipIf(!isTmpfs('/dev/shm'))(
    'files that stay in memory are detected, 20 times out of 20',
    async () => {
      // The pages of tmpfs cannot be dropped.
      const request = { state: 'file-cold', path: null, files: filesIn('/dev/shm') } as const;
      for (let round = 0; round < 20; round++) {
        const residency = await privilege.preparePageCache(request);
        expect(residency).toEqual({ residentPages: pages, pages });
        expect(isOutOfState('file-cold', residency)).toBe(true);
      }
    },
  );

  test('a file that a process maps is told from one that is only read: its pages cannot be waited for', () => {
    const program = join(import.meta.dirname, 'prepare-page-cache.py');
    const script = [
      'import mmap, os, runpy, sys',
      "mapped_among = runpy.run_path(sys.argv[1])['mapped_among']",
      "large, small = [os.open(os.path.join(sys.argv[2], name), os.O_RDONLY) for name in ('large', 'below/small')]",
      'os.read(small, 5000)',
      'mapping = mmap.mmap(large, 0, prot=mmap.PROT_READ)',
      'print(mapped_among([large, small]) == {large}, mapped_among([small]), mapped_among([]))',
    ];
    const words = ['-I', '-c', script.join('\n'), program, filesIn(tmpdir())];
    const { stdout, stderr } = spawnSync('python3', words, { encoding: 'utf8', input: '' });
    expect(stdout, stderr).toBe('True set() set()\n');
  });

  test('a failure to prepare is reported', async () => {
    const missing = { state: 'cold', path: '/no/such/place', files: null } as const;
    await expect(privilege.preparePageCache(missing)).rejects.toThrow(
      /No such file.*no\/such\/place/,
    );
  });
});
