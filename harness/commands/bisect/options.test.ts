import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bisectOptions, readSteps } from './options.ts';

const { execPath } = process;
let base: string;
beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), 'cs-bisect-'));
  writeFileSync(join(base, 'old'), '', { mode: 0o755 });
  writeFileSync(join(base, 'plain'), '', { mode: 0o644 });
});
afterAll(() => rmSync(base, { recursive: true }));

function listed(text: string): { steps: ReturnType<typeof readSteps>; problems: string[] } {
  const problems: string[] = [];
  writeFileSync(join(base, 'list.txt'), text);
  return { steps: readSteps(join(base, 'list.txt'), problems), problems };
}

test('a line is a path or COMMIT: PATH; paths are relative to the folder of the list', () => {
  const { steps, problems } = listed(`# oldest first\n./old\n\nabc123: ${execPath}\n`);
  expect(problems).toEqual([]);
  expect(steps).toEqual([
    { name: 'step1', browser: join(base, 'old') },
    { name: 'abc123', browser: execPath },
  ]);
});

test('all problems of a list are reported at once', () => {
  const { problems } = listed(`a: ./nowhere\na: ./plain\nb c: ${execPath}\n`);
  expect(problems).toEqual([
    expect.stringContaining('nowhere is not there'),
    expect.stringContaining('plain is not there, or cannot be started'),
    expect.stringContaining('is not there'),
    expect.stringContaining('has a twice'),
  ]);
  expect(listed('# nothing\n').problems).toEqual([expect.stringContaining('names 0 browsers')]);
});

const two = { against: execPath, of: execPath };

test('two browsers are for git bisect run, and cannot be combined with a list', () => {
  expect(bisectOptions.read(two).asked).toMatchObject({
    forGit: true,
    margin: 0.05,
    precision: 0.0125,
    sweep: ['--delays', '5', '--arms', 'dcb', '--samples', '20'],
  });
  expect(bisectOptions.read({ ...two, variantsFrom: 'x' }).problems).toHaveLength(1);
  expect(bisectOptions.read({}).problems).toEqual([expect.stringContaining('name a list')]);
});

test('without a slow device the sweep has no delay, unless one is named', () => {
  const none = { ...two, storage: 'none' };
  expect(bisectOptions.read(none).asked?.sweep).not.toContain('--delays');
  const named = bisectOptions.read({ ...none, delays: '20' }).asked?.sweep.join(' ');
  expect(named).toContain('--delays 20');
});

test('an invalid gate and an invalid time are reported together', () => {
  const wrong = { ...two, gate: 'joy', maxTime: '10' };
  expect(bisectOptions.read(wrong).problems).toHaveLength(2);
});

test('a gate without a limit uses the least margin; a limit below it is refused', () => {
  expect(bisectOptions.read({ ...two, gate: 'slower' }).asked?.margin).toBe(0.005);
  expect(bisectOptions.read({ ...two, gate: 'slower:0.2%' }).problems).toEqual([
    expect.stringContaining('its limit must be 0.5% or more'),
  ]);
});

test('a limit and a time that the sweeps would refuse are refused', () => {
  expect(bisectOptions.read({ ...two, gate: 'slower:50%', maxTime: '250h' }).problems).toEqual([]);
  expect(bisectOptions.read({ ...two, gate: 'slower:60%' }).problems).toEqual([
    expect.stringContaining('its limit must be 50% or less'),
  ]);
  expect(bisectOptions.read({ ...two, maxTime: '251h' }).problems).toEqual([
    expect.stringContaining('--max-time'),
  ]);
});
