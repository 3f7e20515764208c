import { expect, test } from 'vitest';
import { fillDefaults, type RawFillOptions, readFillOptions } from './fill-options.ts';

const silent: RawFillOptions = {
  ...fillDefaults,
  headful: false,
  wait: false,
  json: false,
  dryRun: false,
};

function read(changes: Partial<RawFillOptions>) {
  return readFillOptions({ ...silent, ...changes });
}

test('a silent command line is the benchmark’s: 100 readers, 30 s, 30 MiB, three suites', () => {
  const { options, problems } = read({});
  expect(problems).toEqual([]);
  expect(options.plan).toMatchObject({
    workers: 100,
    timeMs: 30_000,
    fileBytes: 31_457_280,
    suites: [
      { name: 'full', fileMs: 0 },
      { name: '1s', fileMs: 1000 },
      { name: '3s', fileMs: 3000 },
    ],
  });
  expect(options.plan.systems).toContain('edge-stream');
  expect(options.plan.systems).not.toContain('nginx-tempfiles');
  expect(read({ nginx: '/nginx' }).options.plan.systems).toContain('nginx-tempfiles');
});

test('a kind stands for its systems, and none is taken twice', () => {
  const { options } = read({ systems: 'edge,edge-lock,origin' });
  expect(options.plan.systems).toEqual(['edge-pass', 'edge-lock', 'edge-stream', 'origin']);
  expect(options.plan.questions).toEqual([]);
  expect(read({ systems: 'browser' }).options.plan.questions).toContain('lock-timeout');
});

test.each(['toString', 'constructor', '__proto__'])('%s is no system', (name) => {
  const { options, problems } = read({ systems: `edge-lock,${name}` });
  expect(problems).toEqual([expect.stringContaining(`--systems names "${name}"; known are`)]);
  expect(options.plan.systems).toEqual(['edge-lock']);
});

test('all that is wrong is told at once, each with its rule', () => {
  const { problems } = read({
    systems: 'squid,nginx-tempfiles,browser',
    suites: '0s,full,full,fast',
    time: '0',
    workers: '10001',
    size: '3gb',
    rounds: 'x',
    questions: 'why',
  });
  const text = problems.join('\n');
  for (const part of [
    '--systems names "squid"; known are nginx, edge, browser, origin,',
    'nginx-tempfiles, which need --nginx PATH',
    '--suites names "0s"; it must be full, or how long a file takes, above 0',
    '--suites names "fast"',
    'names a suite twice',
    '--time is "0"',
    '--workers is "10001"; it must be a whole number from 1 to 10000',
    '--size is "3gb"',
    '--rounds is "x"',
    '--questions names why; known are all, none, together,',
  ])
    expect(text).toContain(part);
});
