import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { endOf, percentOption } from './measured-pair.ts';

test('a share has the decimals that an option accepts', () => {
  expect([0.07, 0.14, 0.28, 0.29, 0.55, 0.0125].map(percentOption)).toEqual([
    '7%',
    '14%',
    '28%',
    '29%',
    '55%',
    '1.25%',
  ]);
});

/** A process in place of a sweep. */
const started = (script: string) =>
  spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });

test.each([0, 3, 5, 130])('exit code %i of a sweep is kept', async (code) => {
  expect(await endOf(started(`process.exit(${code})`))).toBe(code);
});

test.each([
  ['that saves its samples', 'process.exit(130)', 130],
  ['that was complete', 'process.exit(0)', 130],
  ['that cannot undo something', 'process.exit(5)', 5],
])('an interrupt of this program only reaches a sweep %s', async (_, atInterrupt, code) => {
  const script = `process.on('SIGINT', () => { ${atInterrupt} }); setInterval(() => {}, 1000);`;
  const sweep = started(`${script} console.log('ready')`);
  const ended = endOf(sweep);
  await once(sweep.stdout, 'data');
  process.emit('SIGINT');
  expect(await ended).toBe(code);
});

test('a sweep that an interrupt ends before it listens was interrupted, and a killed one failed', async () => {
  const starting = started('setInterval(() => {}, 1000)');
  const ended = endOf(starting);
  process.emit('SIGTERM');
  expect(await ended).toBe(130);
  const killed = started('setInterval(() => {}, 1000)');
  killed.kill('SIGKILL');
  expect(await endOf(killed)).toBe(1);
});
