import { expect, test } from 'vitest';
import { busyMachine } from '../fixtures/busy-machine.ts';
import { compareSystems, comparisonSentences, trialReadings } from './comparison.ts';
import { madeUpFillRun, madeUpQuestion, madeUpRequest, madeUpTrial } from '../fixtures/fill.ts';
import { savedFill } from './run.ts';
import { summarizeFill } from './summary.ts';

const suite = { name: '1s', fileMs: 1000 };
const lock = madeUpTrial('edge-lock', { each: { firstByteMs: 900, byteWaitMs: 950 } });
const stream = madeUpTrial('edge-stream', { sequence: 1 });
const run = madeUpFillRun(['edge-lock', 'edge-stream']);

test('a trial is one reading, with the value that the table shows', () => {
  const requests = [
    madeUpRequest({ byteWaitMs: 100 }),
    madeUpRequest({ worker: 1, byteWaitMs: 300 }),
    madeUpRequest({ file: 1, byteWaitMs: 9999, flag: 'wrong-body' }),
  ];
  const trial = madeUpTrial('origin', { sequence: 7, requests });
  expect(trialReadings([trial], 'byteWaitMs')).toEqual([{ value: 200, launch: 7 }]);
});

/** The trials in three rounds, each a little different. */
const rounds = [lock, stream].flatMap((trial) =>
  [0, 1, 2].map((round) => ({
    ...trial,
    sequence: 10 * trial.sequence + round,
    requests: trial.requests.map((request) => ({
      ...request,
      byteWaitMs: (request.byteWaitMs ?? 0) + round,
      firstByteMs: (request.firstByteMs ?? 0) + round,
    })),
  })),
);

test('three rounds decide, in a sentence; fewer say how many are needed', () => {
  const comparisons = compareSystems(rounds, suite, null);
  expect(comparisons.map(({ of, against, outcome }) => [of, against, outcome])).toEqual([
    ['edge-stream', 'edge-lock', 'DIFFERENT'],
    ['edge-stream', 'edge-lock', 'DIFFERENT'],
  ]);
  expect(comparisons[0]?.sentence).toMatch(/^edge-stream is faster than edge-lock by 44\d\.\d+ ms/);
  expect(comparisons[1]?.sentence).toContain('edge-stream is earlier with its first byte');
  const one = compareSystems([lock, stream], suite, null);
  expect(one.map(({ outcome }) => outcome)).toEqual(['UNKNOWN', 'UNKNOWN']);
  expect(comparisonSentences(one)).toEqual([
    'Not decided: edge-stream against edge-lock (byte wait, first byte). That needs at least 3 trials of each system (--rounds 3).',
  ]);
});

test('a system with flagged requests is not compared: those that succeeded may not have waited', () => {
  const failed = {
    ...stream,
    requests: stream.requests.map((request, index) =>
      index === 0 ? { ...request, flag: 'wrong-body' as const } : request,
    ),
  };
  expect(compareSystems([lock, failed], suite, null)).toEqual([]);
});

test('the finding names the cache with the shortest wait, and the number of requests to the origin', () => {
  const pass = madeUpTrial('edge-pass', { origin: { requests: 16, bytes: 16_000, durationMs: 1 } });
  const of = madeUpFillRun(['edge-pass', 'edge-lock', 'edge-stream']);
  const { finding, warnings } = summarizeFill(of, [lock, stream, pass]);
  expect(finding[0]).toContain('shortest behind edge-');
  expect(finding[1]).toBe(
    'Slow origin, each file 1 s: requests to the origin for each file: 1 (edge-lock and edge-stream), 2 (edge-pass).',
  );
  expect(warnings).toEqual([]);
});

