import { expect, test } from 'vitest';
import { exploreOptions } from './options.ts';

test('all problems are reported together', () => {
  const { problems } = exploreOptions.read({
    headless: true,
    delay: '-1',
    url: 'javascript:alert(1)',
    storage: 'tape',
    workload: 'nothing',
    out: '/proc/x',
  });
  expect(problems).toEqual([
    expect.stringMatching(/^--delay is "-1"/),
    expect.stringMatching(/^--url "javascript:alert\(1\)"/),
    expect.stringMatching(/^--storage is "tape"/),
    expect.stringMatching(/^--workload "nothing"/),
    expect.stringMatching(/^--out \/proc\/x/),
  ]);
});

test.each([
  ['localhost:8080/a', 'http://localhost:8080/a'],
  ['127.0.0.1:8080', 'http://127.0.0.1:8080/'],
  ['about:blank', 'about:blank'],
])('--url %s opens %s', (text, url) => {
  expect(exploreOptions.read({ headless: true, url: text })).toMatchObject({
    asked: { url },
    problems: [],
  });
});

test('a page of another machine is opened only with --external', () => {
  const typed = { headless: true, url: 'https://example.org' };
  expect(exploreOptions.read(typed).problems).toEqual([
    expect.stringMatching(/^--url example\.org is not this machine; --external/),
  ]);
  expect(exploreOptions.read({ ...typed, external: true })).toMatchObject({
    asked: { url: 'https://example.org/', external: true },
    problems: [],
  });
});

test('options of the slow disk are rejected without one', () => {
  const typed = { headless: true, storage: 'none' };
  expect(exploreOptions.read(typed).problems).toEqual([]);
  expect(exploreOptions.read({ ...typed, delay: '5', delayWrites: true }).problems).toEqual([
    '--delay, --delay-writes: --storage none has no slow disk',
  ]);
});
