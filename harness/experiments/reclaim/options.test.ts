import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { OptionTexts } from '../../options/option-table.ts';
import { reclaimOptions } from './options.ts';

const directory = mkdtempSync(join(tmpdir(), 'cachescope-test-'));
afterAll(() => rmSync(directory, { recursive: true }));

const read = (texts: OptionTexts) => reclaimOptions.read(texts);

function fileOf(name: string, text: string): string {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
}

const line = (second: number, url: string, answer = '200 500') =>
  `h - - [10/Oct/2000:13:55:${`${second}`.padStart(2, '0')} +0000] "GET ${url} HTTP/1.1" ${answer}`;

test('the defaults are the first load of the BBC Belfrage report', () => {
  const { asked, problems } = read({});
  expect(problems).toEqual([]);
  expect(asked.plan).toMatchObject({
    system: 'origin',
    rateHz: 425,
    timeMs: 1_200_000,
    traffic: { kind: 'cache-bust' },
    payloadBytes: 1024,
    limitEntries: 36_000,
    reclaimRatio: 0.3,
    policy: 'lrw',
    browser: null,
    windowMs: 1000,
  });
  expect(read({ time: '30m' }).asked.plan.windowMs).toBe(30_000);
});

test('all problems are reported together, each with its rule', () => {
  const { problems } = read({
    system: 'nginx',
    rate: '0',
    time: '20',
    traffic: '/no/such/file',
    payload: '1tb',
    coding: 'br',
    limit: '0',
    limitBytes: '4',
    ratio: '100%',
    policy: 'mru',
    window: '0s',
    margin: '0%',
    originDelay: '-1',
    seed: 'x',
  });
  const text = problems.join('\n');
  for (const part of [
    '--system is "nginx"; known are origin, chromium, chromium-memory',
    '--rate is "0"; it must be a number of requests a second from 0.1 to 100000',
    '--time is "20"',
    '--traffic is "/no/such/file"; it must be cache-bust, zipf, or a file that exists',
    '--payload is "1tb"',
    '--coding is "br"; known are identity, gzip',
    '--limit is "0"; it must be a whole number from 1',
    '--limit-bytes is "4"',
    '--ratio is "100%"; it must be a percentage with its unit, such as 3%, from 0% to 99%',
    '--policy is "mru"; known are lrw, lru, s3-fifo',
    '--window is "0s"',
    '--margin is "0%"',
    '--origin-delay is "-1"',
    '--seed is "x"',
  ])
    expect(text).toContain(part);
});

test.each(['1e6', '-425', '1000000', 'NaN', ''])('a rate of %s is rejected', (rate) => {
  expect(read({ rate }).problems).toHaveLength(1);
});

test('options of Chromium are rejected for the origin, and options of the origin for Chromium', () => {
  const ofChromium = { diskCache: 'sql', delay: '5', storage: 'nbd-delay', features: 'sql-wal' };
  expect(read(ofChromium).problems).toEqual([
    '--disk-cache, --storage, --delay: only for --system chromium',
    '--features: only for Chromium',
  ]);
  expect(read({ system: 'chromium', delay: '5' }).problems[0]).toContain('add --storage auto');
  const memory = { system: 'chromium-memory' };
  expect(read(memory).asked.plan.limitBytes).toBe(50 * 1024 ** 2);
  expect(read({ ...memory, limitBytes: '64MiB' }).problems[0]).toContain(
    'ignores --disk-cache-size',
  );
  const browser = read({ system: 'chromium', limit: '10', ratio: '30%', policy: 'lru' });
  expect(browser.problems).toEqual([
    "--limit, --ratio, --policy: only for --system origin; Chromium's cache has only --limit-bytes",
  ]);
  const { asked, problems } = read({ system: 'chromium', diskCache: 'sql', limitBytes: '8MiB' });
  expect(problems).toEqual([]);
  expect(asked.plan).toMatchObject({
    limitEntries: null,
    limitBytes: 8 * 1024 ** 2,
    policy: null,
    browser: { backEnd: 'sql' },
  });
});

test('options of other traffic are rejected', () => {
  const zipf = { skew: '1', hitRate: '20%', population: '9' };
  expect(read({ ...zipf, speed: '2', share: '50%' }).problems).toEqual([
    '--skew, --hit-rate, --population: only for --traffic zipf',
    '--speed, --share: only for a replay',
  ]);
  expect(read({ ...zipf, traffic: 'zipf' }).problems).toEqual([
    '--hit-rate: --population excludes it',
  ]);
  const traffic = fileOf('rate.log', 'h - - [10/Oct/2000:13:55:00 +0000] "GET / HTTP/1.1" 200 9');
  expect(read({ traffic, rate: '9' }).problems).toEqual([
    '--rate: a replay has the times of the log; use --speed',
  ]);
});

