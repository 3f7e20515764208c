import { expect, test } from 'vitest';
import { load, observed } from '../fixtures/observed-tab.ts';
import { ownObservations } from './own-observations.ts';
import type { Observation, ObservedDocument } from './observation.ts';

const keys = (list: Observation[]) => list.map(({ key }) => key);

test('observations of a forgotten load belong to no other load, by document and by time', () => {
  const [kept, forgotten] = [load('A', 1000), load('B', 2000, { isForgotten: true })];
  const observations = [
    observed('1', 1500),
    observed('2', 2500),
    observed('3', 1500, 'B'),
    observed('4', 2500, 'A'),
  ];
  expect(keys(ownObservations(kept, [kept, forgotten], observations))).toEqual(['1', '4']);
});

test('a prerendered document owns its requests before it was shown; the shown document owns the others', () => {
  const [shown, ahead] = [load('A', 1000), load('B', 5000, { timeOriginMs: 2000 })];
  const observations = [
    observed('own', 2500, 'B'),
    observed('other', 2500),
    observed('after', 5500),
  ];
  expect(keys(ownObservations(ahead, [shown, ahead], observations))).toEqual(['own', 'after']);
  expect(keys(ownObservations(shown, [shown, ahead], observations))).toEqual(['other']);
});

test('the protocol’s restore event belongs to the restore that the page timed, whenever the event arrived', () => {
  const before = load('A', 1000);
  const other = load('B', 3000);
  const restore = load('A 5000', 5000, { documentId: 'A', navigationType: 'back-forward-cache' });
  const siblings = [before, other, restore];
  for (const cameAtMs of [4900, 5000, 5600]) {
    const event = observed('restored', cameAtMs, undefined, {
      witness: 'debugger',
      evidence: { isBackForwardRestore: true },
    });
    expect(ownObservations(restore, siblings, [event])).toMatchObject([{ startedAtMs: 5000 }]);
    expect(ownObservations(other, siblings, [event])).toEqual([]);
  }
});

test('a restored document owns what it asks for at once, although it does so under its first navigation', () => {
  const [first, left] = [load('A', 1000), load('B', 3000)];
  const restore = load('A 5000', 5000, { documentId: 'A', navigationType: 'back-forward-cache' });
  const siblings = [first, left, restore];
  const request = (key: string, atMs: number, navigationKey: string) =>
    observed(key, atMs, undefined, { witness: 'debugger', navigationKey });
  const observations = [
    request('to A', 1002, 'to A'),
    request('script of A', 1010, 'to A'),
    request('to B', 3001, 'to B'),
    request('last of A', 2995, 'to A'),
    request('last of B', 4995, 'to B'),
    request('late of B', 5004, 'to B'),
    request('at once', 5008, 'to A'),
    request('clocks apart', 4997, 'to A'),
    request('later', 5100, 'to A'),
  ];
  const owned = (document: ObservedDocument) =>
    keys(ownObservations(document, siblings, observations));
  expect(owned(first)).toEqual(['to A', 'script of A', 'last of A']);
  expect(owned(left)).toEqual(['to B', 'last of B', 'late of B']);
  expect(owned(restore)).toEqual(['at once', 'clocks apart', 'later']);
});

test('what a document asks for while the next is awaited stays its own after it was restored', () => {
  const [first, left] = [load('A', 1000), load('B', 3000)];
  const restore = load('A 5000', 5000, { documentId: 'A', navigationType: 'back-forward-cache' });
  const next = load('C', 8000);
  const beacons = [observed('beacon', 3200, 'A'), observed('beacon after the restore', 8200, 'A')];
  const owned = (document: ObservedDocument) =>
    keys(ownObservations(document, [first, left, restore, next], beacons));
  expect(owned(first)).toEqual(['beacon']);
  expect(owned(left)).toEqual([]);
  expect(owned(restore)).toEqual(['beacon after the restore']);
  expect(owned(next)).toEqual([]);
});
