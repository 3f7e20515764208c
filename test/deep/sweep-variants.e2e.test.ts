import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { diskCacheBackEnds } from '@cachescope/model/variant.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { readRunOf } from '../harness/results/run-directory.ts';
import { base, cachescope, type Ended, expectNothingLeft, lacking } from './command-under-test.ts';

const small = ['--workload', 'synthetic:100kb', '--storage', 'nbd-delay', '--env', 'skip'];

describe.skipIf(lacking)('a sweep over the disk cache back ends', () => {
  const out = join(base, 'variants');
  let ended: Ended;
  let document: Awaited<ReturnType<typeof readRunOf<'sweep'>>>;

  beforeAll(async () => {
    const variants = ['--disk-cache', diskCacheBackEnds.join(',')];
    // Entries of the SQL back end share a file: small ones are read ahead with their neighbours.
    const large = ['--workload', 'pdfjs', '--storage', 'nbd-delay', '--env', 'skip'];
    const words = [...large, '--samples', '2', ...variants, '--out', out];
    ended = await cachescope('sweep', '1', '1', '1', ...words);
    document = await readRunOf('sweep', out);
  });

  test('every back end is read from the disk, as three witnesses say', () => {
    expect(ended.code, ended.stderr).toBe(0);
    const slow = document.samples.filter(({ cell }) => cell.storage === 'nbd-delay');
    expect(slow).toHaveLength(diskCacheBackEnds.length * 2 * 3);
    for (const { cell, flags, originRequests, device } of slow) {
      // Starting has mapped pages of the SQL back end's files, and what lies beside them: that much may be in memory.
      const known = cell.variant === 'disk-cache=sql' ? ['device-short'] : [];
      expect(flags.filter((flag) => !known.includes(flag))).toEqual([]);
      expect(originRequests).toBe(0);
      expect(device?.reads).toBeGreaterThan(0);
    }
  });

  test('no entry is read twice by a browser that keeps what it read', () => {
    const sql = document.samples.filter(({ cell }) => cell.variant === 'disk-cache=sql');
    const places = sql.map(({ cell, launch }) => `${cell.arm} ${launch}`);
    expect(places).toHaveLength(new Set(places).size);
  });

  test('each arm lies in a cache of its own in each variant', () => {
    const lies = document.run.stored.map(({ arm, variant }) => `${arm} ${variant}`);
    const wanted = diskCacheBackEnds.flatMap((name) => [
      `br disk-cache=${name}`,
      `dcb disk-cache=${name}`,
    ]);
    expect(lies.toSorted()).toEqual(wanted.toSorted());
    // Of blockfile the size of an entry is not known, and is not 0.
    for (const { variant, storedBytes } of document.run.stored) {
      if (variant === 'disk-cache=blockfile') expect(storedBytes).toBeNull();
      else expect(storedBytes).toBeGreaterThan(0);
    }
  });

  test('the result names every variant, and fits 80 columns', () => {
    for (const name of diskCacheBackEnds) expect(ended.stdout).toContain(`disk-cache=${name}`);
    const lines = ended.stdout.split('\n');
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    expectNothingLeft();
  });
});

describe.skipIf(lacking)('a run that is taken up again', () => {
  const out = join(base, 'resumed');
  const runFile = join(out, 'run.json');
  const samplesFile = join(out, 'samples.ndjson');

  beforeAll(async () => {
    const ended = await cachescope(
      'sweep',
      '1',
      '1',
      '1',
      ...small,
      '--samples',
      '2',
      '--out',
      out,
    );
    expect(ended.code, ended.stderr).toBe(0);
  });

  function change(edit: (run: { status: string; environment: { kernel: string } }) => void): void {
    const run = JSON.parse(readFileSync(runFile, 'utf8'));
    edit(run);
    writeFileSync(runFile, JSON.stringify(run));
  }

  test('a complete run is refused, and so are words that would change its plan', async () => {
    const complete = await cachescope('sweep', '--resume', out);
    expect(complete.code).toBe(2);
    expect(complete.stderr).toContain('CS_RESUME_COMPLETE');
    const changed = await cachescope('sweep', '5', '--resume', out, '--seed', '3');
    expect(changed.code).toBe(2);
    expect(changed.stderr).toContain('leave away "5", --seed');
  });

  test('what is missing is taken, and no more; a line that was cut off is told', async () => {
    const lines = readFileSync(samplesFile, 'utf8').trimEnd().split('\n');
    const kept = lines.slice(0, 5);
    writeFileSync(samplesFile, `${kept.join('\n')}\n${lines[5]?.slice(0, 40)}`);
    change((run) => (run.status = 'running'));
    const ended = await cachescope('sweep', '--resume', out);
    expect(ended.code, ended.stderr).toBe(0);
    const { run, samples } = await readRunOf('sweep', out);
    expect(samples).toHaveLength(lines.length);
    expect(new Set(samples.map(({ sequence }) => sequence)).size).toBe(lines.length);
    expect(run.resumed).toMatchObject([{ samples: 5 }]);
    expect(run.warnings.join('\n')).toContain('1 line of samples.ndjson could not be used');
    expect(readFileSync(samplesFile, 'utf8').startsWith(kept.join('\n'))).toBe(true);
  });

  test('another kernel is refused: its cells would not be of one kind', async () => {
    change((run) => {
      run.status = 'partial';
      run.environment.kernel = '5.0 of another machine';
    });
    const before = readFileSync(samplesFile, 'utf8');
    const refused = await cachescope('sweep', '--resume', out);
    expect(refused.code).toBe(3);
    expect(refused.stderr).toContain('CS_RESUME_CHANGED');
    expect(refused.stderr).toContain('kernel: was 5.0 of another machine');
    expect(readFileSync(samplesFile, 'utf8')).toBe(before);
    expectNothingLeft();
  });
});
