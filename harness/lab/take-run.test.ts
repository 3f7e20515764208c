import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MachineLoad } from '@cachescope/model/run/machine-load.ts';
import type { RunBase } from '@cachescope/model/run/base.ts';
import { afterAll, expect, test, vi } from 'vitest';
import { madeUpExperiment } from '../experiments/made-up-experiment.ts';
import { createPrivilege } from '../privilege.ts';
import { Progress } from './progress.ts';
import { takeRun } from './take-run.ts';

// A separate state directory: no other journal is touched.
const base = mkdtempSync(join(tmpdir(), 'cachescope-take-run-test-'));
vi.stubEnv('XDG_STATE_HOME', join(base, 'state'));
vi.stubEnv('TMPDIR', base);
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(base, { recursive: true });
});

/** A fake place that records what is written, and the status of each run.json. */
function madeUpPlace() {
  const written: string[] = [];
  const said: string[] = [];
  const interrupt = { requested: false };
  const directory = {
    path: base,
    append: async (line: object) => void written.push(JSON.stringify(line)),
    appendBeside: async (line: object) => void written.push(`beside ${JSON.stringify(line)}`),
    writeRun: async ({ status }: RunBase) => void written.push(status),
    close: async () => void written.push('closed'),
  };
  const machine = {
    before: [],
    warnings: ['the machine is small'],
    rule: 'warn' as const,
    record: null,
    lookAgain: async () => ({ after: [], warnings: ['the machine grew hot'] }),
  };
  const place = {
    directory,
    interrupt,
    machine,
    commandLine: ['made-up'],
    toolVersion: '0.0.0',
    privilege: createPrivilege({ dryRun: false, say: () => undefined }),
    progress: new Progress(3, { write: (text) => said.push(text) }),
    extensionDirectory: '',
  };
  return { place, written, said, interrupt };
}

const found = { plan: { throws: 3 }, chromiumPath: '', storage: 'none' as const };

test('a run is complete when everything is taken: each line is on disk before the next, then the end, then the clean-up', async () => {
  const { place, written, said } = madeUpPlace();
  const { document, cleanUpError } = await takeRun(madeUpExperiment(), found, place);
  expect(cleanUpError).toBeNull();
  expect(document.throws.map(({ pips }) => pips)).toEqual([1, 2, 3]);
  const [one, two, three] = document.throws.map((line) => JSON.stringify(line));
  const running = 'running';
  expect(written).toEqual([
    running,
    one,
    running,
    two,
    running,
    three,
    running,
    'complete',
    'closed',
  ]);
  expect(document.run).toMatchObject({
    experiment: 'made-up',
    plan: { throws: 3 },
    status: 'complete',
    timeSpent: { measuringMs: 6 },
    lineCount: 3,
    machine: { before: [], after: [] },
    warnings: ['the machine is small', 'the machine grew hot'],
  });
  expect(document.run).not.toHaveProperty('statusReason');
  expect(Date.parse(document.run.endedAt ?? '')).toBeGreaterThanOrEqual(
    Date.parse(document.run.startedAt),
  );
  expect(said).toContain('2 of 3: throw 1\n');
});

test('a part of the plan that the machine cannot take is in run.json, with a warning', async () => {
  const lacks = { ...found, leftOut: ['loaded dice'] };
  const { document } = await takeRun(madeUpExperiment(), lacks, madeUpPlace().place);
  expect(document.run).toMatchObject({ status: 'complete', leftOut: ['loaded dice'] });
  expect(document.run.warnings).toContain(
    'This machine cannot take a part of the plan: loaded dice.',
  );
});

test('an interrupt lets the current step finish, and starts no other', async () => {
  const { place, interrupt } = madeUpPlace();
  const experiment = madeUpExperiment((sequence) => (interrupt.requested = sequence === 1));
  const { document } = await takeRun(experiment, found, place);
  expect(document.throws).toHaveLength(2);
  expect(document.run).toMatchObject({
    status: 'partial',
    statusReason: 'interrupted',
    lineCount: 2,
  });
});

