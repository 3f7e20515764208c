import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { measuresOf } from '@cachescope/model/fill/measures.ts';
import type { FillRequest, FillTrial } from '@cachescope/model/fill/trial.ts';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ownNginx } from '../../harness/nginx/nginx-binary.ts';
import { readRunOf } from '../../harness/results/run-directory.ts';
import { base, cachescope, type Ended, expectNothingLeft, start } from '../command-under-test.ts';

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
  '200KiB',
  '--suites',
  '0.5s',
];

/** Time from the first to the last of a file's five chunks at the origin, ms; a timer may fire 1 ms early. */
const lastChunkMs = 4 * 100 - 1;

async function trialsOf(out: string): Promise<FillTrial[]> {
  const { lines } = await readRunOf('fill', out);
  return lines.filter((line) => line.kind === 'trial');
}

/** Since the start of the trial, ms. */
const firstByteAt = ({ startMs, firstByteMs }: FillRequest) => startMs + (firstByteMs ?? Infinity);
const endAt = ({ startMs, durationMs }: FillRequest) => startMs + durationMs;

/**
 * For one file: the earliest request, the first reader with a byte, and the readers that asked while it was still
 * arriving.
 */
function readersOf(trial: FillTrial) {
  const files = Map.groupBy(trial.requests, ({ file }) => file);
  return [...files.values()].map((requests) => {
    const [first, ...others] = requests.toSorted((a, b) => firstByteAt(a) - firstByteAt(b));
    if (!first) throw new Error('a file without readers');
    const earliest = requests.reduce((a, b) => (b.startMs < a.startMs ? b : a));
    return { first, earliest, joining: others.filter(({ startMs }) => startMs < endAt(first)) };
  });
}

afterEach(expectNothingLeft);

