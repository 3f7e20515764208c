import { tracedReadSchema } from '@cachescope/model/explain/traced-read.ts';
import { expect, test } from 'vitest';
import { fixtureUrl, hitEvents, inPieces, traceText } from './trace-fixture.ts';
import { type TracedEvidence, tracedReadOf } from './traced-read-of.ts';
import { tracedRequest } from './netlog-request.ts';

const read = (issueUs: number, completeUs: number) => ({
  issueUs,
  completeUs,
  offset: 0,
  bytes: 4096,
  isMetadata: false,
  isReadAhead: false,
});

/** Four reads within the hit, two of which overlap; a fifth after the last byte was served. */
const reads = [
  read(5000, 10_000),
  read(10_100, 16_000),
  read(10_200, 16_100),
  read(26_000, 34_000),
  read(50_000, 56_000),
];

async function evidence(events = hitEvents): Promise<TracedEvidence> {
  return {
    cell: { arm: 'br', storage: 'nbd-delay', delayMs: 5 },
    takenAt: '2026-11-21T00:00:00.000Z',
    backEnd: 'simple',
    result: {
      url: fixtureUrl,
      readMs: 58.9,
      status: 200,
      bodyBytes: 79_000,
      bodySha256: 'ab',
      timing: null,
      attribution: { source: 'disk', confidence: 'likely', reasons: [] },
    },
    resourceSha256: 'ab',
    traced: await tracedRequest(inPieces(traceText(events), 4096), fixtureUrl),
    isCutOff: false,
    device: {
      reads,
      witness: 'block tracepoints',
      countedReads: 5,
      counted: { beginUs: 900, endUs: 61_000, inFlight: 0 },
      extents: null,
      isShared: false,
    },
    syscalls: null,
  };
}

test('a read on which all witnesses agree has no flag, and fits the file’s schema', async () => {
  const traced = tracedReadOf(await evidence());
  expect(traced).toMatchObject({ durationMs: 59, readMs: 58.9, flags: [], countedReads: 5 });
  expect(traced.deviceReads).toHaveLength(5);
  expect(tracedReadSchema.parse(structuredClone(traced))).toEqual(traced);
});

test('reads after the last byte was served are drawn, and not counted as waited for', async () => {
  expect(tracedReadOf(await evidence()).serialReads).toBe(3);
});

test('on a device shared with other programs the number of serial reads is unknown', async () => {
  const seen = await evidence();
  const traced = tracedReadOf({ ...seen, device: { ...seen.device, isShared: true } });
  expect(traced).toMatchObject({ serialReads: null, flags: [] });
  expect(traced.deviceReadsWhy).toMatch(/other programs/);
});

test('without a witness of the device: unknown, with the reason', async () => {
  const seen = await evidence();
  const device = { ...seen.device, reads: null, witness: null, why: 'this kernel has no tracefs' };
  expect(tracedReadOf({ ...seen, device })).toMatchObject({
    deviceReads: null,
    deviceWitness: null,
    serialReads: null,
    deviceReadsWhy: 'this kernel has no tracefs',
    flags: [],
  });
});

test('a trace without the read: every step is unknown, nothing is guessed, and it is flagged', async () => {
  const traced = tracedReadOf(await evidence(hitEvents.slice(0, 5)));
  expect(traced).toMatchObject({ durationMs: null, deviceReads: null, serialReads: null });
  expect(Object.values(traced.steps).every(({ ms }) => ms === null)).toBe(true);
  expect(traced.flags).toEqual(['not-in-trace']);
});

test.each([
  [
    'device-reads-disagree',
    (seen: TracedEvidence) => ({ device: { ...seen.device, countedReads: 6 } }),
  ],
  ['clocks-disagree', (seen: TracedEvidence) => ({ result: { ...seen.result, readMs: 50 } })],
  ['wrong-body', () => ({ resourceSha256: 'cd' })],
  ['trace-cut-off', () => ({ isCutOff: true })],
  ['read-failed', (seen: TracedEvidence) => ({ result: { ...seen.result, failure: 'TypeError' } })],
] as const)('%s is flagged', async (flag, change) => {
  const seen = await evidence();
  expect(tracedReadOf({ ...seen, ...change(seen) }).flags).toEqual([flag]);
});

test('a read in flight at a reading of the counters is not a disagreement, two more are', async () => {
  const seen = await evidence();
  const counted = { ...seen.device.counted, inFlight: 1 };
  const flagsAt = (countedReads: number) =>
    tracedReadOf({ ...seen, device: { ...seen.device, counted, countedReads } }).flags;
  expect([4, 5, 6].flatMap(flagsAt)).toEqual([]);
  expect(flagsAt(3)).toEqual(['device-reads-disagree']);
  expect(flagsAt(7)).toEqual(['device-reads-disagree']);
});

test('a hit that used the network is not a hit', async () => {
  const asked = hitEvents.map((event) =>
    event.name === 'HTTP_CACHE_ADD_TO_ENTRY'
      ? { ...event, name: 'HTTP_TRANSACTION_SEND_REQUEST' }
      : event,
  );
  expect(tracedReadOf(await evidence(asked)).flags).toEqual(['network-used']);
});

test('a first load must use the network, and device reads show a dictionary that is stored on the device', async () => {
  const seen = await evidence();
  expect(tracedReadOf({ ...seen, kind: 'first load' })).toMatchObject({
    kind: 'first load',
    flags: ['network-unused'],
  });
  const extents = [{ file: 'dictionaries/cache/f02910493a12010b_0', offset: 0, bytes: 4096 }];
  const { steps } = tracedReadOf({ ...seen, device: { ...seen.device, extents } });
  // All five reads are of the dictionary: two overlap by 5.9 of their 5.9 ms.
  expect(steps.dictionaryRead.ms).toBeCloseTo(5 + 6 + 8 + 6, 6);
});

test('dictionary reads are known from system calls: none is 0, not unknown', async () => {
  const seen = await evidence();
  const call = { name: 'pread64', startMs: 1, endMs: 4, file: 'x', bytes: 1, offset: 0 };
  const cache = { ...call, kind: 'cache' as const };
  const dictionary = { ...call, kind: 'dictionary' as const };
  expect(tracedReadOf(seen).steps.dictionaryRead.ms).toBeNull();
  expect(tracedReadOf({ ...seen, syscalls: [cache] }).steps.dictionaryRead.ms).toBe(0);
  expect(tracedReadOf({ ...seen, syscalls: [dictionary] }).steps.dictionaryRead.ms).toBe(3);
});
