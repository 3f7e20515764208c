import { diskCacheBackEnds } from '@cachescope/model/run/variant.ts';
import { bodyBytes, ofOneFile, parts, reads, type Situation, topic } from '../situation.ts';

const counts = Array.from({ length: parts }, (_, index) => index);
const middle = parts / 2;
const some = { init: { headers: { Range: 'bytes=1000-1999' } } };

/** One moment stands for all in a quick run. */
const moment = (part: number): Partial<Situation> => (part === middle ? {} : { isDetail: true });

/**
 * Decoded bytes that a reader surely has when the origin has sent some parts of a body: the decoder may keep the last
 * block of 128 KiB.
 */
const bytesAfter = (sent: number): number =>
  Math.max(1, Math.floor(((sent - 1.5) * bodyBytes.text) / parts));

const aborted = (sent: number) =>
  ofOneFile(
    `reader aborts after ${sent} of ${parts} parts`,
    { slow: { holdsAfter: sent } },
    reads({ abortAfterBytes: bytesAfter(sent) }, {}, {}),
    moment(sent),
  );

const cutOff = (sent: number) =>
  ofOneFile(
    `origin dies after ${sent} of ${parts} parts`,
    { slow: { diesAfter: sent } },
    reads({ mayFail: true }, {}, {}),
    moment(sent),
  );

const killed = (sent: number, more: Partial<Situation> = { isAlone: true, ...moment(sent) }) =>
  ofOneFile(
    `browser killed after ${sent} of ${parts} parts`,
    { slow: { holdsAfter: sent } },
    [{ kind: 'kill', read: {}, afterParts: sent }, ...reads({}, {})],
    more,
  );

/** Readers that end early, origins that die, and several readers of one response. */
export const interruptions = topic('interruptions', [
  ...counts.map((index) => aborted(index + 1)),
  ...counts.map(cutOff),
  ofOneFile('small response whose origin dies', { body: 'small', slow: { diesAfter: middle } }, [
    ...reads({ mayFail: true }, {}, {}),
  ]),
  ofOneFile(
    'response with no-store whose origin dies',
    {
      cacheControl: 'no-store',
      slow: { diesAfter: middle },
    },
    [...reads({ mayFail: true }, { must: 'ask' })],
  ),
  ...[2, 5, 10].map((count) =>
    ofOneFile(`${count} readers of one response`, { slow: {} }, [
      { kind: 'read at once', reads: counts.slice(0, count).map(() => ({})) },
      ...reads({}),
    ]),
  ),
  ofOneFile('first of two readers aborts', { slow: {} }, [
    { kind: 'read at once', reads: [{ abortAfterBytes: 300_000 }, {}] },
    ...reads({}),
  ]),
  ofOneFile('five readers of a response with no-store', { slow: {}, cacheControl: 'no-store' }, [
    { kind: 'read at once', reads: counts.slice(0, 5).map(() => ({})) },
    ...reads({ must: 'ask' }),
  ]),
  ofOneFile('reader of the whole beside one of a range', { slow: {} }, [
    { kind: 'read at once', reads: [{}, some] },
    ...reads({}),
  ]),
]);

/** The situations of one disk cache back end. */
const ofBackEnd = (diskCache: (typeof diskCacheBackEnds)[number]): Omit<Situation, 'topic'>[] =>
  [
    ofOneFile('range of a stored response', {}, reads({}, some, {})),
    { ...cutOff(middle), isDetail: true as const },
    ofOneFile('hit, and hit after a restart', {}, [
      ...reads({}, {}),
      { kind: 'restart' },
      ...reads({}),
    ]),
    killed(middle, { isDetail: true }),
  ].map((each) => ({
    ...each,
    name: `back end ${diskCache}: ${each.name}`,
    settings: { diskCache },
  }));

/** Situations that end the browser and start it again. */
export const restarts = topic('restarts', [
  ...diskCacheBackEnds.flatMap(ofBackEnd),
  ofOneFile('hit after a restart', {}, [...reads({}), { kind: 'restart' }, ...reads({}, {})], {
    isAlone: true,
  }),
  ofOneFile(
    'stale response after a restart',
    { cacheControl: 'no-cache' },
    [...reads({}), { kind: 'restart' }, ...reads({ must: 'ask' }, { must: 'ask' })],
    { isAlone: true },
  ),
  ofOneFile(
    'response with no-store after a restart',
    { cacheControl: 'no-store' },
    [...reads({}), { kind: 'restart' }, ...reads({ must: 'ask' })],
    { isAlone: true },
  ),
  ofOneFile(
    'settings of the other side after a restart, and back',
    {},
    [
      ...reads({}),
      { kind: 'restart', otherSide: true },
      ...reads({}, {}),
      { kind: 'restart' },
      ...reads({}, {}),
    ],
    { isAlone: true },
  ),
  ...counts.map((index) => killed(index + 1)),
]);