/** Records one span of a busy machine at each measurement. */
function recordBusy(spanMs: number) {
  return (loads: MachineLoad[]) => {
    const span = { startedAt: '2026-11-20T23:00:00Z', spanMs, measuringMs: 1, othersShare: 0.9 };
    const rest = { stealShare: 0, cpuPressure: 0.2, memoryPressure: 0 };
    const note = () => loads.push({ ...span, ...rest, loadAverage: 9, clockJumpMs: 0 }) > 0;
    return { note, end: () => undefined };
  };
}

test.each([
  ['throw', 10_000, 1],
  ['throw', 5000, 2],
  ['throw', 3000, 3],
  ['warn', 10_000, 3],
] as const)(
  'under --env %s, spans of %i ms on a busy machine end a run after %i of 3 measurements',
  async (rule, spanMs, taken) => {
    const { place } = madeUpPlace();
    const machine = { ...place.machine, rule, record: recordBusy(spanMs) };
    const { document } = await takeRun(madeUpExperiment(), found, { ...place, machine });
    expect(document.throws).toHaveLength(taken);
    expect(document.run.machineLoad).toHaveLength(taken);
    expect(document.run.status).toBe(taken < 3 ? 'partial' : 'complete');
    if (taken < 3)
      expect(document.run.statusReason).toBe(
        'the machine was busy: other programs used 90 % of the processors’ time',
      );
  },
);

test('under --env skip no load is recorded', async () => {
  const { document } = await takeRun(madeUpExperiment(), found, madeUpPlace().place);
  expect(document.run).not.toHaveProperty('machineLoad');
});

test('what failed besides an interrupt is in the reason', async () => {
  const { place, interrupt } = madeUpPlace();
  const experiment = madeUpExperiment();
  const measure: typeof experiment.measure = async (session) => {
    await experiment.measure(session);
    interrupt.requested = true;
    return 'the origin ended: SIGKILL';
  };
  const { document } = await takeRun({ ...experiment, measure }, found, place);
  expect(document.run.statusReason).toBe('interrupted; the origin ended: SIGKILL');
});

test('a resumed run takes its missing samples, and records when it was resumed', async () => {
  const { place, interrupt } = madeUpPlace();
  const interrupted = madeUpExperiment((sequence) => (interrupt.requested = sequence === 0));
  const { document: saved } = await takeRun(interrupted, found, place);
  const before = saved.run.timeSpent?.totalMs ?? 0;
  const { document } = await takeRun(madeUpExperiment(), found, madeUpPlace().place, saved);
  expect(document.throws.map(({ sequence }) => sequence)).toEqual([0, 1, 2]);
  expect(document.run).toMatchObject({
    status: 'complete',
    startedAt: saved.run.startedAt,
    timeSpent: { measuringMs: 6 },
    lineCount: 3,
    resumed: [{ samples: 1 }],
  });
  expect(document.run).not.toHaveProperty('statusReason');
  expect(document.run.timeSpent?.totalMs).toBeGreaterThanOrEqual(before);
});

test('a resumed run keeps the first check of the machine, and has the warnings of both parts once', async () => {
  const finding = { id: 'governor', status: 'warning', what: '', why: '', todo: null } as const;
  const { place, interrupt } = madeUpPlace();
  const machine = { ...place.machine, before: [finding] };
  const interrupted = madeUpExperiment((sequence) => (interrupt.requested = sequence === 0));
  const { document: saved } = await takeRun(interrupted, found, { ...place, machine });
  const later = madeUpPlace().place;
  const warnings = ['the machine is small', 'the machine is busy'];
  const again = { ...later, machine: { ...later.machine, warnings } };
  const { document } = await takeRun(madeUpExperiment(), found, again, saved);
  expect(document.run.machine).toEqual({ before: [finding], after: [] });
  expect(document.run.warnings).toEqual([
    'the machine is small',
    'the machine grew hot',
    'the machine is busy',
  ]);
});

