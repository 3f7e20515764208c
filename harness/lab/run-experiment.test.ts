import { afterEach, beforeEach, expect, type MockInstance, test, vi } from 'vitest';
import { madeUpExperiment } from '../experiments/made-up-experiment.ts';
import { experimentCommand } from './run-experiment.ts';

let stdout: MockInstance;
beforeEach(() => {
  stdout = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterEach(() => {
  stdout.mockRestore();
  process.exitCode = undefined;
});

const run = (...words: string[]) =>
  experimentCommand(madeUpExperiment()).parseAsync(words, { from: 'user' });

test('a dry run shows the plan, and measures nothing', async () => {
  const thrown = vi.fn<() => void>();
  const command = experimentCommand(madeUpExperiment(thrown));
  await command.parseAsync(['--throws', '5', '--dry-run'], { from: 'user' });
  expect(stdout.mock.calls).toEqual([['Throws  5\n']]);
  expect(process.exitCode).toBe(0);
  expect(thrown).not.toHaveBeenCalled();
});

test('all problems of a command line are reported at once: own options, shared ones, and unknown arguments', async () => {
  const error: unknown = await run(
    '--throws',
    '7',
    '--env',
    'x',
    '--seed',
    '-',
    '--die',
    'y',
  ).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'CS_USAGE', exitCode: 2 });
  for (const part of [
    '--throws is "7"; it must be a whole number from 1 to 6',
    '--env is "x"',
    '--seed is "-"',
    '--die is not an option of made-up',
    'y is one argument too many',
  ])
    expect(String(error)).toContain(part);
});

test('its help lists its own options, then the shared ones, with their defaults', () => {
  const help = experimentCommand(madeUpExperiment()).helpInformation();
  expect(help).toMatch(/--throws <n> +throws of the die \(default: "3"\)/);
  expect(help).toContain('results/<time>_made-up');
  expect(help.indexOf('--throws')).toBeLessThan(help.indexOf('--seed'));
  for (const flag of ['--out', '--seed', '--json', '--env', '--wait', '--browser', '--dry-run'])
    expect(help).toContain(flag);
});
