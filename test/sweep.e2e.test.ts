import { type ChildProcess, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Sample } from '@cachescope/model/sample.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readRunDirectory } from '../harness/results/run-directory.ts';
import { whatSlowStorageLacks } from './slow-storage-need.ts';

const cli = join(import.meta.dirname, '../harness/cli.ts');
const base = mkdtempSync(join(tmpdir(), 'cachescope-test-'));
// Places of its own: what it leaves behind can be told from what others make, and nobody cleans up for it.
const temporary = join(base, 'tmp');
mkdirSync(temporary);
const environment = { ...process.env, XDG_STATE_HOME: join(base, 'state'), TMPDIR: temporary };
afterAll(() => rmSync(base, { recursive: true }));

const lacking = await whatSlowStorageLacks();
if (lacking) console.warn(`Sweeps over slow storage are skipped: ${lacking}`);

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

function start(args: string[]): { child: ChildProcess; ended: Promise<Ended> } {
  const child = spawn(process.execPath, [cli, ...args], { env: environment });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
  return { child, ended };
}

async function cachescope(...args: string[]): Promise<Ended> {
  return start(args).ended;
}

/** Everything on this machine that shows a place of this test: mounts, loop devices, processes, files. */
function traces(): string[] {
  const mounts = readFileSync('/proc/self/mountinfo', 'utf8').split('\n');
  const loops = readdirSync('/sys/block')
    .map((name) => join('/sys/block', name, 'loop/backing_file'))
    .filter((path) => existsSync(path))
    .map((path) => readFileSync(path, 'utf8'));
  const commands = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => commandLine(pid));
  return [
    ...mounts,
    ...loops,
    ...commands,
    ...readdirSync(temporary).map((name) => join(temporary, name)),
  ].filter((line) => line.includes(temporary));
}

/** Empty for a process that has just ended. */
function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

function expectNothingLeft(): void {
  expect(traces()).toEqual([]);
}