test('a run is not resumed when a condition of its results has changed', async () => {
  const { document } = await takeRun(madeUpExperiment(), found, madeUpPlace().place);
  const environment = { ...document.run.environment, storage: 'a wooden die' };
  const saved = { ...document, run: { ...document.run, environment } };
  const again = takeRun(madeUpExperiment(), found, madeUpPlace().place, saved);
  await expect(again).rejects.toMatchObject({
    code: 'CS_RESUME_CHANGED',
    exitCode: 3,
    message: expect.stringContaining('die: was a wooden die; is none'),
  });
});

test('an experiment that runs until an interrupt is complete after it', async () => {
  const { place, interrupt } = madeUpPlace();
  const experiment = madeUpExperiment(() => (interrupt.requested = true));
  const { document } = await takeRun({ ...experiment, endsByInterrupt: true }, found, place);
  expect(document.run.status).toBe('complete');
});

test('a step that fails is named, and the others are run', async () => {
  const { place } = madeUpPlace();
  const experiment = madeUpExperiment((sequence) => {
    if (sequence < 2) throw new Error('the die rolled off the table');
  });
  const { document } = await takeRun(experiment, found, place);
  expect(document.throws.map(({ sequence }) => sequence)).toEqual([2]);
  expect(document.run).toMatchObject({
    status: 'partial',
    statusReason: 'incomplete: throw 0; throw 1',
  });
  expect(document.run.warnings).toContain('throw 0: the die rolled off the table');
});

test('missing samples, or an error after the start, are the reason for a partial run', async () => {
  const experiment = madeUpExperiment();
  const { measure } = experiment;
  experiment.measure = async (session) => {
    await measure(session);
    return 'no six';
  };
  const lacking = await takeRun(experiment, found, madeUpPlace().place);
  expect(lacking.document.run).toMatchObject({ status: 'partial', statusReason: 'no six' });
  experiment.measure = async (session) => {
    await measure(session);
    throw new Error('the table broke');
  };
  const broken = await takeRun(experiment, found, madeUpPlace().place);
  expect(broken.document.run.statusReason).toBe('the table broke');
  expect(broken.document.throws).toHaveLength(3);
});

test('the error of a run that never began is thrown, and its directory closed', async () => {
  const { place, written } = madeUpPlace();
  const experiment = madeUpExperiment();
  experiment.measure = () => Promise.reject(new Error('no die'));
  await expect(takeRun(experiment, found, place)).rejects.toThrow('no die');
  expect(written).toEqual(['closed']);
});

test('a run whose first run.json cannot be written never began', async () => {
  const { place, written } = madeUpPlace();
  place.directory.writeRun = () => Promise.reject(new Error('no space left'));
  await expect(takeRun(madeUpExperiment(), found, place)).rejects.toThrow('no space left');
  expect(written).toEqual(['closed']);
});

test('a disk that is full at the end prevents the last run.json, and loses no samples', async () => {
  const { place, said } = madeUpPlace();
  const { writeRun } = place.directory;
  place.directory.writeRun = (run) =>
    run.endedAt === undefined ? writeRun(run) : Promise.reject(new Error('no space left'));
  const { document } = await takeRun(madeUpExperiment(), found, place);
  expect(document.throws).toHaveLength(3);
  expect(document.run).toMatchObject({ status: 'partial', statusReason: 'no space left' });
  expect(said.join('')).toContain('run.json could not be updated (no space left)');
});

test('an error of the clean-up is reported beside the results', async () => {
  const { place } = madeUpPlace();
  const failure = new Error('busy');
  place.directory.close = () => Promise.reject(failure);
  const { document, cleanUpError } = await takeRun(madeUpExperiment(), found, place);
  expect(cleanUpError).toBe(failure);
  expect(document.run.status).toBe('complete');
});

test('a sentence is reported once', async () => {
  const { place } = madeUpPlace();
  const experiment = madeUpExperiment();
  const { measure } = experiment;
  experiment.measure = async (session) => {
    const lacking = await measure(session);
    for (const sentence of ['it is dark', 'it is dark']) session.warn(sentence);
    return lacking;
  };
  const { run } = (await takeRun(experiment, found, place)).document;
  expect(run.warnings.filter((sentence) => sentence === 'it is dark')).toHaveLength(1);
});
