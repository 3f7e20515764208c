import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FillTrial } from '@cachescope/model/fill-trial.ts';
import { measuresOf } from '@cachescope/model/fill-measures.ts';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ownNginx } from '../harness/nginx/nginx-binary.ts';
import { readRunOf } from '../harness/results/run-directory.ts';
import { base, cachescope, type Ended, expectNothingLeft, start } from './command-under-test.ts';

const nginx = await ownNginx();
if (!nginx) console.warn('What needs nginx is skipped: there is none');

const short = [
  '--env',
  'skip',
  '--time',
  '1',
  '--workers',
  '6',
  '--size',
  '200kb',
  '--suites',
  '0.5s',
];

async function trialsOf(out: string): Promise<FillTrial[]> {
  const { lines } = await readRunOf('fill', out);
  return lines.filter((line) => line.kind === 'trial');
}

afterEach(expectNothingLeft);

describe('concurrent fills', () => {
  const out = join(base, 'fill');
  let ended: Ended;
  let trials: FillTrial[];

  const measures = (system: FillTrial['system']) =>
    measuresOf(trials.filter((trial) => trial.system === system));

  beforeAll(async () => {
    const systems = `origin,edge,browser-page,browser+edge${nginx ? ',nginx' : ''}`;
    ended = await cachescope(
      'fill',
      ...short,
      '--systems',
      systems,
      '--questions',
      'attach,range-twice',
      '--out',
      out,
    );
    trials = await trialsOf(out);
  });

  test('every body is whole and right, through every system', () => {
    expect(ended.stderr).not.toContain('Warning');
    expect(ended.code).toBe(0);
    expect(trials.flatMap(({ requests }) => requests.filter(({ flag }) => flag))).toEqual([]);
    for (const { requests } of trials) {
      expect(requests.length).toBeGreaterThanOrEqual(12);
      expect(new Set(requests.map(({ bytes }) => bytes))).toEqual(new Set([204_800]));
    }
  });

  test('the origin’s own log: each file once where it is shared, by each reader where it is not', () => {
    const shared = [
      'edge-lock',
      'edge-stream',
      'browser-page',
      'browser+edge',
      'nginx-lock',
    ] as const;
    for (const system of nginx ? shared : shared.slice(0, -1)) {
      const { originRequests, files } = measures(system);
      expect([system, originRequests]).toEqual([system, files]);
    }
    const { originRequests, requests } = measures('origin');
    expect(originRequests).toBe(requests);
    expect(measures('edge-pass').originRequests).toBeGreaterThan(measures('edge-pass').files * 3);
    expect(measures('edge-pass').originBytes).toBe(measures('edge-pass').originRequests * 204_800);
  });

  test('who locks waits for the whole file, who streams does not', () => {
    // The mean over six readers, of whom the first never waits: five sixths of 400 ms at the least.
    expect(measures('edge-lock').firstByteMs.mean).toBeGreaterThan(300);
    expect(measures('edge-stream').firstByteMs.p50).toBeLessThan(200);
    expect(measures('browser-page').firstByteMs.p50).toBeLessThan(200);
    // Chunks are sent 200 ms after the start on average.
    expect(measures('edge-stream').byteWaitMs).toBeGreaterThan(190);
    expect(measures('edge-lock').byteWaitMs).toBeGreaterThan(
      measures('edge-stream').byteWaitMs ?? 0,
    );
  });

  test('Chromium lets a second reader join a whole that is arriving, and not a range', async () => {
    const { lines } = await readRunOf('fill', out);
    const questions = lines.filter((line) => line.kind === 'question');
    const [attach, twice] = questions;
    expect(attach?.readers.map(({ flag }) => flag)).toEqual([undefined, undefined]);
    // It came when half of 3 s had gone, and had the first half at once.
    expect(attach?.readers[1]?.firstByteMs).toBeLessThan(500);
    expect(attach?.readers[1]?.durationMs).toBeLessThan(2000);
    expect(attach?.origin).toHaveLength(1);
    expect(twice?.origin).toHaveLength(2);
    expect(twice?.readers.map(({ flag }) => flag)).toEqual([undefined, undefined]);
    expect(twice?.readers.map(({ bytes }) => bytes)).toEqual([1_500_000, 1_500_000]);
  });

  test('its outputs are there, and the table on stdout names each system', () => {
    for (const name of ['summary.json', 'systems.csv', 'report.txt', 'report.html'])
      expect(existsSync(join(out, name))).toBe(true);
    expect(existsSync(join(out, 'charts/byte-wait-0-5s.png'))).toBe(true);
    expect(ended.stdout).toContain('edge-stream');
    expect(ended.stdout).toMatch(/Slow origin, each file 0.5 s; bytes are sent 200 ms after/);
    expect(readFileSync(join(out, 'systems.csv'), 'utf8').split('\r\n')).toHaveLength(
      trials.length + 2,
    );
  });
});

describe.skipIf(!nginx)('an nginx without the patch', () => {
  test('is refused where the patch is needed, and measured where it is not', async () => {
    const out = join(base, 'unpatched');
    const systems = [
      '--systems',
      'nginx-patched-lock,nginx-tempfiles',
      '--nginx',
      nginx?.path ?? '',
    ];
    const { code, stderr } = await cachescope('fill', ...short, ...systems, '--out', out);
    expect(stderr).toMatch(/refuses its configuration: .*unknown directive "proxy_cache_tempfile"/);
    expect(code).toBe(4);
    expect((await trialsOf(out)).map(({ system }) => system)).toEqual(['nginx-patched-lock']);
  });
});

describe('bad input and interrupts', () => {
  test('all problems are told at once, with exit code 2', async () => {
    const wrong = ['--systems', 'squid', '--suites', '0s', '--workers', '0', '--rate', '0'];
    const { code, stderr } = await cachescope('fill', ...wrong);
    expect(code).toBe(2);
    for (const part of ['"squid"', '"0s"', '--workers is "0"', '--rate is not a flag of fill'])
      expect(stderr).toContain(part);
  });

  test('a binary that is no nginx is refused', async () => {
    const { code, stderr } = await cachescope('fill', '--nginx', '/bin/true');
    expect(stderr).toContain('/bin/true -v does not say that it is nginx');
    expect(code).toBe(2);
  });

  test('Ctrl-C finishes the files under way, saves, and cleans up', async () => {
    const out = join(base, 'interrupted');
    const long = [
      '--env',
      'skip',
      '--time',
      '60',
      '--workers',
      '3',
      '--size',
      '10kb',
      '--suites',
      '0.3s',
    ];
    const { child, ended } = start(['fill', ...long, '--systems', 'edge-stream', '--out', out]);
    await new Promise<void>((resolve) => {
      child.stderr?.on('data', (data: Buffer) => {
        if (data.toString().includes('edge-stream, 0.3s')) setTimeout(resolve, 700);
      });
      child.once('close', () => resolve());
    });
    child.kill('SIGINT');
    expect((await ended).code).toBe(130);
    const [trial] = await trialsOf(out);
    expect(trial?.cutShort).toBe(true);
    expect(trial?.requests.filter(({ flag }) => flag)).toEqual([]);
    expect((await readRunOf('fill', out)).run).toMatchObject({ statusReason: 'interrupted' });
  });
});
