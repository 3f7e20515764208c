import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns } from '../fixtures/property-runs.ts';
import { madeUpShard } from '../fixtures/made-up-shard.ts';
import { mergedRun } from './merge.ts';
import { isRunOf, type RunDocument } from './run.ts';

/** The run as JSON, the form in which it is written. */
function merged(documents: readonly RunDocument[]): RunDocument {
  const result = mergedRun(documents);
  if ('problems' in result) throw new Error(result.problems.join('; '));
  return JSON.parse(JSON.stringify(result.value)) as RunDocument;
}

/** Shards of one plan at any stage. Some run on one machine, and one shard may have copies of two stages. */
const shards = fc
  .integer({ min: 1, max: 5 })
  .chain((count) =>
    fc.array(
      fc.record({
        number: fc.integer({ min: 1, max: count }),
        count: fc.constant(count),
        taken: fc.option(fc.integer({ min: 0, max: 30 }), { nil: undefined }),
      }),
      { minLength: 3, maxLength: 6 },
    ),
  )
  .map((all) =>
    all.map(({ number, count, taken }) =>
      madeUpShard(number, count, {
        ...(taken !== undefined && { taken }),
        machine: `m${number % 3}`,
        bootId: number % 2 === 0 ? 'even' : null,
      }),
    ),
  );

test('merging does not depend on the order', () => {
  fc.assert(
    fc.property(shards, (all) => {
      const backwards = merged(all.toReversed());
      expect(merged(all)).toEqual(backwards);
    }),
    { numRuns: propertyRuns(15) },
  );
});

test('merging is associative', () => {
  fc.assert(
    fc.property(shards, fc.nat(), (all, place) => {
      const cut = 1 + (place % (all.length - 1));
      const left = merged([merged(all.slice(0, cut)), ...all.slice(cut)]);
      const right = merged([...all.slice(0, cut), merged(all.slice(cut))]);
      expect(left).toEqual(right);
      expect(left).toEqual(merged(all));
    }),
    { numRuns: propertyRuns(15) },
  );
});

test('merging a result with itself, or with a part of itself, does not change it', () => {
  fc.assert(
    fc.property(shards, (all) => {
      const once = merged(all);
      expect(merged([once])).toEqual(once);
      expect(merged([once, once, ...all])).toEqual(once);
    }),
    { numRuns: propertyRuns(15) },
  );
});

test('every sample of every shard is included once, with its machine and a unique number', () => {
  fc.assert(
    fc.property(shards, (all) => {
      const document = merged(all);
      if (!isRunOf('sweep', document)) throw new Error('a sweep has samples');
      const furthest = [...Map.groupBy(all, ({ run }) => run.shard?.number)].map(([, same]) =>
        same.reduce((a, b) => (a.samples.length >= b.samples.length ? a : b)),
      );
      const times = furthest.flatMap(({ samples }) => samples.map(({ readMs }) => readMs));
      const sorted = (values: readonly number[]) => values.toSorted((a, b) => a - b);
      expect(sorted(document.samples.map(({ readMs }) => readMs))).toEqual(sorted(times));
      expect(new Set(document.samples.map(({ sequence }) => sequence)).size).toBe(times.length);
      expect(document.samples.every(({ machine }) => machine !== undefined)).toBe(true);
    }),
    { numRuns: propertyRuns(15) },
  );
});