describe.skipIf(lacking)('a sweep over nbd-delay', () => {
  const out = join(base, 'sweep');
  let ended: Ended;
  let run: Awaited<ReturnType<typeof readRunDirectory>>;
  let slow: Sample[];

  beforeAll(async () => {
    const arms = ['--arms', 'br,dcb'];
    const args = [
      'sweep',
      '0',
      '8',
      '4',
      '--samples',
      '4',
      '--seed',
      '7',
      '--storage',
      'nbd-delay',
      '--out',
      out,
    ];
    ended = await cachescope(...args, ...arms);
    expect(ended.stderr).toContain('Report: ');
    run = await readRunDirectory(out);
    slow = run.samples.filter((sample) => sample.cell.storage === 'nbd-delay');
  });

  test('ends complete, with every sample of the plan and one companion a cell', () => {
    expect(ended.code).toBe(0);
    expect(run.run.status).toBe('complete');
    expect(run.samples.filter((sample) => sample.kind === 'timed')).toHaveLength(4 * 2 * 4);
    expect(run.samples.filter((sample) => sample.kind === 'companion')).toHaveLength(4 * 2);
  });

  test('three witnesses agree on every read of the slow disk', () => {
    for (const sample of slow) {
      expect(sample.flags).toEqual([]);
      expect(sample.attribution.source).toBe('disk');
      expect(sample.originRequests).toBe(0);
      expect(sample.device?.reads).toBeGreaterThan(0);
      expect(sample.bodySha256).toBe(run.run.plan.workload.resourceSha256);
    }
  });

  test('companions, watched through the Network domain, are certain of the disk cache', () => {
    const companions = run.samples.filter((sample) => sample.kind === 'companion');
    for (const { attribution } of companions) {
      expect(attribution).toMatchObject({ source: 'disk', confidence: 'certain' });
    }
  });

  test('DCB lies decoded in the cache, Brotli encoded', () => {
    const stored = Object.fromEntries(run.run.stored.map((entry) => [entry.arm, entry]));
    const { br, dcb } = stored;
    if (!br || !dcb) throw new Error('both arms must be stored');
    // Headers and the entry's own records come on top of the body.
    expect(dcb.storedBytes).toBeGreaterThan(dcb.decodedBytes);
    expect(dcb.storedBytes).toBeLessThan(dcb.decodedBytes + 2048);
    expect(dcb.wireBytes).toBeLessThan(dcb.decodedBytes / 50);
    expect(br.storedBytes).toBeGreaterThan(br.wireBytes);
    expect(br.storedBytes).toBeLessThan(br.wireBytes + 2048);
  });

  test('the device reads what lies there: at least the body, for each arm', () => {
    for (const entry of run.run.stored) {
      const reads = slow.filter((sample) => sample.cell.arm === entry.arm);
      const lies = entry.storedBytes ?? Number.NaN;
      for (const { device } of reads) {
        expect(device?.readBytes).toBeGreaterThan(0.9 * lies);
        expect(device?.readBytes).toBeLessThan(lies + 256 * 1024);
      }
    }
  });

  test('each read waits for the device as often as its arm asks it, at least thrice and at most as often as it reads', () => {
    const median = (arm: string, delayMs: number) => {
      const times = slow
        .filter(
          (sample) =>
            sample.cell.arm === arm && sample.cell.delayMs === delayMs && sample.kind === 'timed',
        )
        .map((sample) => sample.readMs)
        .toSorted((a, b) => a - b);
      return times[Math.floor(times.length / 2)] ?? Number.NaN;
    };
    for (const arm of ['br', 'dcb']) {
      const reads = slow.find((sample) => sample.cell.arm === arm)?.device?.reads ?? Number.NaN;
      const waits = (median(arm, 8) - median(arm, 0)) / 8;
      expect(waits).toBeGreaterThan(3);
      // FUSE and loop add their own time to each delay.
      expect(waits).toBeLessThan(reads * 1.2);
    }
  });

  test('every delay is proved before and after each visit', () => {
    const proofs = run.run.proofs.filter((proof) => proof.storage === 'nbd-delay');
    expect(proofs).toHaveLength(3 * 2 * 2);
    for (const proof of proofs) {
      expect(Math.abs(proof.p50Ms - proof.requestedDelayMs)).toBeLessThanOrEqual(
        Math.max(1, 0.2 * proof.requestedDelayMs),
      );
      expect(proof.off).toBe(false);
    }
  });

  test('arms are interleaved and every cell is sampled by two launches', () => {
    const launches = Map.groupBy(slow, (sample) => `${sample.cell.arm} ${sample.cell.delayMs}`);
    for (const samples of launches.values()) {
      expect(new Set(samples.map((sample) => sample.launch)).size).toBe(2);
    }
  });

  test('the classic outputs have the classic columns, control first', () => {
    const csv = readdirSync(out).find((name) => /^cdt-perf-results-\d{8}-\d{6}\.csv$/.test(name));
    const [header, first, ...rest] = readFileSync(join(out, csv ?? ''), 'utf8')
      .trim()
      .split('\n');
    expect(header).toBe('Delay_ms,Throughput,DCB_Read_ms,Brotli_Read_ms,Gap_ms');
    expect(first).toMatch(/^0 \(control\),/);
    expect(rest.map((row) => row.split(',')[0])).toEqual(['0', '4', '8']);
    const text = readdirSync(out).find((name) => /^cdt-perf-report-\d{8}-\d{6}\.txt$/.test(name));
    expect(readFileSync(join(out, text ?? ''), 'utf8')).toContain(
      'CDT CACHE READ PERFORMANCE SWEEP REPORT',
    );
  });

  test('the table goes to stdout without escape codes and fits 80 columns; progress goes to stderr', () => {
    expect(ended.stdout).toContain('control');
    // oxlint-disable-next-line no-control-regex
    expect(ended.stdout).not.toMatch(/\u001b/);
    for (const line of ended.stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    expect(ended.stderr).toContain('Visit 1 of 8: control');
    expect(ended.stdout).not.toContain('Visit');
  });

  test('the report stands alone and its charts are drawn', () => {
    const html = readFileSync(join(out, 'report.html'), 'utf8');
    expect(html).not.toMatch(/(src|href)="(https?:)?\/\//);
    const charts = readdirSync(join(out, 'charts'));
    expect(charts).toContain('read-time.png');
    for (const name of charts)
      expect(readFileSync(join(out, 'charts', name)).readUInt32BE(0)).toBe(0x89504e47);
  });

  test('the report is derived again from the samples alone', async () => {
    const summary = readFileSync(join(out, 'summary.json'), 'utf8');
    rmSync(join(out, 'summary.json'));
    const again = await cachescope('report', out, '--json');
    expect(again.code).toBe(0);
    expect(readFileSync(join(out, 'summary.json'), 'utf8')).toBe(summary);
    expect(JSON.parse(again.stdout)).toEqual(JSON.parse(summary));
  });

  test('nothing is left: no mount, no loop device, no process, no directory', () => {
    expectNothingLeft();
  });
});

describe.skipIf(lacking)('a sweep that is interrupted', () => {
  async function interrupted(out: string, signals: NodeJS.Signals[]): Promise<Ended> {
    const { child, ended } = start([
      'sweep',
      '1',
      '50',
      '1',
      '--storage',
      'nbd-delay',
      '--out',
      out,
    ]);
    await new Promise<void>((resolve) => {
      child.stderr?.on('data', () => {
        if (readSamples(out) >= 3) resolve();
      });
      child.once('close', () => resolve());
    });
    for (const signal of signals) child.kill(signal);
    return ended;
  }

  function readSamples(out: string): number {
    const path = join(out, 'samples.ndjson');
    return existsSync(path) ? readFileSync(path, 'utf8').split('\n').length - 1 : 0;
  }

  // A terminal and npm each pass one Ctrl-C on, so two at the same moment are one wish.
  test.each([[['SIGINT']], [['SIGINT', 'SIGINT']], [['SIGTERM']]] as [NodeJS.Signals[]][])(
    '%j saves what there is and cleans up',
    async (signals) => {
      const out = join(base, `interrupted-${signals.join('-')}`);
      const ended = await interrupted(out, signals);
      expect(ended.code).toBe(130);
      const { run, samples } = await readRunDirectory(out);
      expect(run).toMatchObject({ status: 'partial', statusReason: 'interrupted' });
      expect(samples.length).toBeGreaterThanOrEqual(3);
      expect(ended.stderr).toContain(`npm run report -- ${out}`);
      expect(existsSync(join(out, 'report.html'))).toBe(true);
      expectNothingLeft();
    },
  );
});

describe.skipIf(lacking)('other sweeps', () => {
  test("the user's own pair in all six codings: what is stored decoded and what encoded", async () => {
    const lines = Array.from(
      { length: 4000 },
      (_, index) => `export const value${index} = ${(index * 7919) % 10_007};`,
    );
    const [older, newer] = [join(base, 'old.js'), join(base, 'new.js')];
    writeFileSync(older, lines.join('\n'));
    writeFileSync(newer, lines.with(100, '// edited').join('\n'));
    const out = join(base, 'pair');
    const pair = [
      '--dictionary',
      older,
      '--resource',
      newer,
      '--arms',
      'identity,gzip,br,zstd,dcb,dcz',
    ];
    const { code } = await cachescope(
      'sweep',
      '2',
      '2',
      '1',
      '--samples',
      '1',
      '--out',
      out,
      '--storage',
      'nbd-delay',
      ...pair,
    );
    expect(code).toBe(0);
    const { run, samples } = await readRunDirectory(out);
    expect(
      samples.flatMap((sample) => (sample.cell.storage === 'none' ? [] : sample.flags)),
    ).toEqual([]);
    const decoded = readFileSync(newer).length;
    const isDecoded = run.stored.map((entry) => [entry.arm, (entry.storedBytes ?? 0) > decoded]);
    expect(Object.fromEntries(isDecoded)).toEqual({
      identity: true,
      gzip: false,
      br: false,
      zstd: false,
      dcb: true,
      dcz: true,
    });
  });
});

describe('bad input', () => {
  test('all problems are told at once, before anything is made, with exit code 2', async () => {
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
      '--frobnicate is not a flag of sweep',
      'end is "-1"; it must be a whole number from 0 to 10000',
      'increment is "ten"',
      '--samples is "0"',
      '--arms names "lzma"; known are identity, gzip, br, zstd, dcb, dcz',
      `--dictionary ${empty} is empty`,
      'missing.js cannot be read (ENOENT)',
      '--storage is "floppy"; known are auto, none, dm-delay, nbd-delay',
      '--seed is "1.5"',
      `--out ${base} exists`,
    ]) {
      expect(stderr).toContain(problem);
    }
    expectNothingLeft();
  });

  test.each([
    [['sweep', '5', '1'], 'end (1 ms) is below start (5 ms)'],
    [['sweep', '0', '20000', '5'], 'end is "20000"; it must be a whole number from 0 to 10000'],
    [
      ['sweep', '--workload', 'nothing'],
      '--workload "nothing" is not known; known are pdfjs, three',
    ],
    [
      ['sweep', '--browser', '/nonexistent/chromium'],
      '--browser /nonexistent/chromium does not exist',
    ],
  ])('%j is refused with the rule', async (args, problem) => {
    const { code, stderr } = await cachescope(...args);
    expect(stderr).toContain(problem);
    expect(code).toBe(args.includes('--browser') ? 3 : 2);
    expectNothingLeft();
  });

  test('a dry run shows the plan and every privileged command, and makes nothing', async () => {
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
      'drop_caches',
    ]) {
      expect(stderr).toContain(command);
    }
    expectNothingLeft();
  });
});