test('the limits of the results are reported', () => {
  const busy = { client: 0.95, cache: null, origin: 0.2 };
  const told = { cacheStatus: 'MISS' };
  const lines = [
    madeUpTrial('edge-lock', { cutShort: true, each: told }),
    madeUpTrial('edge-stream', { busy, each: told }),
  ];
  const { suites, warnings } = summarizeFill(run, lines);
  expect(suites[0]?.rows.map(({ system }) => system)).toEqual(['edge-stream']);
  expect(warnings).toHaveLength(3);
  expect(warnings.join('\n')).toContain('ended edge-lock (1s) early');
  expect(warnings.join('\n')).toContain('edge-stream 1s (95 %)');
  expect(warnings.join('\n')).toContain('it forwarded 16 requests, and 8 reached the origin');
});

test('a cache with failed requests is not reported as sharing', () => {
  const failed = madeUpTrial('edge-lock', {
    each: { flag: 'failed', bytes: 0, byteWaitMs: null, firstByteMs: null },
    origin: { requests: 0, bytes: 0, durationMs: 0 },
  });
  const { finding, warnings, suites } = summarizeFill(run, [failed, stream]);
  expect(suites[0]?.rows[0]?.measures.hitRate).toBeNull();
  expect(finding[1]).toMatch(/: 1 \(edge-stream\)\.$/);
  expect(warnings).toEqual([
    'edge-lock, 1s: requests flagged and excluded: failed 16, so its hit rate is unknown and it is not compared.',
  ]);
});

test('a cache with failed requests is not named as the one with the shortest wait', () => {
  const [sound] = madeUpTrial('edge-lock', { each: { byteWaitMs: 100 } }).requests;
  const failed = { flag: 'failed', bytes: 0, byteWaitMs: null, firstByteMs: null } as const;
  const most = madeUpTrial('edge-lock', { each: failed });
  const once = { ...most, requests: most.requests.with(0, sound ?? madeUpRequest()) };
  const [best] = summarizeFill(run, [once, stream]).finding;
  expect(best).toContain('shortest behind edge-stream, 0.504 s');
  expect(best).toContain('; flagged requests exclude edge-lock;');
  expect(best).toMatch(/; 1 round cannot show that systems differ: use --rounds 3\.$/);
  expect(summarizeFill(run, [once]).finding[0]).toBe(
    'Slow origin, each file 1 s: every cache has flagged requests.',
  );
});

test('bytes that are later than any sharing explains are attributed to the machine', () => {
  const slow = madeUpTrial('edge-stream', { each: { byteWaitMs: 1600 } });
  const { warnings, finding, suites } = summarizeFill(run, [lock, slow]);
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toContain('could not keep up: edge-stream.');
  // A winner beside that warning would be one of this machine.
  const inconclusive = 'inconclusive, because this machine could not keep up';
  expect(finding[0]).toBe(`Slow origin, each file 1 s: ${inconclusive}.`);
  const sentences = suites.flatMap(({ comparisons }) => comparisons.map(({ outcome }) => outcome));
  expect(new Set(sentences)).toEqual(new Set(['UNKNOWN']));
});

test('a run without a trial says that nothing was measured', () => {
  expect(summarizeFill(run, [])).toMatchObject({ suites: [], finding: ['Nothing was measured.'] });
});

test('a saved run is read back', () => {
  const lines = [lock, { ...stream, sequence: 1 }, madeUpQuestion('attach', [{}, {}])];
  const text = lines.map((line) => JSON.stringify(line)).join('\n');
  const read = savedFill.readParts(
    { name: 'run.json', json: structuredClone(run) },
    { name: 'trials.ndjson', text: `${text}\n{"kind":"trial"` },
  );
  expect(read).toMatchObject({ value: { lines, run: { warnings: [expect.any(String)] } } });
});

test('a poor run counts requests, and does not say how long readers waited', () => {
  const lines = [madeUpQuestion('attach', [{}, {}])];
  const [calm] = summarizeFill(run, lines).answers;
  expect(calm?.sentences.join(' ')).toContain('first byte');
  const [answer] = summarizeFill({ ...run, machineLoad: [busyMachine] }, lines).answers;
  expect(answer?.sentences).toEqual([
    expect.stringMatching(
      /^Inconclusive: the machine was busy\. \d+ requests? reached the origin\.$/,
    ),
  ]);
});