test('zipf: the population is computed from the hit rate, or given', () => {
  const { asked } = read({ traffic: 'zipf', time: '5m', limit: '5000' });
  expect(asked.plan.traffic).toMatchObject({ kind: 'zipf', skew: 0.8, wantedHitRate: 0.34 });
  expect(read({ traffic: 'zipf', population: '77' }).asked.plan.traffic).toMatchObject({
    population: 77,
    wantedHitRate: null,
  });
  expect(read({ traffic: 'zipf', skew: '3', hitRate: '1%' }).problems[0]).toContain(
    '--hit-rate 1% cannot be reached',
  );
});

test('a replay takes its rate and time from the log, and counts the lines that could not be read', () => {
  const path = fileOf(
    'access.log',
    [line(0, '/a'), 'broken', line(0, '/b'), line(4, '/a')].join('\n'),
  );
  const { asked, problems } = read({ traffic: path, speed: '2', payload: 'recorded' });
  expect(problems).toEqual([]);
  expect(asked.replay.map(({ dueMs, key }) => [dueMs, key])).toEqual([
    [0, 'u0'],
    [250, 'u1'],
    [2000, 'u0'],
  ]);
  expect(asked.plan.traffic).toMatchObject({
    file: 'access.log',
    recorded: 3,
    planned: 3,
    malformed: 1,
  });
  expect(asked.plan).toMatchObject({ timeMs: 2001, payloadBytes: null });
  expect(read({ traffic: path, time: '1s' }).asked.replay).toHaveLength(2);
  expect(asked.plan.rateHz).toBeCloseTo(3 / 2.001, 6);
});

test('with recorded sizes a URL is one item, and lines without a valid item are left out', () => {
  const lines = [
    line(0, '/a', '304 0'),
    line(1, '/a', '200 500'),
    line(2, '/a', '206 20'),
    line(3, '/big', '200 90000000'),
    'broken',
  ];
  const traffic = fileOf('sizes.log', lines.join('\n'));
  const { asked, problems } = read({ traffic, payload: 'recorded' });
  expect(problems).toEqual([]);
  const items = asked.replay.map(({ key, bytes }) => `${key}/${bytes}`);
  expect(items).toEqual(['u0/500', 'u0/500', 'u0/500']);
  expect(asked.plan.traffic).toMatchObject({ recorded: 3, planned: 3, malformed: 2 });
  // Without --payload recorded, an unusable size excludes no line.
  expect(read({ traffic }).asked.plan.traffic).toMatchObject({ recorded: 4, malformed: 1 });
  const big = fileOf('big.log', lines[3] ?? '');
  expect(read({ traffic: big, payload: 'recorded' }).problems).toEqual([
    '--payload recorded: big.log holds no request with a size that can be served; "/big" has 90000000 bytes; it must be a whole number up to 67108864',
  ]);
});

test('the delay of the origin must be shorter than the response timeout', () => {
  expect(read({ originDelay: '25000' }).problems).toEqual([]);
  expect(read({ originDelay: '40000' }).problems).toEqual([
    '--origin-delay is "40000"; it must be a time such as 250ms, 30s or 20m, from 0ms to 25000ms; a number alone is in ms: a request without an answer after 30 s has failed',
  ]);
});

test('a file without traffic is rejected, with the first line that could not be read', () => {
  expect(read({ traffic: fileOf('x.log', 'a\nb\n') }).problems[0]).toContain(
    'holds no GET request (other methods: 0, not usable: 2; line 1 is not a line',
  );
  expect(read({ traffic: fileOf('x.har', '{"log": {}}') }).problems[0]).toContain('log.entries');
  expect(read({ traffic: fileOf('y.har', '{"log": ') }).problems[0]).toContain('is not JSON');
  const jsonLines = fileOf('json.log', '{"request":{"uri":"/"}}\n{"request":{"uri":"/"}}\n');
  expect(read({ traffic: jsonLines }).problems[0]).toMatch(
    /JSON Lines; it must be a HAR or a log in the common or combined log format$/,
  );
  expect(read({ traffic: directory }).problems[0]).toContain('is a directory');
  expect(read({ payload: 'recorded' }).problems[0]).toContain('--payload recorded is for a replay');
});
