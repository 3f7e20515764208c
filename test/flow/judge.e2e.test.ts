import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { partsOf } from '@cachescope/model/judge/run.ts';
import { readRunOf } from '../../harness/results/run-directory.ts';
import { base, cachescope, expectNothingLeft } from '../command-under-test.ts';

const one = ['--situations', 'range of a stored response', '--rounds', '2', '--seed', '1'];

test('a preset that pages can tell apart is different, and breaks no safety rule', async () => {
  const out = join(base, 'different');
  const words = ['judge', '--features', 'recompress', ...one, '--gate', 'conformance'];
  const { code, stdout, stderr } = await cachescope(...words, '--out', out);
  expect(code, stderr).toBe(10);
  expect(stderr).toContain('CS_GATE');
  expect(stdout).toMatch(/^DIFFERENT: recompress breaks no further safety rule/);
  const { run, plays: lines } = await readRunOf('judge', out);
  const { plays } = partsOf(lines);
  expect(run.status).toBe('complete');
  expect(plays.map(({ round, variant }) => `${round} ${variant}`).toSorted()).toEqual(
    [0, 1].flatMap((round) => [`${round} recompress`, `${round} stock`]),
  );
  expect(plays.flatMap(({ violations }) => violations)).toEqual([]);
  // Without the features the page gets the range that it asked for.
  const pages = (variant: string) => plays.find((play) => play.variant === variant)?.page[1];
  expect([pages('stock'), pages('recompress')]).toEqual(['206 bytes=1000-1999', '200 whole']);
  expect(readFileSync(join(out, 'verdict.md'), 'utf8')).toMatch(/^# DIFFERENT: /);
  for (const name of ['report.html', 'report.txt', 'situations.csv', 'safety.csv', 'summary.json'])
    expect(existsSync(join(out, name)), name).toBe(true);
  expectNothingLeft();
});

test('a switch that Chromium does not know gets no verdict', async () => {
  const words = ['judge', '--flags', '--no-such-switch', ...one, '--gate', 'safety', '--json'];
  const { code, stdout, stderr } = await cachescope(...words, '--out', join(base, 'unknown'));
  expect(code, stderr).toBe(11);
  expect(JSON.parse(stdout)).toMatchObject({
    verdict: 'NO VERDICT',
    withheld: "no string of the browser's program is no-such-switch",
    counts: { same: 1 },
  });
});

test('the cost of another back end, with the measures of a cache with many entries', async () => {
  const out = join(base, 'cost');
  const words = ['judge', '--disk-cache', 'sql', '--parts', 'cost', '--quick', '--out', out];
  const { code, stdout, stderr } = await cachescope(...words);
  expect(code, stderr).toBe(0);
  expect(stdout).toMatch(/COST|MORE AND LESS|NO VERDICT|Inconclusive/);
  const { run, plays } = await readRunOf('judge', out);
  expect(run.status, run.statusReason ?? '').toBe('complete');
  const { readings } = partsOf(plays);
  const used = readings.filter(({ flags }) => flags.length === 0);
  for (const measure of [
    'load-time',
    'load-written',
    'hit-time',
    'stored',
    'miss-time',
    'start-time',
    'clear-time',
  ])
    for (const variant of ['stock', 'disk-cache=sql'])
      expect(
        used.some((each) => each.measure === measure && each.variant === variant),
        `${measure} ${variant}`,
      ).toBe(true);
  for (const name of ['cost.csv', 'verdict.md', 'report.html'])
    expect(existsSync(join(out, name)), name).toBe(true);
  expectNothingLeft();
});

test('problems of options are told before anything is started', async () => {
  const { code, stderr } = await cachescope('judge', '--parts', 'costs', '--gate', 'speed');
  expect(code).toBe(2);
  for (const words of ['known are conformance, cost', '--gate is "speed"', 'no change is named'])
    expect(stderr).toContain(words);
});
