import { expect, test } from 'vitest';
import { madeUpDirection } from '../fixtures/made-up-link.ts';
import { type Link, type LinkDirection, segmentBytes } from './link.ts';
import { PredictedConnection, type Sender } from './slow-start.ts';

const direction = { ...madeUpDirection, bitsPerSecond: 100e6 };
const link: Link = { name: 'test', up: direction, down: direction };
const cubic: Sender = { link, initialWindow: 10, congestion: 'cubic' };
const segmentsOf = (bytes: number) => Math.ceil(bytes / segmentBytes);
/** With the way of the request. */
const roundTrips = (bytes: number, initialWindow = 10) => {
  const ms = new PredictedConnection({ ...cubic, initialWindow }).send(segmentsOf(bytes));
  return (20 + (ms ?? Number.NaN)) / 40;
};

test('a response takes one round trip for each window of slow start', () => {
  // Ten segments of 1,448 bytes, then 20, 40 and 80 more.
  const sizes = [1000, 14_480, 14_481, 43_440, 43_441, 101_360, 101_361, 217_200, 217_201];
  const trips = sizes.map((bytes) => Math.floor(roundTrips(bytes)));
  expect(trips).toEqual([1, 1, 2, 2, 3, 3, 4, 4, 5]);
});

/**
 * Medians of five in round trips, measured on a link of two network namespaces at 40 ms and 100 Mbit/s with CUBIC and a
 * client whose receive buffer does not limit, from the time after the connection was made.
 */
test.each([
  [
    10,
    [
      [14_000, 1.04],
      [14_600, 2.03],
      [20_000, 2.04],
      [43_000, 2.08],
      [50_000, 3.06],
    ],
  ],
  [
    10,
    [
      [100_000, 3.16],
      [101_500, 4.04],
      [150_000, 4.15],
      [200_000, 4.24],
      [220_000, 5.06],
    ],
  ],
  [
    10,
    [
      [300_000, 5.34],
      [400_000, 5.44],
      [1_000_000, 7.31],
    ],
  ],
  [
    32,
    [
      [20_000, 1.05],
      [50_000, 2.03],
      [100_000, 2.14],
      [200_000, 3.18],
      [400_000, 4.25],
    ],
  ],
] as const)(
  'it is near the measured times with an initial window of %i segments',
  (window, rows) => {
    for (const [bytes, measured] of rows)
      expect(Math.abs(roundTrips(bytes, window) - measured)).toBeLessThan(0.5);
  },
);

test('a link that fills its queue is not predicted', () => {
  const down: LinkDirection = { ...direction, queueBytes: 3000, bitsPerSecond: 1e6 };
  const narrow = new PredictedConnection({ ...cubic, link: { ...link, down } });
  expect(narrow.send(segmentsOf(1e6))).toBeNull();
});

test('a full link takes the time of its bytes', () => {
  const down: LinkDirection = { ...direction, bitsPerSecond: 1e6, queueBytes: 1e9 };
  const slow = new PredictedConnection({ ...cubic, link: { ...link, down } });
  expect(slow.send(1000)).toBeCloseTo(20 + 1000 * 12, 0);
});

test('an open connection keeps its window, and a pause resets it', () => {
  const open = new PredictedConnection(cubic);
  expect(Math.round(open.send(100) ?? 0)).toBeGreaterThan(100);
  expect(open.send(100)).toBeCloseTo(20 + 12, 0);
  // A pause of 2 s is 8 timeouts of 240 ms.
  open.pause(2000);
  expect(open.send(20)).toBeGreaterThan(60);
});

test('CUBIC leaves slow start where acknowledgements last half a round trip, and so does not fill the queue', () => {
  const second = (congestion: Sender['congestion']) => {
    const down = { ...direction, queueBytes: 1000 * 1500 };
    const connection = new PredictedConnection({ ...cubic, congestion, link: { ...link, down } });
    connection.send(1400);
    return connection.send(1400);
  };
  expect(second('cubic')).toBeCloseTo(20 + 1400 * 0.12, -1);
  expect(second('reno')).toBeNull();
});
