import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { SweepRunDocument } from '@cachescope/model/sweep/run.ts';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { base, cachescope, expectNothingLeft } from '../command-under-test.ts';
import { madeUpRun } from '@cachescope/model/fixtures/made-up-run.ts';
import { panelBrowser } from '../../harness/browser/panel-browser.ts';

if (process.getuid?.() !== 0) console.warn('A full disk is not tested: mounting one needs root');

const whole = madeUpRun(12);

function save(name: string, { run, samples }: SweepRunDocument): string {
  const directory = join(base, name);
  mkdirSync(directory);
  writeFileSync(join(directory, 'run.json'), JSON.stringify(run));
  const lines = samples.map((sample) => `${JSON.stringify(sample)}\n`);
  writeFileSync(join(directory, 'samples.ndjson'), lines.join(''));
  return directory;
}

/** True when the first canvas of the page has a coloured pixel. */
const isDrawn = `(() => {
  const canvas = document.querySelector('canvas');
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  return data.some((value) => value > 0);
})()`;

describe('compare', () => {
  let stock: string;
  let slower: string;
  let patched: string;

  beforeAll(() => {
    stock = save('stock', whole);
    const samples = whole.samples.map((sample) =>
      Object.assign({}, sample, { readMs: sample.readMs * 1.5 }),
    );
    slower = save('slower', { ...whole, samples });
    const { environment } = whole.run;
    const chromium = { ...environment.chromium, version: 'Chrome/157.0.1.1' };
    patched = save('patched', {
      run: { ...whole.run, environment: { ...environment, chromium } },
      samples,
    });
  });

  test('two runs: one screen, 80 columns, no files written', async () => {
    const before = readdirSync(base);
    const { code, stdout, stderr } = await cachescope('compare', stock, slower);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^ +DCB +\d+ +\d+ +\+50 % .* B SLOWER$/m);
    expect(stdout).toContain('A is better at');
    expect(stdout.trimEnd().split('\n').length).toBeLessThanOrEqual(25);
    const whole = await cachescope('compare', stock, slower, '--verbose');
    expect(whole.stdout).toMatch(/^- 10 ms, DCB: B is slower than A by /m);
    // The paths of this test are long; every other line fits.
    const long = stdout.split('\n').filter((line) => line.length > 80 && !line.includes(base));
    expect(long).toEqual([]);
    expect(readdirSync(base)).toEqual(before);
  });

  test('runs with different browsers are refused, unless the browser is what is compared', async () => {
    const refused = await cachescope('compare', stock, patched);
    expect(refused.code).toBe(3);
    expect(refused.stdout).toBe('');
    expect(refused.stderr).toContain('CS_RUNS_NOT_ALIKE');
    expect(refused.stderr).toContain('chromium: Chrome/156.0.8078.79 in A, Chrome/157.0.1.1 in B');
    expect(refused.stderr).toContain('--across "chromium"');
    const words = ['--across', 'chromium', '--names', 'stock,patched'];
    const { code, stdout } = await cachescope('compare', stock, patched, ...words);
    expect(code).toBe(0);
    expect(stdout).toContain('Compared across chromium: Chrome/156.0.8078.79 in A');
    expect(stdout).toContain('patched against stock: ');
  });

  test('bad input ends with exit code 2 and a message', async () => {
    const wrong: [words: string[], says: string][] = [
      [[stock], 'one run is named'],
      [[stock, join(base, 'nowhere')], 'CS_COMPARE_SOURCE'],
      [[stock, base], 'CS_RUN_INVALID'],
      [[stock, join(stock, 'run.json')], 'is not a classic CSV'],
      [[stock, slower, '--gate', 'joy:+1'], 'it has readMs, deviceReads'],
      [[stock, slower, '--gate', 'slower:5'], 'a gate is any, slower or faster'],
      [[stock, slower, '--gate', 'any', '--junit', join(stock, 'run.json')], 'exists'],
      [[stock, slower, '--metric', 'joy'], 'it has readMs, deviceReads'],
      [[stock, slower, '--group', 'arm=gzip'], 'no arm "gzip"'],
      [
        [stock, slower, '--group', 'arm=br,delay=1', '--group', 'arm=dcb'],
        'name the same factors in both groups',
      ],
    ];
    await Promise.all(
      wrong.map(async ([words, says]) => {
        const { code, stdout, stderr } = await cachescope('compare', ...words);
        expect([code, stdout]).toEqual([2, '']);
        expect(stderr).toContain(says);
        expect(stderr).not.toContain('at file:');
      }),
    );
  });

  test('gates: exit code 10 only beyond the limit, reported to a workflow and in JUnit XML', async () => {
    const [junit, step] = [join(base, 'gates.xml'), join(base, 'step.md')];
    vi.stubEnv('GITHUB_ACTIONS', 'true');
    vi.stubEnv('GITHUB_STEP_SUMMARY', step);
    const gates = ['--gate', 'slower:1%', '--gate', 'deviceReads:+1'];
    const failed = await cachescope('compare', stock, slower, ...gates, '--junit', junit);
    vi.unstubAllEnvs();
    expect(failed.code, failed.stderr).toBe(10);
    expect(failed.stdout).toMatch(/^Gate slower:1%: failed at \d+ of 24/m);
    expect(failed.stdout).toContain('\nGate deviceReads:+1: passed at 24 of 24.\n');
    expect(failed.stderr).toMatch(/^::error title=Gate slower%3A1%25::10 ms, DCB: B is slower/m);
    expect(failed.stderr).toMatch(/^CS_GATE: slower:1% failed at \d+ of 24/m);
    expect(readFileSync(step, 'utf8')).toContain('| 10 ms, DCB | failed | B is slower than A by ');

    const open = ['--gate', 'slower:50%'];
    const passed = await cachescope('compare', stock, slower, '--gate', 'faster:5%');
    expect(passed.code, passed.stderr).toBe(0);
    const undecided = await cachescope('compare', stock, slower, ...open);
    expect([undecided.code, undecided.stderr]).toEqual([0, '']);
    expect(undecided.stdout).toMatch(/^Gate slower:50%: not decided at 24 of 24\.$/m);
    const strict = await cachescope('compare', stock, slower, ...open, '--gate-unknown', 'fail');
    expect(strict.code).toBe(11);
    expect(strict.stderr).toContain('CS_GATE_UNKNOWN');
    const json = await cachescope('compare', stock, slower, '--json', '--gate', 'slower:1%');
    expect(JSON.parse(json.stdout)).toMatchObject({ gates: [{ metric: 'readMs' }] });

    // Chromium's XML parser is an independent reader: JUnit has no JavaScript tools.
    const panel = await panelBrowser();
    try {
      const page = await panel.newPage();
      const counts: unknown = await page.evaluate(`(() => {
        const text = ${JSON.stringify(readFileSync(junit, 'utf8'))};
        const document = new DOMParser().parseFromString(text, 'application/xml');
        const count = (selector) => document.querySelectorAll(selector).length;
        const suites = [...document.querySelectorAll('testsuite')].map((suite) =>
          ['name', 'tests'].map((name) => suite.getAttribute(name)),
        );
        return { broken: count('parsererror'), suites, cases: count('testcase') };
      })()`);
      const suites = [
        ['gate slower:1%', '24'],
        ['gate deviceReads:+1', '24'],
      ];
      expect(counts).toEqual({ broken: 0, suites, cases: 48 });
    } finally {
      await panel.close();
    }
  });

  test('--format prints a run or a comparison in a machine-readable format, and writes no files', async () => {
    const before = readdirSync(base);
    const markdown = await cachescope('compare', stock, slower, '--format', 'markdown');
    expect(markdown.code).toBe(0);
    expect(markdown.stdout).toMatch(/^\| 10 ms, DCB, B \|.*\| 1\.50 \| DIFFERENT \|$/m);
    const words = ['--format', 'histogram-set', '--bot', 'lab-1'];
    const { code, stdout } = await cachescope('report', stock, ...words);
    expect(code).toBe(0);
    const entries = JSON.parse(stdout) as { name?: string; sampleValues?: number[] }[];
    const reads = entries.filter(({ name }) => name === 'readMs');
    const used = whole.samples.filter(({ kind, flags }) => kind === 'timed' && flags.length === 0);
    const values = reads.flatMap(({ sampleValues = [] }) => sampleValues);
    expect(new Set(values)).toEqual(new Set(used.map(({ readMs }) => readMs)));
    expect(values).toHaveLength(used.length);
    const refused = await cachescope('report', stock, '--format', 'xml', '--json');
    expect([refused.code, refused.stdout]).toEqual([2, '']);
    expect(refused.stderr).toContain('known are markdown, step-summary');
    expect(refused.stderr).toContain('remove --json and --out');
    expect(readdirSync(base)).toEqual(before);
    expect(readdirSync(stock)).toHaveLength(2);
  });

  test('two classic tables: differences without a significance test', async () => {
    const header = 'Delay_ms,Throughput,DCB_Read_ms,Brotli_Read_ms,Gap_ms';
    const [old, now] = [join(base, 'old.csv'), join(base, 'new.csv')];
    writeFileSync(old, `${header}\n0 (control),1 GB/s,4.2,6.5,-2.3\n5,1 GB/s,70,43,27\n`);
    writeFileSync(now, `${header}\n0 (control),1 GB/s,4.4,6.4,-2.0\n5,1 GB/s,77,43,34\n`);
    const { code, stdout, stderr } = await cachescope('compare', old, now);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^(5 ms)? +DCB +70 +77 +\+10 % +– +UNKNOWN$/m);
    expect(stderr).toContain('holds medians only');
  });

  test.skipIf(process.getuid?.() !== 0)(
    'a disk that is too full for --out: the comparison is shown, exit code 4, and no half-written file',
    async () => {
      const disk = join(base, 'full-disk');
      mkdirSync(disk);
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16k', 'cachescope-test', disk]);
      try {
        const out = join(disk, 'compared');
        const { code, stdout, stderr } = await cachescope('compare', stock, slower, '--out', out);
        expect(code, stderr).toBe(4);
        expect(stderr).toMatch(/CS_SYSTEM: the comparison could not be written: ENOSPC/);
        expect(stdout).toContain('A is better at');
        const files = existsSync(out) ? readdirSync(out) : [];
        expect(files.filter((name) => name.endsWith('.tmp'))).toEqual([]);
      } finally {
        execFileSync('umount', [disk]);
      }
    },
  );

  test('--out saves the samples: the report can be derived again and shows the comparison', async () => {
    const out = join(base, 'compared');
    const groups = ['--group', 'arm=br,delay=10', '--group', 'arm=dcb,delay=10'];
    const { code } = await cachescope('compare', stock, ...groups, '--out', out);
    expect(code).toBe(0);
    const before = readFileSync(join(out, 'compare.json'), 'utf8');
    expect(JSON.parse(before)).toMatchObject({
      cells: [{ verdict: { outcome: 'DIFFERENT', better: 'against' } }],
    });
    expect(existsSync(join(out, 'compare.csv'))).toBe(true);
    expect((await cachescope('report', out)).code).toBe(0);
    expect(readFileSync(join(out, 'compare.json'), 'utf8')).toBe(before);

    const panel = await panelBrowser();
    try {
      const page = await panel.newPage();
      const trouble: string[] = [];
      page.on('pageerror', (error) => trouble.push(String(error)));
      await page.goto(pathToFileURL(join(out, 'compare.html')).href);
      await page.waitForSelector('figure#distribution-0 canvas');
      await page.waitForFunction(isDrawn);
      const answer = await page.$eval('.answer', ({ textContent }) => textContent);
      expect(answer).toMatch(/^DCB is slower than Brotli by /);

      // A run in the panel, compared with a second run that the user opens.
      await page.goto(panel.panelUrl);
      const files = (run: string): string[] =>
        ['run.json', 'samples.ndjson'].map((name) => join(run, name));
      const opener = await page.waitForSelector('input#run-files');
      await opener?.uploadFile(...files(stock));
      const beside = await page.waitForSelector('run-compare input[type=file]');
      await beside?.uploadFile(...files(patched));
      await page.waitForSelector('run-compare figure#differences');
      const text = await page.$eval('run-compare', (found) =>
        (found.textContent ?? '').replaceAll(/\s+/g, ' '),
      );
      expect(text).toContain('B against A: A is better at');
      expect(text).toContain(
        'The runs differ in a condition that may cause the difference: chromium: Chrome/156.0.8078.79 in A',
      );
      expect(trouble).toEqual([]);
    } finally {
      await panel.close();
    }
    expectNothingLeft();
  });
});
