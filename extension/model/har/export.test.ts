import fc from 'fast-check';
import { expect, test } from 'vitest';
import { arbitraryLoad } from '../../test/arbitrary-load.ts';
import { harOf } from './har-export.ts';
import { readHarText } from './har-import.ts';

test('export and import give the same loads, whatever is in them', () => {
  fc.assert(
    fc.property(fc.array(arbitraryLoad, { minLength: 1, maxLength: 3 }), (loads) => {
      const text = JSON.stringify(harOf(loads, '0.1.0'));
      expect(readHarText({ name: 'x.har', text })).toEqual({ value: loads });
    }),
  );
});

test('without our own fields the archive still says nothing false', () => {
  fc.assert(
    fc.property(arbitraryLoad, (load) => {
      const text = JSON.stringify(harOf([load], '0.1.0'), (key, value: unknown) =>
        key === '_cachescope' ? undefined : value,
      );
      const read = readHarText({ name: 'x.har', text });
      const [again] = 'value' in read ? read.value : [];
      const bySequence = (again?.resources ?? []).length;
      expect(bySequence).toBe(load.resources.length);
      for (const { url, method, transferredBytes, decodedBytes, type } of again?.resources ?? []) {
        const sameUrl = load.resources.filter((resource) => resource.url === url);
        expect(sameUrl.map((resource) => resource.method)).toContain(method);
        expect(sameUrl.map((resource) => resource.type)).toContain(type);
        expect([null, ...sameUrl.map((one) => one.decodedBytes)]).toContain(decodedBytes);
        const transferred = sameUrl.map((one) => one.transferredBytes);
        // Of a use whose cache DevTools named nothing was transferred.
        expect([null, 0, ...transferred]).toContain(transferredBytes);
      }
    }),
  );
});
