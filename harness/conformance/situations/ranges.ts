import { type Answer, ofOneFile, type Read, reads, topic } from '../situation.ts';

const ranged = (range: string, headers: Readonly<Record<string, string>> = {}): Read => ({
  init: { headers: { Range: range, ...headers } },
});
const some = ranged('bytes=1000-1999');

/** A read of the whole, something between, and the whole again. */
const between = (name: string, read: Read, resource: Answer = {}) =>
  ofOneFile(name, resource, reads({}, read, {}));
const ofKept = (range: string) => ranged(range, { 'If-Range': '"1"' });

/** Parts of a response: RFC 9110 section 14, RFC 9111 section 3.3. */
export const ranges = topic('ranges', [
  between('range of a stored response', some),
  { ...between('range of a stored dcb response', some, { coding: 'dcb' }), isDetail: true },
  { ...between('open range of a stored response', ranged('bytes=5000-')), isDetail: true },
  { ...between('last bytes of a stored response', ranged('bytes=-500')), isDetail: true },
  { ...between('two ranges of a stored response', ranged('bytes=0-9,20-29')), isDetail: true },
  ofOneFile('range before the whole', {}, reads(some, {}, {})),
  between('range that the origin answers whole', some, { isWhole: true }),
  between('If-Range with the stored validator', ofKept('bytes=1000-1999')),
  between('If-Range with another validator', ranged('bytes=1000-1999', { 'If-Range': '"2"' })),
  ofOneFile('the same range twice', {}, reads(some, some)),
  ofOneFile('a range within a stored range', {}, reads(ranged('bytes=0-4999'), some)),
  ofOneFile('a range beside a stored range', {}, reads(some, ranged('bytes=2000-2999'))),
  ofOneFile('a range that overlaps a stored range', {}, reads(some, ranged('bytes=1500-2499'))),
  ofOneFile('range of a response with no-store', { cacheControl: 'no-store' }, [
    ...reads(some, { ...some, must: 'ask' }),
  ]),
  ofOneFile('range of a small response', { body: 'small' }, reads({}, ranged('bytes=0-99'), {})),
  ofOneFile(
    'range after the body has changed',
    { changes: true, cacheControl: 'no-cache' },
    reads({}, { ...some, must: 'ask' }, { must: 'ask' }),
  ),
]);
