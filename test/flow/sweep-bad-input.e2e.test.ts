import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { base, cachescope, expectNothingLeft } from '../command-under-test.ts';

describe('bad input', () => {
  test('all problems are reported at once, before anything is created, with exit code 2', async () => {
    const empty = join(base, 'empty.js');
    writeFileSync(empty, '');
    const files = ['--dictionary', empty, '--resource', join(base, 'missing.js')];
    const wrong =
      'sweep 50 -1 ten --samples 0 --arms br,lzma --storage floppy --frobnicate --seed 1.5';
    const words = [...wrong.split(' '), ...files, '--out', base];
    const { code, stdout, stderr } = await cachescope(...words);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    for (const problem of [
      '--frobnicate is not an option of sweep',
      'end is "-1"; it must be a time such as 250ms, 30s or 20m, from 0ms to 10000ms',
      'increment is "ten"',
      '--samples is "0"',
      '--arms names "lzma"; known are identity, gzip, br, zstd, dcb, dcz',
      `--dictionary ${empty} is empty`,
      'missing.js cannot be read (ENOENT)',
      '--storage is "floppy"; known are auto, none, dm-delay, nbd-live, nbd-delay',
      '--seed is "1.5"',
      `--out ${base} exists`,
    ]) {
      expect(stderr).toContain(problem);
    }
    expectNothingLeft();
  });

  test.each([
    [['sweep', '5', '1'], 'end (1 ms) is below start (5 ms)'],
    [
      ['sweep', '0', '20000', '5'],
      'end is "20000"; it must be a time such as 250ms, 30s or 20m, from 0ms to 10000ms',
    ],
    [
      ['sweep', '--workload', 'nothing'],
      '--workload "nothing" is not known; known are pdfjs, three',
    ],
    [
      ['sweep', '--browser', '/nonexistent/chromium'],
      '--browser /nonexistent/chromium does not exist',
    ],
  ])('%j is refused with the violated rule', async (args, problem) => {
    const { code, stderr } = await cachescope(...args);
    expect(stderr).toContain(problem);
    expect(code).toBe(args.includes('--browser') ? 3 : 2);
    expectNothingLeft();
  });

  test('a variant whose browser does not exist is refused before anything is created', async () => {
    const variants = join(base, 'missing-browser.json');
    const missing = { name: 'missing', browser: '/nonexistent/chromium' };
    writeFileSync(variants, JSON.stringify([{ name: 'stock' }, missing]));
    const { code, stderr } = await cachescope('sweep', '5', '--variants', variants);
    expect(code, stderr).toBe(3);
    expect(stderr).toContain('/nonexistent/chromium');
    expect(stderr).not.toContain('Populating');
    expectNothingLeft();
  });

  test('a dry run shows the plan and every privileged command, and creates nothing', async () => {
    const { code, stdout, stderr } = await cachescope(
      'sweep',
      '5',
      '10',
      '5',
      '--dry-run',
      '--storage',
      'nbd-delay',
    );
    expect(code).toBe(0);
    expect(stdout).toContain('Points    control, 5 ms, 10 ms');
    for (const command of [
      'nbdfuse',
      'rdelay=5ms',
      'rdelay=10ms',
      'losetup --find --show --direct-io=on',
      'umount',
      'prepare-page-cache.py',
    ]) {
      expect(stderr).toContain(command);
    }
    expectNothingLeft();
  });
});
