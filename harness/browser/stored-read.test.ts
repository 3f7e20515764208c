import { expect, it } from 'vitest';
import { readUntilStored } from './stored-read.ts';

/** Answers of the origin to each read; null: Chromium did not ask. */
function reading(answers: (string | null)[]) {
  const left = [...answers];
  return { left, read: () => Promise.resolve(left.shift() ?? null) };
}

it('is stored when the read after it does not reach the origin', async () => {
  const { left, read } = reading(['first', null, 'not read']);
  expect(await readUntilStored(read)).toEqual({ served: 'first', storingReads: 1 });
  expect(left).toEqual(['not read']);
});

it('returns the answer that was stored last, and how often the origin answered', async () => {
  const { read } = reading(['first', 'second', 'third', null]);
  expect(await readUntilStored(read)).toEqual({ served: 'third', storingReads: 3 });
});

it('is not stored when the origin answers every read', async () => {
  const { left, read } = reading(['1', '2', '3', '4', null]);
  expect(await readUntilStored(read)).toBeNull();
  expect(left).toEqual([null]);
});

it('is not known to be stored when no read reaches the origin', async () => {
  expect(await readUntilStored(reading([null]).read)).toBeNull();
});
