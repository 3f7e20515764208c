import { expect, test } from 'vitest';
import { readCommonLog } from './common-log.ts';

const host = '127.0.0.1 - frank';

test('reads the example of the documentation, with its time zone', () => {
  const { requests, malformed } = readCommonLog([
    `${host} [10/Oct/2000:13:55:36 -0700] "GET /apache_pb.gif HTTP/1.0" 200 2326`,
    `::1 - - [10/Oct/2000:20:55:38 +0000] "GET /b HTTP/1.1" 304 - "http://referer/" "Agent \\"x\\""\r`,
  ]);
  expect(malformed).toBe(0);
  expect(requests).toEqual([
    { atMs: 0, url: '/apache_pb.gif', bytes: 2326 },
    { atMs: 2000, url: '/b', bytes: null },
  ]);
});

test('a response without its own body does not give the size', () => {
  const line = (status: string) =>
    `${host} [10/Oct/2000:13:55:36 +0000] "GET /a HTTP/1.1" ${status}`;
  const { requests } = readCommonLog([line('304 0'), line('304 187'), line('200 0')]);
  expect(requests.map(({ bytes }) => bytes)).toEqual([null, null, 0]);
});

test('requests of one second are spread over it, and lines are sorted by time', () => {
  const line = (second: string, url: string) =>
    `${host} [10/Oct/2000:13:55:${second} +0000] "GET ${url} HTTP/1.1" 200 1`;
  const { requests } = readCommonLog([
    line('07', '/c'),
    line('06', '/a'),
    line('07', '/d'),
    line('06', '/b'),
  ]);
  expect(requests.map(({ atMs, url }) => [atMs, url])).toEqual([
    [0, '/a'],
    [500, '/b'],
    [1000, '/c'],
    [1500, '/d'],
  ]);
});

test('malformed lines are counted, and the first one is reported; other methods are counted separately', () => {
  const traffic = readCommonLog([
    '',
    `${host} [10/Oct/2000:13:55:36 +0000] "POST /form HTTP/1.1" 200 1`,
    'nonsense',
    `${host} [31/Feb/2000:13:55:36 +0000] "GET /never HTTP/1.1" 200 1`,
    `${host} [10/Okt/2000:13:55:36 +0000] "GET /month HTTP/1.1" 200 1`,
    `${host} [10/Oct/2000:13:55:36 +0000] "GET /cut`,
    `${host} [10/Oct/2000:13:55:36 +0000] "\\x16\\x03\\x01" 400 1`,
  ]);
  expect(traffic).toMatchObject({ requests: [], otherMethods: 1, malformed: 5 });
  expect(traffic.firstMalformed).toBe('line 3 is not a line of the Common Log Format: "nonsense"');
});
