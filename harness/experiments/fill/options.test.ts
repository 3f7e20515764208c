import { fillSystems } from '@cachescope/model/fill/plan.ts';
import { expect, test } from 'vitest';
import type { OptionTexts } from '../../options/option-table.ts';
import { plannedMs } from './experiment.ts';
import { fillOptions } from './options.ts';

const read = (texts: OptionTexts) => fillOptions.read(texts);

test('the defaults are those of the benchmark: 100 readers, 30 s, 30 MiB, three suites', () => {
  const { asked, problems } = read({});
  expect(problems).toEqual([]);
  expect(asked.plan).toMatchObject({
    workers: 100,
    timeMs: 30_000,
    fileBytes: 31_457_280,
    suites: [
      { name: 'full', fileMs: 0 },
      { name: '1s', fileMs: 1000 },
      { name: '3s', fileMs: 3000 },
    ],
  });
  expect(asked.plan.systems).toContain('edge-stream');
  expect(asked.plan.systems).not.toContain('nginx-tempfiles');
  expect(read({ nginx: '/nginx' }).asked.plan.systems).toContain('nginx-tempfiles');
});

test('over a link a trial lasts until it has carried the files of all readers', () => {
  const plan = (texts: OptionTexts) => read({ systems: 'edge-lock', ...texts }).asked.plan;
  const overLoopbackMs = plannedMs(plan({}));
  expect(overLoopbackMs).toBe(30_000 + 31_000 + 33_000);
  // 100 files of 30 MiB at 50 Mbit/s, for each of three suites.
  const carriedMs = (100 * 31_457_280 * 8) / 50_000;
  const limited = plannedMs(plan({ link: '20ms,50Mbit/s' }));
  expect(limited).toBeCloseTo(3 * (30_000 + carriedMs));
  expect(plannedMs(plan({ link: '20ms' }))).toBe(overLoopbackMs);
});

test('the name of a kind selects its systems, and no system is selected twice', () => {
  const { asked } = read({ systems: 'edge,edge-lock,origin' });
  expect(asked.plan.systems).toEqual(['edge-pass', 'edge-lock', 'edge-stream', 'origin']);
  expect(asked.plan.questions).toEqual([]);
  const { plan } = read({ systems: 'browser' }).asked;
  expect(plan.questions).toContain('lock-timeout');
  expect(plan.systems).toEqual(fillSystems.filter((system) => system.startsWith('browser')));
});

test.each(['toString', 'constructor', '__proto__'])('%s is not a system', (name) => {
  const { asked, problems } = read({ systems: `edge-lock,${name}` });
  expect(problems).toEqual([expect.stringContaining(`--systems names "${name}"; known are`)]);
  expect(asked.plan.systems).toEqual(['edge-lock']);
});

test('all problems are reported together, each with its rule', () => {
  const { problems } = read({
    systems: 'squid,nginx-tempfiles,browser',
    suites: '0s,full,full,fast',
    time: '0',
    workers: '10001',
    size: '3GiB',
    rounds: 'x',
    questions: 'why',
  });
  const text = problems.join('\n');
  for (const part of [
    '--systems names "squid"; known are nginx, edge, browser, origin,',
    'nginx-tempfiles, which need a patched binary: --nginx PATH',
    '--suites: full, or the time of a file, is "0s"; it must be a time',
    '--suites: full, or the time of a file, is "fast"',
    'names a suite twice',
    '--time is "0"',
    '--workers is "10001"; it must be a whole number from 1 to 10000',
    '--size is "3GiB"',
    '--rounds is "x"',
    '--questions names "why"; known are all, none, together,',
  ])
    expect(text).toContain(part);
});

test('options of Chromium are rejected without it, and a slow disk without its question', () => {
  const typed = { questions: 'attach', features: 'sql-wal', storage: 'nbd-live' };
  expect(read({ ...typed, systems: 'origin' }).problems).toEqual([
    '--questions, --features: only with the system browser',
    '--storage: only for the question slow-disk',
  ]);
  expect(read({ ...typed, questions: 'slow-disk' }).problems).toEqual([]);
  expect(read({ nginx: '/nginx', systems: 'edge,browser' }).problems).toEqual([
    '--nginx: only with a system of a patched nginx',
  ]);
});
