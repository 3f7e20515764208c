import { join } from 'node:path';
import { diskCacheBackEnds } from '@cachescope/model/run/variant.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { readRunOf } from '../../harness/results/run-directory.ts';
import {
  base,
  cachescope,
  type Ended,
  expectNothingLeft,
  lacking,
  lastTaken,
  ownFlags,
} from '../command-under-test.ts';

describe.skipIf(lacking)('a sweep over the disk cache back ends', () => {
  const out = join(base, 'variants');
  let ended: Ended;
  let document: Awaited<ReturnType<typeof readRunOf<'sweep'>>>;

  beforeAll(async () => {
    const variants = ['--disk-cache', diskCacheBackEnds.join(',')];
    // Entries of the SQL back end share a file: read-ahead for a small entry also reads its neighbours.
    const large = ['--workload', 'pdfjs', '--storage', 'nbd-delay', '--env', 'skip'];
    const words = [...large, '--samples', '1', '--launches', '1', ...variants, '--out', out];
    ended = await cachescope('sweep', '1', '1', '1', ...words);
    document = await readRunOf('sweep', out);
  });

  test('every back end is read from the disk, according to three witnesses', () => {
    expect(ended.code, ended.stderr).toBe(0);
    const slow = lastTaken(document.samples).filter(({ cell }) => cell.storage === 'nbd-delay');
    expect(slow).toHaveLength(diskCacheBackEnds.length * 2 * 2);
    for (const sample of slow) {
      const { cell, originRequests, device } = sample;
      // At its start Chromium maps pages of the SQL back end's files, with the data next to them: that much may be in
      // memory.
      const known = cell.variant === 'disk-cache=sql' ? ['device-short'] : [];
      expect(ownFlags(sample).filter((flag) => !known.includes(flag))).toEqual([]);
      expect(originRequests).toBe(0);
      expect(device?.reads).toBeGreaterThan(0);
    }
  });

  test('no entry is read twice by a browser that keeps read entries in memory', () => {
    const sql = document.samples.filter(({ cell }) => cell.variant === 'disk-cache=sql');
    const places = sql.map(({ cell, launch }) => `${cell.arm} ${launch}`);
    expect(places).toHaveLength(new Set(places).size);
  });

  test('each arm has a cache of its own in each variant', () => {
    const lies = document.run.stored.map(({ arm, variant }) => `${arm} ${variant}`);
    const wanted = diskCacheBackEnds.flatMap((name) => [
      `br disk-cache=${name}`,
      `dcb disk-cache=${name}`,
    ]);
    expect(lies.toSorted()).toEqual(wanted.toSorted());
    // For blockfile the size of an entry is unknown, not 0.
    for (const { variant, storedBytes } of document.run.stored) {
      if (variant === 'disk-cache=blockfile') expect(storedBytes).toBeNull();
      else expect(storedBytes).toBeGreaterThan(0);
    }
  });

  test('the result names every variant, and fits 80 columns', () => {
    for (const name of diskCacheBackEnds) expect(ended.stdout).toContain(`disk-cache=${name}`);
    const lines = ended.stdout.split('\n').filter((line) => !line.includes(base));
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    expectNothingLeft();
  });
});