describe('concurrent fills', () => {
  const out = join(base, 'fill');
  let ended: Ended;
  let trials: FillTrial[];

  const of = (system: FillTrial['system']) => trials.filter((trial) => trial.system === system);
  const measures = (system: FillTrial['system']) => measuresOf(of(system));
  const readers = (system: FillTrial['system']) => of(system).flatMap(readersOf);

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

  test('every body is complete and correct, through every system', () => {
    expect(ended.stderr).not.toMatch(/^Warning: /m);
    expect(ended.code, ended.stderr).toBe(0);
    expect(trials.flatMap(({ requests }) => requests.filter(({ flag }) => flag))).toEqual([]);
    for (const { requests } of trials) {
      // Every reader requests the first file.
      const workers = requests.filter(({ file }) => file === 0).map(({ worker }) => worker);
      expect(workers.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5]);
      expect(new Set(requests.map(({ bytes }) => bytes))).toEqual(new Set([204_800]));
    }
  });

  test('the origin’s own log: each file is fetched once where it is shared, and once per reader where it is not', () => {
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
    const passed = measures('edge-pass');
    expect(passed.originRequests).toBe(passed.requests);
    expect(passed.originBytes).toBe(passed.originRequests * 204_800);
  });

  test('a locking edge answers after the whole file, a streaming edge before it', () => {
    // All readers but the one that fetches the file.
    for (const { earliest, joining } of readers('edge-lock'))
      for (const joined of joining)
        expect(firstByteAt(joined) - earliest.startMs).toBeGreaterThan(lastChunkMs);
    for (const system of ['edge-stream', 'browser-page'] as const) {
      // As shares of the time that the file took to arrive.
      const places = readers(system).flatMap(({ first, earliest, joining }) =>
        joining.map(
          (joined) => (firstByteAt(joined) - earliest.startMs) / (endAt(first) - earliest.startMs),
        ),
      );
      // Where other work on this computer delays one reader, another still shows that the file is passed on as it arrives.
      expect(Math.min(...places), system).toBeLessThan(0.5);
    }
    // On average a chunk is sent half of that time after the start.
    for (const { earliest } of readers('edge-stream'))
      expect(earliest.byteWaitMs).toBeGreaterThan(lastChunkMs / 2 - 1);
    const shareBeforeFirstByte = (system: FillTrial['system']) => {
      const { firstByteMs, byteWaits } = measures(system);
      return (firstByteMs.mean ?? Number.NaN) / (byteWaits.mean ?? Number.NaN);
    };
    expect(shareBeforeFirstByte('edge-lock')).toBeGreaterThan(shareBeforeFirstByte('edge-stream'));
  });

  test('Chromium lets a second reader join a whole response that is arriving, but not a range', async () => {
    const { lines } = await readRunOf('fill', out);
    const questions = lines.filter((line) => line.kind === 'question');
    const [attach, twice] = questions;
    expect(attach?.readers.map(({ flag }) => flag)).toEqual([undefined, undefined]);
    const [whole, joined] = attach?.readers ?? [];
    if (!whole || !joined) throw new Error('two readers were planned');
    // A reader that joined halfway got the first half at once, and the second half together with the first reader.
    if (joined.startMs < endAt(whole)) expect(firstByteAt(joined)).toBeLessThan(endAt(whole));
    expect(endAt(joined) - endAt(whole)).toBeLessThan(whole.durationMs / 2);
    expect(attach?.origin).toHaveLength(1);
    const [range, again] = twice?.readers ?? [];
    if (!range || !again) throw new Error('two readers were planned');
    expect(twice?.origin).toHaveLength(again.startMs < endAt(range) ? 2 : 1);
    expect(twice?.readers.map(({ flag }) => flag)).toEqual([undefined, undefined]);
    expect(twice?.readers.map(({ bytes }) => bytes)).toEqual([1_500_000, 1_500_000]);
  });

  test('all outputs exist, and the table on stdout names each system', () => {
    for (const name of ['summary.json', 'systems.csv', 'report.txt', 'report.html'])
      expect(existsSync(join(out, name))).toBe(true);
    expect(existsSync(join(out, 'charts/byte-wait-0-5s.png'))).toBe(true);
    expect(ended.stdout).toContain('edge-stream');
    expect(readFileSync(join(out, 'report.txt'), 'utf8').replaceAll(/\s+/g, ' ')).toContain(
      'Slow origin, each file 0.5 s: bytes are sent 200 ms after',
    );
    expect(readFileSync(join(out, 'systems.csv'), 'utf8').split('\n')).toHaveLength(
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
  test('all problems are reported at once, with exit code 2', async () => {
    const wrong = ['--systems', 'squid', '--suites', '0s', '--workers', '0', '--rate', '0'];
    const { code, stderr } = await cachescope('fill', ...wrong);
    expect(code).toBe(2);
    for (const part of ['"squid"', '"0s"', '--workers is "0"', '--rate is not an option of fill'])
      expect(stderr).toContain(part);
  });

  test('a binary that is not nginx is refused', async () => {
    const { code, stderr } = await cachescope('fill', '--nginx', '/bin/true');
    expect(stderr).toContain('/bin/true -v does not say that it is nginx');
    expect(code).toBe(2);
  });

  test('Ctrl-C finishes the files in progress, saves, and cleans up', async () => {
    const out = join(base, 'interrupted');
    const long = [
      '--env',
      'skip',
      '--time',
      '60',
      '--workers',
      '3',
      '--size',
      '10KiB',
      '--suites',
      '0.3s',
    ];
    const words = ['fill', ...long, '--systems', 'edge-stream', '--out', out];
    const { child, ended, said, until } = start(words);
    await until(() => said().includes('edge-stream, 0.3s'));
    child.kill('SIGINT');
    expect((await ended).code).toBe(130);
    const [trial] = await trialsOf(out);
    expect(trial?.cutShort).toBe(true);
    // At least the first file of each reader.
    expect(trial?.requests.length).toBeGreaterThanOrEqual(3);
    expect(trial?.requests.filter(({ flag }) => flag)).toEqual([]);
    expect((await readRunOf('fill', out)).run).toMatchObject({ statusReason: 'interrupted' });
  });
});
