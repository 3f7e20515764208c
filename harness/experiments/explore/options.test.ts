import { expect, test } from 'vitest';
import { type RawExploreOptions, readExploreOptions } from './explore-options.ts';

const raw: RawExploreOptions = {
  delay: '10',
  url: undefined,
  headless: true,
  storage: 'auto',
  delayWrites: false,
  workload: undefined,
  browser: undefined,
  out: undefined,
};

test('all that is wrong is told at once', () => {
  const { problems } = readExploreOptions({
    ...raw,
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
    expect.stringMatching(/^--out \/proc\/x/),
    expect.stringMatching(/^--workload "nothing"/),
  ]);
});

test.each([
  ['localhost:8080/a', 'http://localhost:8080/a'],
  ['127.0.0.1:8080', 'http://127.0.0.1:8080/'],
  ['https://example.org', 'https://example.org/'],
  ['about:blank', 'about:blank'],
])('--url %s opens %s', (text, url) => {
  expect(readExploreOptions({ ...raw, url: text })).toMatchObject({
    options: { url },
    problems: [],
  });
});
