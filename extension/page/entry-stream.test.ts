import { expect, test, vi } from 'vitest';
import {
  FakeEntry,
  FakeNavigationEntry,
  FakeResourceEntry,
} from '../fake-browser/performance-timeline.ts';
import { startPage } from '../fake-browser/page.ts';
import { EntryStream } from './entry-stream.ts';

function stream(isBuffered = true) {
  const page = startPage();
  const delivered = vi.fn();
  const add = (...names: string[]): void => {
    for (const name of names) page.timeline.add(new FakeResourceEntry({ name }));
  };
  add('before');
  const made = new EntryStream(isBuffered, delivered);
  const taken = (most: number) => made.take(most).map(({ name }) => name);
  return { ...page, add, delivered, made, taken };
}

test('entries come oldest first, at most the requested number at a time', () => {
  const { add, taken, made, timeline, delivered } = stream();
  add('a', 'b');
  timeline.deliver();
  add('c');
  timeline.deliver();
  expect(delivered).toHaveBeenCalledTimes(2);
  expect(taken(2)).toEqual(['before', 'a']);
  expect(made.hasMore).toBe(true);
  expect(taken(5)).toEqual(['b', 'c']);
  expect(made.hasMore).toBe(false);
  expect(taken(5)).toEqual([]);
});

test('entries not delivered yet are taken when no others are pending', () => {
  const { add, taken, timeline } = stream();
  timeline.deliver();
  add('on its way');
  expect(taken(1)).toEqual(['before']);
  expect(taken(Number.POSITIVE_INFINITY)).toEqual(['on its way']);
  timeline.deliver();
  expect(taken(1)).toEqual([]);
});

test('the document’s own entry is included, and objects that are not Resource Timing entries are not', () => {
  const { taken, timeline } = stream(false);
  timeline.add(new FakeNavigationEntry({ name: 'document' }));
  timeline.add(new FakeEntry({ name: 'made up' }));
  timeline.deliver();
  expect(taken(5)).toEqual(['document']);
});

test('without the buffer only later entries are taken', () => {
  const { add, taken, timeline } = stream(false);
  add('after');
  timeline.deliver();
  expect(taken(5)).toEqual(['after']);
});

test('entries that the browser dropped before the stream started are counted once', () => {
  const { add, made, timeline } = stream();
  timeline.dropped = 12;
  timeline.deliver();
  add('after');
  timeline.deliver();
  expect(made.dropped).toBe(12);
});

test('after disconnect nothing is delivered', () => {
  const { add, made, taken, timeline, delivered } = stream(false);
  made.disconnect();
  add('after');
  timeline.deliver();
  expect(delivered).not.toHaveBeenCalled();
  expect(taken(5)).toEqual([]);
});
