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

test.each([
  ['a witness that began during the load', watched([1300, null]), 'from 0 to 300 ms'],
  ['a gap that began before the load', watched([100, 900], [1300, null]), 'from 0 to 300 ms'],
  ['a gap that ends after the load', watched([900, 1500], [9999, null]), 'from 500 to 8000 ms'],
])('%s: the times are those of the load', (_name, watches, when) => {
  expect(joinWarnings(document, watches, 9000, [])).toEqual([
    `webRequest did not watch ${when} of this load: its evidence for that time is missing.`,
  ]);
});

test.each([
  ['began after the load', watched([9500, null])],
  ['began with the load', watched([1000, null])],
  ['paused before the load', watched([100, 500], [700, null])],
  ['paused after the load', watched([900, 9100], [9200, null])],
])('a witness that %s has no gap in it', (_name, watches) => {
  expect(joinWarnings(document, watches, 9000, [])).toEqual([]);
});
