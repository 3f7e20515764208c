import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RawBisectOptions, readBisectOptions, readSteps } from './options.ts';

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

const raw: RawBisectOptions = {
  gate: 'any:5%',
  maxTime: '10m',
  arms: 'dcb',
  samples: '20',
};

test('two browsers are for git bisect run, and cannot be combined with a list', () => {
  const two = { ...raw, against: execPath, of: execPath };
  expect(readBisectOptions(two).options).toMatchObject({
    forGit: true,
    margin: 0.05,
    precision: 0.0125,
    sweep: ['--delays', '5', '--arms', 'dcb', '--samples', '20'],
  });
  expect(readBisectOptions({ ...two, variantsFrom: 'x' }).problems).toHaveLength(1);
  expect(readBisectOptions(raw).problems).toEqual([expect.stringContaining('name a list')]);
});

test('without a slow device the sweep has no delay, unless one is named', () => {
  const none = { ...raw, against: execPath, of: execPath, storage: 'none' };
  expect(readBisectOptions(none).options?.sweep).not.toContain('--delays');
  const named = readBisectOptions({ ...none, delays: '20' }).options?.sweep.join(' ');
  expect(named).toContain('--delays 20');
});

test('an invalid gate and an invalid time are reported together', () => {
  const wrong = { ...raw, against: execPath, of: execPath, gate: 'joy', maxTime: '10' };
  expect(readBisectOptions(wrong).problems).toHaveLength(2);
});

test('a gate without a limit uses the least margin; a limit below it is refused', () => {
  const two = { ...raw, against: execPath, of: execPath };
  expect(readBisectOptions({ ...two, gate: 'slower' }).options?.margin).toBe(0.005);
  expect(readBisectOptions({ ...two, gate: 'slower:0.2%' }).problems).toEqual([
    expect.stringContaining('its limit must be 0.5% or more'),
  ]);
});

test('a limit and a time that the sweeps would refuse are refused', () => {
  const two = { ...raw, against: execPath, of: execPath };
  expect(readBisectOptions({ ...two, gate: 'slower:50%', maxTime: '250h' }).problems).toEqual([]);
  expect(readBisectOptions({ ...two, gate: 'slower:60%' }).problems).toEqual([
    expect.stringContaining('its limit must be 50% or less'),
  ]);
  expect(readBisectOptions({ ...two, maxTime: '251h' }).problems).toEqual([
    expect.stringContaining('--max-time'),
  ]);
});
