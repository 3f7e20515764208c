import { expect, test } from 'vitest';
import type { Observation } from './observation.ts';
import { foldHops } from './redirect-hop.ts';

function entry(key: string, path: string, atMs: number, more: object = {}): Observation {
  return {
    witness: 'devtools',
    key,
    tabId: 1,
    url: `https://a.example/${path}`,
    startedAtMs: 1000 + atMs,
    endedAtMs: 1010 + atMs,
    context: 'unknown',
    facts: { status: 200 },
    evidence: { status: 200, transferSize: 300, fetchedViaServiceWorker: false },
    ...more,
  };
}
function hop(key: string, path: string, to: string, atMs: number): Observation {
  const evidence = { status: 302, transferSize: 100, fetchedViaServiceWorker: false };
  const redirectsTo = `https://a.example/${to}`;
  return entry(key, path, atMs, { redirectsTo, evidence, facts: { status: 302 } });
}

test('a redirect chain is one use: first URL, final response, every hop kept', () => {
  const chain = [hop('1', 'a', 'b', 0), hop('2', 'b', 'c', 10), entry('3', 'c', 20)];
  const [only, ...others] = foldHops(chain.toReversed());
  expect(others).toEqual([]);
  expect(only).toMatchObject({
    url: 'https://a.example/a',
    finalUrl: 'https://a.example/c',
    startedAtMs: 1000,
    endedAtMs: 1030,
    facts: { status: 200 },
    evidence: { status: 200 },
    redirects: [
      { url: 'https://a.example/a', status: 302 },
      { url: 'https://a.example/b', status: 302 },
    ],
  });
});

test('a hop is not merged into a request of another time, nor into one of two equally near requests', () => {
  const late = [hop('1', 'a', 'b', 0), entry('2', 'b', 900)];
  expect(foldHops(late)).toHaveLength(2);
  const twice = [hop('1', 'a', 'b', 0), entry('2', 'b', 10), entry('3', 'b', 10)];
  expect(foldHops(twice)).toHaveLength(3);
});

test('other requests of the final URL stay separate', () => {
  const told = foldHops([hop('1', 'a', 'b', 0), entry('2', 'b', 10), entry('3', 'b', 200)]);
  expect(told.map(({ url }) => url)).toEqual(['https://a.example/a', 'https://a.example/b']);
});

const givenUp = {
  status: 0,
  transferSize: 0,
  fetchedViaServiceWorker: false,
  error: 'net::ERR_ABORTED',
};

test('a redirect whose target was never sent is itself the response', () => {
  const target = entry('2', 'b', 10, {
    evidence: givenUp,
    facts: { type: 'fetch', requestHeaders: [['referer', 'https://a.example/']] },
  });
  const [only, ...others] = foldHops([hop('1', 'a', 'b', 0), target]);
  expect(others).toEqual([]);
  expect(only).toMatchObject({ key: '1', evidence: { status: 302, isHanded: true } });
  expect(only).not.toHaveProperty('redirectsTo');
});

test.each(['host', ':authority'])(
  'a target given up after it was sent with %s has failed',
  (name) => {
    const target = entry('2', 'b', 10, {
      evidence: givenUp,
      facts: { type: 'fetch', requestHeaders: [[name, 'a.example']] },
    });
    const told = foldHops([hop('1', 'a', 'b', 0), target]);
    expect(told).toMatchObject([{ finalUrl: 'https://a.example/b', evidence: givenUp }]);
  },
);
