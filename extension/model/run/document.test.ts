import { expect, test } from 'vitest';
import { madeUpRun } from '../fixtures/made-up-run.ts';
import { madeUpTraced } from '../fixtures/made-up-traced.ts';
import { readRunFiles } from './document.ts';

const document = madeUpRun(2);
const whole = { name: 'report.json', text: JSON.stringify(document) };
const run = { name: 'run.json', text: JSON.stringify(document.run) };
const lines = document.samples.map((sample) => `${JSON.stringify(sample)}\n`).join('');
const samples = { name: 'samples.ndjson', text: lines };

function problemsOf(files: { name: string; text: string }[]): string[] {
  const parsed = readRunFiles(files);
  return 'problems' in parsed ? parsed.problems : [];
}

test('one document, and run.json with samples.ndjson in either order, give the same run', () => {
  expect(readRunFiles([whole])).toEqual({ value: document });
  expect(readRunFiles([run, samples])).toEqual({ value: document });
  expect(readRunFiles([samples, run])).toEqual({ value: document });
});

test('a broken line is left out and counted, at any position', () => {
  const cut = { ...samples, text: `${lines}{"sequence":9` };
  const [count] = [document.samples.length];
  const sentence = new RegExp(
    String.raw`^1 line of samples\.ndjson .* excluded: samples\.ndjson line ${count + 1} is not JSON`,
  );
  expect(readRunFiles([run, cut])).toEqual({
    value: {
      run: {
        ...document.run,
        warnings: [...document.run.warnings, expect.stringMatching(sentence)],
      },
      samples: document.samples,
    },
  });
  const [first = ''] = lines.split('\n');
  const broken = { ...samples, text: `{"sequence":9\n${first}\n{}\n${lines}` };
  const read = readRunFiles([run, broken]);
  expect(read).toMatchObject({ value: { samples: document.samples } });
  expect(read).toMatchObject({
    value: { run: { warnings: { 1: expect.stringMatching(/^3 lines of samples\.ndjson/) } } },
  });
});

test('a file with fewer lines than the run wrote is used, and the run says how many are missing', () => {
  const { length } = document.samples;
  const counted = { ...run, text: JSON.stringify({ ...document.run, lineCount: length }) };
  expect(readRunFiles([counted, samples])).toMatchObject({
    value: { run: { warnings: document.run.warnings } },
  });
  // The last line is broken, and the one before it is gone.
  const cut = { ...samples, text: lines.split('\n').slice(0, -3).join('\n') + '\n{"sequence":9' };
  const sentence = `samples.ndjson lacks 1 of the ${length} lines that the run wrote: it was cut or changed. Copy it again.`;
  expect(readRunFiles([counted, cut])).toMatchObject({
    value: {
      run: {
        // So that it is neither compared nor kept as a complete one.
        status: 'partial',
        statusReason: 'samples.ndjson lacks lines',
        warnings: [...document.run.warnings, expect.stringContaining('1 line'), sentence],
      },
      samples: document.samples.slice(0, -2),
    },
  });
  const empty = { name: 'samples.ndjson', lines: [] };
  expect(readRunFiles([counted, empty])).toMatchObject({
    value: { run: { warnings: { length: document.run.warnings.length + 1 } } },
  });
  expect(readRunFiles([counted, { ...empty, readElsewhere: true }])).toMatchObject({
    value: { run: { warnings: document.run.warnings } },
  });
});

test('a number beyond any measurable value is refused in run.json, in a line and in one document', () => {
  const far = { ...document.samples[0], sequence: 9, readMs: 1e308 };
  const line = { ...samples, text: `${lines}${JSON.stringify(far)}\n` };
  expect(readRunFiles([run, line])).toMatchObject({
    value: { run: { warnings: { 1: expect.stringContaining('beyond what can be measured') } } },
  });
  const farRun = { ...document.run, plan: { ...document.run.plan, delaysMs: [-1e308] } };
  const problem = expect.stringContaining('-1e+308 is beyond what can be measured');
  const runFile = { ...run, text: JSON.stringify(farRun) };
  expect(problemsOf([runFile, samples])).toEqual([problem]);
  const one = { ...whole, text: JSON.stringify({ ...document, run: farRun }) };
  expect(problemsOf([one])).toEqual([problem]);
});

