import { expect, test } from 'vitest';
import { joinWarnings } from './join-warnings.ts';
import type { ObservedDocument, Watch } from './observation.ts';

const document = { droppedEntries: 0, startedAtMs: 1000 } as ObservedDocument;

function watched(...times: readonly (readonly [fromMs: number, toMs: number | null])[]): Watch[] {
  return times.map(([fromMs, toMs]) => ({
    key: `7 webRequest ${fromMs}`,
    tabId: 7,
    depth: 'webRequest',
    fromMs,
    toMs,
  }));
}

test('a gap in which a witness did not watch is named with its time', () => {
  expect(joinWarnings(document, watched([900, 1500], [1600, null]), 9000, [])).toEqual([
    'webRequest did not watch from 500 to 600 ms of this load: its evidence for that time is missing.',
  ]);
  expect(joinWarnings(document, watched([900, null]), 9000, [])).toEqual([]);
});

test('many gaps of a witness are one warning', () => {
  const watches = watched([900, 1500], [1600, 3000], [3100, 5000], [5200, null]);
  expect(joinWarnings(document, watches, 9000, [])).toEqual([
    'webRequest did not watch 3 times between 500 and 4200 ms of this load: its evidence for that time is missing.',
  ]);
});
