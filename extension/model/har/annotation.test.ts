import { expect, test } from 'vitest';
import { entry, har } from '../fixtures/har.ts';
import { madeUpLoad } from '../fixtures/made-up-load.ts';
import { attributeLoad } from '../attribution/attributed-resource.ts';
import { verdictName } from '../attribution/answer.ts';
import { annotatedArchive } from './annotation.ts';
import { harOf } from './export.ts';

function annotate(json: unknown) {
  const read = annotatedArchive({ name: 'x.har', json });
  if ('problems' in read) throw new Error(read.problems.join('\n'));
  return read.value;
}

test('each entry has its source and reason, and everything else is as it was', () => {
  const archive = har([entry({ _fromCache: 'disk' }, { _transferSize: 0 }), null, entry({}, {})]);
  const before = structuredClone(archive);
  const { har: after, rows, notes } = annotate(archive);
  expect(archive).toEqual(before);
  expect(after.log.entries).toEqual([
    expect.objectContaining({
      _cacheSource: 'disk',
      _cacheReason: expect.stringContaining('disk'),
    }),
    null,
    expect.objectContaining({ _cacheSource: expect.not.stringContaining('disk') }),
  ]);
  expect(rows.map(({ place }) => place)).toEqual([0, 2]);
  expect(notes).toEqual([expect.stringContaining('1 item')]);
  const stripped = structuredClone(after.log.entries.filter(Boolean)) as Record<string, unknown>[];
  for (const each of stripped) {
    delete each['_cacheSource'];
    delete each['_cacheReason'];
  }
  expect(stripped).toEqual((before as typeof after).log.entries.filter(Boolean));
});

test('an archive of another program has unknown sources and says why', () => {
  const { rows, notes } = annotate(har([entry()], { creator: { name: 'Firefox' } }));
  expect(rows.map(({ attribution }) => attribution.source)).toEqual(['unknown']);
  expect(notes).toEqual([expect.stringContaining('written by Firefox')]);
});

test('our own archive has the verdicts of its load', () => {
  const load = madeUpLoad({ count: 40, state: 'warm' });
  const { rows, notes } = annotate(harOf([load], '0.1.0'));
  const names = (list: { attribution: Parameters<typeof verdictName>[0] }[]) =>
    list.map(({ attribution }) => verdictName(attribution));
  expect(names(rows)).toEqual(names(attributeLoad(load)));
  expect(notes).toEqual([]);
});

test('an archive of another version of this program is refused', () => {
  const archive = harOf([madeUpLoad({ count: 1 })], '0.1.0') as { log: { pages: object[] } };
  Object.assign(archive.log.pages[0] ?? {}, { _cachescope: { schemaVersion: 99 } });
  expect(annotatedArchive({ name: 'x.har', json: archive })).toEqual({
    problems: [expect.stringContaining('schema version 99')],
  });
});
