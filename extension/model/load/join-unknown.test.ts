import { expect, test } from 'vitest';
import {
  began,
  common,
  devtools,
  join,
  network,
  observedDocument,
  page,
  watch,
  webRequest,
} from '../fixtures/observed-load.ts';
import { joinLoad } from './join.ts';
import type { Observation } from './observation.ts';

test('a witness that watched and saw nothing is null; one that did not watch is absent', () => {
  const early = watch('webRequest', 150);
  const { resources } = join(
    [page('a', 100), page('b', 200), webRequest('c', 300)],
    [watch('page'), early],
  );
  expect(resources.map(({ evidence }) => evidence.webRequest)).toMatchObject([
    undefined,
    null,
    { statusCode: 200 },
  ]);
});

test('a witness that stopped watching before the use is absent', () => {
  const { resources } = join([page('a', 100)], [watch('webRequest', -100, 50)]);
  expect(resources[0]?.evidence).not.toHaveProperty('webRequest');
});

test('DevTools, whose reports are stored only while the tab is recorded, is absent from the time between', () => {
  const recorded = [watch('page', -100, 250), watch('page', 350)];
  const { resources, depths } = join(
    [page('a', 100), page('b', 300), page('c', 400), devtools('d', 500)],
    [...recorded, watch('devtools')],
  );
  expect(resources.map(({ evidence }) => evidence.devtools)).toMatchObject([
    null,
    undefined,
    null,
    { status: 200 },
  ]);
  expect(depths).toEqual(['page', 'devtools']);
  const late = join([page('a', 100)], [watch('page', 350), watch('devtools')]);
  expect(late.depths).toEqual(['page']);
});

test('observations that cannot be distinguished stay separate and are not evidence', () => {
  const { resources } = join(
    [page('a', 100), page('a', 104), webRequest('a', 102)],
    [watch('page'), watch('webRequest')],
  );
  expect(resources).toHaveLength(3);
  for (const { evidence } of resources.filter(({ evidence }) => evidence.page))
    expect(evidence).not.toHaveProperty('webRequest');
});

test('a request of which only the start is known is listed without evidence', () => {
  const started = { ...common('a', 100), endedAtMs: null };
  const { resources } = join([{ ...started, witness: 'webRequest', evidence: null }]);
  expect(resources).toMatchObject([{ durationMs: null, evidence: { scheme: 'http' } }]);
});

test('a request is running only while a witness that still watches has not seen its end', () => {
  const open = { ...common('a', 100, 'document'), endedAtMs: null };
  const asked: Observation = { ...open, witness: 'webRequest', evidence: null };
  const states = (observations: Observation[], toMs: number | null = null) =>
    join(observations, [watch('webRequest', -100, toMs)]).resources.map((each) => each.isRunning);
  expect(states([asked])).toEqual([true]);
  expect(states([{ ...asked, isStartUnknown: true }])).toEqual([true]);
  expect(states([asked], 500)).toEqual([undefined]);
  expect(states([{ ...webRequest('a', 100), isStartUnknown: true }])).toEqual([undefined]);
  const shared: Observation = {
    ...open,
    witness: 'page',
    evidence: { timing: null, earlierEntry: { startTime: 50 } },
  };
  expect(states([shared])).toEqual([undefined]);
  expect(states([{ ...devtools('a', 100), endedAtMs: null }])).toEqual([undefined]);
});

test('unknown numbers stay unknown; known ones come from the witness nearest to the network', () => {
  const told = { ...network('a', 101), facts: { transferredBytes: 511, coding: 'dcb' } };
  const { resources } = join([
    { ...page('a', 100), facts: { coding: null, encodedBytes: 59, transferredBytes: null } },
    told,
  ]);
  expect(resources[0]).toMatchObject({
    coding: 'dcb',
    transferredBytes: 511,
    encodedBytes: 59,
    decodedBytes: null,
    storedBytes: null,
    status: null,
  });
});

test('dropped entries are reported', () => {
  const { warnings } = joinLoad({
    document: { ...observedDocument, droppedEntries: 12 },
    observations: [],
    watches: [],
  });
  expect(warnings.join()).toContain('12 Resource Timing entries');
});

test('a request with an unknown start belongs to the only use in progress, or to none', () => {
  const late: Observation = { ...webRequest('a', 108), isStartUnknown: true };
  const watches = [watch('page'), watch('webRequest')];
  const one = join([page('a', 100), page('a', 9000), late], watches);
  expect(one.resources.map(({ evidence }) => evidence.webRequest)).toMatchObject([
    { statusCode: 200 },
    null,
  ]);
  const two = join([page('a', 100), page('a', 107), late], watches);
  expect(two.resources).toHaveLength(2);
  for (const { evidence } of two.resources) expect(evidence).not.toHaveProperty('webRequest');
});

test('a request with an unknown start is not assigned to another document or to a memory cache hit', () => {
  const late: Observation = { ...webRequest('a', 108), isStartUnknown: true };
  const watches = [watch('page'), watch('webRequest')];
  const elsewhere = join(
    [
      { ...page('a', 100), documentId: 'D' },
      { ...late, documentId: 'E' },
    ],
    watches,
  );
  expect(elsewhere.resources).toHaveLength(2);
  const hit = join([{ ...page('a', 107, { duration: 0 }), endedAtMs: began + 107 }, late], watches);
  expect(hit.resources).toHaveLength(2);
});

test('a request with an unknown start and no other row has an unknown duration', () => {
  const ended = { ...webRequest('a', 108), endedAtMs: began + 108, isStartUnknown: true };
  const { resources } = join([ended], [watch('webRequest')]);
  expect(resources.map(({ durationMs }) => durationMs)).toEqual([null]);
});

test('silence about a request that has just ended is no evidence yet', () => {
  const observations = [page('a', 100), webRequest('b', 90)];
  const parts = { document: observedDocument, observations, watches: [watch('webRequest')] };
  const soon = joinLoad({ ...parts, readAtMs: began + 5000 });
  expect(soon.resources[1]?.evidence).not.toHaveProperty('webRequest');
  const later = joinLoad({ ...parts, readAtMs: began + 20_000 });
  expect(later.resources[1]?.evidence.webRequest).toBeNull();
});

test('silence about a request that ended before the witness’s latest report shows that it saw nothing', () => {
  const observations = [page('a', 100), webRequest('b', 150)];
  const parts = { document: observedDocument, observations, watches: [watch('webRequest')] };
  const [first] = joinLoad({ ...parts, readAtMs: began + 200 }).resources;
  expect(first?.evidence.webRequest).toBeNull();
});

test('chrome.webRequest’s silence about an origin that it never reported is no evidence', () => {
  const elsewhere = { ...page('a', 100), url: 'https://other.example/a' };
  const { resources } = join([elsewhere, webRequest('b', 90)], [watch('webRequest')]);
  expect(resources.find(({ url }) => url === elsewhere.url)?.evidence).not.toHaveProperty(
    'webRequest',
  );
});

test.each([
  ['none saw the request', undefined, undefined],
  ['saw no redirect', {}, false],
  ['saw a redirect', { finalUrl: 'http://b.test/' }, true],
])('whether a same-origin use was redirected, when another witness %s', (_, more, isRedirected) => {
  const own = page('a', 100);
  const use = { ...own, evidence: { ...own.evidence, isSameOrigin: true } } as Observation;
  const { resources } = join([use, ...(more ? [{ ...network('a', 101), ...more }] : [])]);
  expect(resources[0]?.evidence.page?.isRedirected).toBe(isRedirected);
});
