import fc from 'fast-check';
import { propertyRuns } from '../fixtures/property-runs.ts';
import { expect, test } from 'vitest';
import { arbitraryJson, arbitraryLoad } from '../fixtures/arbitrary-load.ts';
import { madeUpLoad } from '../fixtures/made-up-load.ts';
import {
  isLoadDocument,
  loadDocumentSchema,
  loadDocumentText,
  readLoadDocument,
} from './document.ts';

const name = 'loads.json';

test('a written document is read back, with any content', () => {
  fc.assert(
    fc.property(fc.array(arbitraryLoad, { maxLength: 3 }), (loads) => {
      const json: unknown = JSON.parse(loadDocumentText(loads));
      expect(isLoadDocument(json)).toBe(true);
      expect(readLoadDocument({ name, json })).toEqual({ value: loads });
    }),
  );
});

test('the rows of a document that was edited are numbered again', () => {
  const json = JSON.parse(loadDocumentText([madeUpLoad({ count: 4 })]));
  json.loads[0].resources.splice(1, 1);
  const read = readLoadDocument({ name, json });
  const [load] = 'value' in read ? read.value : [];
  expect(load?.resources.map(({ sequence }) => sequence)).toEqual([0, 1, 2]);
});

test('another schema version is the only problem reported', () => {
  const later = { ...JSON.parse(loadDocumentText([madeUpLoad()])), schemaVersion: 2, loads: 7 };
  expect(readLoadDocument({ name, json: later })).toEqual({
    problems: [
      'loads.json has schema version 2, this Cachescope reads version 1. Open it with the version that wrote it.',
    ],
  });
});

test('all problems are reported at once, with their location', () => {
  const document = JSON.parse(loadDocumentText([madeUpLoad({ count: 3 })]));
  document.loads[0].resources[1].startMs = '3';
  document.loads[0].resources[2].type = 'hologram';
  expect(problemsOf(document)).toEqual([
    expect.stringMatching(/^loads\.json: loads\.0\.resources\.1: startMs: Invalid/),
    expect.stringMatching(/^loads\.json: loads\.0\.resources\.2: type: Invalid/),
  ]);
  document.loads[0].url = null;
  document.loads[0].navigationType = 'teleport';
  expect(problemsOf(document)).toHaveLength(2);
});

function problemsOf(json: unknown): string[] {
  const read = readLoadDocument({ name, json });
  return 'problems' in read ? read.problems : [];
}

test('the list of problems is limited', () => {
  const load = { ...madeUpLoad(), resources: Array.from({ length: 200_000 }, () => ({})) };
  const problems = problemsOf({ schemaVersion: 1, loads: [load] });
  expect(problems.length).toBeLessThan(1100);
  expect(problems.at(-1)).toMatch(/items from \d+ on were not checked/);
});

test('nothing is thrown, and accepted documents fit the schema', () => {
  fc.assert(
    fc.property(arbitraryJson, fc.boolean(), (json, isWrapped) => {
      const value = isWrapped ? { schemaVersion: 1, loads: json } : json;
      const read = readLoadDocument({ name, json: value });
      if ('problems' in read) expect(read.problems.length).toBeGreaterThan(0);
      else expect(loadDocumentSchema.safeParse(value).success).toBe(true);
    }),
    { numRuns: propertyRuns(300) },
  );
});
