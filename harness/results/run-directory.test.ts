import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { savedSweep, type SweepRun } from '@cachescope/model/sweep/run.ts';
import type { Sample } from '@cachescope/model/run/sample.ts';
import { afterAll, expect, test } from 'vitest';
import { compactTime, readRunDirectory, readRunOf, RunDirectory } from './run-directory.ts';

const base = mkdtempSync(join(tmpdir(), 'cachescope-test-'));
afterAll(() => rmSync(base, { recursive: true }));

const run: SweepRun = {
  schemaVersion: 1,
  tool: { name: 'cachescope', version: '0.1.0' },
  experiment: 'sweep',
  status: 'running',
  startedAt: '2026-11-20T23:00:00.000Z',
  commandLine: ['sweep'],
  plan: {
    arms: ['br', 'dcb'],
    delaysMs: [0, 5],
    storage: 'nbd-delay',
    delayWrites: false,
    samplesPerCell: 1,
    launchesPerPoint: 1,
    seed: 1,
    workload: { name: 'w', title: 'W', resourceBytes: 1, resourceSha256: 'ab', dictionaryBytes: 1 },
  },
  environment: {
    chromium: { version: 'Chrome/156', path: '/usr/bin/chromium', flags: [] },
    node: 'v26',
    kernel: '6',
    os: 'Debian',
    cpu: 'c',
    cores: 2,
    memoryBytes: 1,
    storage: 's',
    timerStepMs: null,
  },
  stored: [],
  proofs: [],
  warnings: [],
};

const sample: Sample = {
  sequence: 0,
  cell: { arm: 'dcb', storage: 'nbd-delay', delayMs: 5 },
  launch: 0,
  attempt: 1,
  takenAt: '2026-11-20T23:00:01.000Z',
  kind: 'timed',
  readMs: 61.2,
  timing: null,
  attribution: { source: 'disk', confidence: 'likely', reasons: ['deliveryType is cache'] },
  originRequests: 0,
  device: null,
  bodyBytes: 1,
  bodySha256: 'ab',
  flags: [],
};

async function written(name: string): Promise<string> {
  const path = join(base, name);
  const directory = await RunDirectory.create(path, savedSweep);
  await directory.writeRun(run);
  await directory.append(sample);
  await directory.close();
  return path;
}

test('a written run is read back unchanged', async () => {
  const path = await written('whole');
  expect(await readRunDirectory(path)).toEqual({ run, samples: [sample] });
});

test('a line cut off by a crash is skipped and counted; the samples before it stay', async () => {
  const path = await written('cut');
  appendFileSync(join(path, 'samples.ndjson'), JSON.stringify(sample).slice(0, 40));
  const read = await readRunOf('sweep', path);
  expect(read.samples).toEqual([sample]);
  expect(read.run.warnings).toEqual([
    expect.stringMatching(/^1 line of samples\.ndjson could not be used and was excluded: /),
  ]);
});

test('an existing run is never overwritten', async () => {
  const path = await written('twice');
  await expect(RunDirectory.create(path, savedSweep)).rejects.toMatchObject({
    code: 'CS_OUT_EXISTS',
    exitCode: 2,
  });
});

test.each([
  ['nothing there', null, 'no run.json'],
  ['no JSON', 'hello', 'is not JSON'],
  [
    'another schema version',
    JSON.stringify({ ...run, schemaVersion: 9 }),
    'schema version 9, this Cachescope reads version 1',
  ],
  ['a field missing', JSON.stringify({ ...run, proofs: undefined }), 'proofs'],
])('a directory with %s is refused with the reason', async (name, content, reason) => {
  const path = await written(name.replaceAll(' ', '-'));
  rmSync(join(path, 'run.json'));
  if (content !== null) writeFileSync(join(path, 'run.json'), content);
  await expect(readRunDirectory(path)).rejects.toThrow(reason);
});

test('the classic file names contain the time without separators', () => {
  expect(compactTime('2025-11-30T10:54:49.123Z')).toBe('20251130-105449');
  expect(compactTime('x/../../evil')).toBe('-');
});

test('only its owner can read a run', async () => {
  const path = await written('modes');
  expect(statSync(path).mode & 0o777).toBe(0o700);
  for (const name of ['run.json', 'samples.ndjson'])
    expect(statSync(join(path, name)).mode & 0o777).toBe(0o600);
});

test.each(['run.json', 'samples.ndjson'])(
  'the target of a link %s is neither read nor written, and a FIFO does not block the reader',
  async (name) => {
    const path = await written(`linked-${name}`);
    const target = join(base, `target of ${name}`);
    renameSync(join(path, name), target);
    symlinkSync(target, join(path, name));
    const before = readFileSync(target, 'utf8');
    await expect(readRunDirectory(path)).rejects.toThrow('is a symbolic link');
    const directory = RunDirectory.reopen(path, savedSweep);
    if (name === 'run.json') await directory.writeRun({ ...run, status: 'partial' });
    else await expect(directory.append(sample)).rejects.toThrow('ELOOP');
    expect(readFileSync(target, 'utf8')).toBe(before);
    rmSync(join(path, name));
    execFileSync('mkfifo', [join(path, name)]);
    await expect(readRunDirectory(path)).rejects.toThrow('is a FIFO');
  },
);

test('a run whose directory was moved writes nothing to the one that has its path now', async () => {
  const path = join(base, 'moved');
  const directory = await RunDirectory.create(path, { ...savedSweep, besideFile: 'beside.ndjson' });
  await directory.append(sample);
  renameSync(path, `${path}-aside`);
  mkdirSync(path);
  for (const write of [
    () => directory.append(sample),
    () => directory.appendBeside(sample),
    () => directory.writeRun(run),
    () => directory.write('summary.json', '{}'),
  ])
    await expect(write()).rejects.toMatchObject({ code: 'CS_RUN_MOVED', exitCode: 1 });
  await directory.close();
  expect(readdirSync(path)).toEqual([]);
  writeFileSync(join(path, 'run.json'), JSON.stringify(run));
  expect(() => directory.markStopped('stopped')).toThrow('is no longer the directory of this run');
  expect(existsSync(join(`${path}-aside`, 'samples.ndjson'))).toBe(true);
});

test('a run that is stopped is partial; one that has ended stays complete', async () => {
  const path = join(base, 'stopped');
  const directory = await RunDirectory.create(path, savedSweep);
  const saved = async () => (await readRunDirectory(path)).run;
  await directory.writeRun(run);
  directory.markStopped('stopped immediately');
  expect(await saved()).toMatchObject({ status: 'partial', statusReason: 'stopped immediately' });
  await directory.writeRun({ ...run, status: 'complete' });
  directory.markStopped('stopped immediately');
  expect((await saved()).status).toBe('complete');
});
