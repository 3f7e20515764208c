import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { KnownIds } from './known-ids.ts';

const ids = fc.oneof(
  fc.nat({ max: 40 }),
  fc.constantFrom(-1, 0.5, 8191, 8192, 2 ** 53, 'first', '1'),
);

test('an id is new exactly when a set does not have it', () => {
  fc.assert(
    fc.property(fc.array(ids), (all) => {
      const [known, set] = [new KnownIds(), new Set<string | number>()];
      for (const id of all) {
        expect(known.add(id)).toBe(!set.has(id));
        set.add(id);
      }
    }),
    { examples: [[[2 ** 25, 2 ** 25 - 1, 2 ** 25, 2 ** 25 - 1]]] },
  );
});