test('a plan with an arm twice, and a launch below 0, are refused', () => {
  const arms = Array.from({ length: 10_000 }, () => 'br');
  const twice = { ...document.run, plan: { ...document.run.plan, arms } };
  expect(problemsOf([{ ...run, text: JSON.stringify(twice) }, samples])).toEqual([
    expect.stringContaining('an arm is listed twice'),
  ]);
  const below = { ...document.samples[0], sequence: 9, launch: -1 };
  const line = { ...samples, text: `${lines}${JSON.stringify(below)}\n` };
  expect(readRunFiles([run, line])).toMatchObject({
    value: { run: { warnings: { 1: expect.stringContaining('launch') } } },
  });
});

test('all problems of both files are reported at once, each with its place', () => {
  const badRun = { ...document.run, status: 'odd', warnings: 'none' };
  const badSample = { ...document.samples[0], readMs: 'fast' };
  const problems = problemsOf([
    { name: 'run.json', text: JSON.stringify(badRun) },
    { name: 'samples.ndjson', text: `${JSON.stringify(badSample)}\n` },
  ]);
  expect(problems).toHaveLength(3);
  expect(problems[0]).toMatch(/^run\.json: status: .*"complete"/);
  expect(problems[1]).toMatch(/^run\.json: warnings: .*array/);
  expect(problems[2]).toMatch(/^samples\.ndjson line 1: readMs: .*number/);
});

test('an unsupported schema version is reported alone', () => {
  const other = { ...document, run: { schemaVersion: 99, everything: 'else' } };
  expect(problemsOf([{ name: 'new.json', text: JSON.stringify(other) }])).toEqual([
    'new.json has schema version 99, this Cachescope reads version 1. Open it with the version that wrote it.',
  ]);
});

test.each([
  ['empty', '', 'is empty'],
  ['not JSON', '{"run":', 'is not JSON'],
  ['something else', '[1, 2]', 'is not a run document'],
  ['null', 'null', 'is not a run document'],
  ['run.json alone', run.text, 'choose it together with samples.ndjson'],
])('%s', (_, text, problem) => {
  expect(problemsOf([{ name: 'file.json', text }])).toEqual([expect.stringContaining(problem)]);
});

test('files that do not form a run: the problem says which files to choose', () => {
  for (const files of [[samples], [run, run], [run, samples, samples]]) {
    expect(problemsOf(files)).toEqual([
      expect.stringContaining('run.json together with samples.ndjson'),
    ]);
  }
});

test('traced reads are read from an optional second line file; the last line of a cell counts', () => {
  const traced = [madeUpTraced('br', 5, 3), madeUpTraced('dcb', 5, 10)];
  const [first = traced[0]] = traced;
  const texts = [madeUpTraced('br', 5, 9), ...traced].map((read) => JSON.stringify(read));
  const file = { name: 'traced.ndjson', text: `${texts.join('\n')}\n{"cell":` };
  const read = readRunFiles([file, run, samples]);
  expect(read).toMatchObject({ value: { samples: document.samples } });
  if ('problems' in read || read.value.run.experiment !== 'sweep') throw new Error('no sweep');
  const { value } = read as { value: typeof document };
  expect(value.traced?.map(({ serialReads }) => serialReads)).toEqual([first?.serialReads, 10]);
  expect(value.run.warnings.at(-1)).toMatch(/^1 line of traced\.ndjson could not be used/);
});

test('a file of traced reads alone is not a run, and cannot be combined with another experiment', () => {
  const file = { name: 'traced.ndjson', text: '' };
  expect(problemsOf([run, file]).join()).toMatch(/choose one run document, or run\.json together/);
});
