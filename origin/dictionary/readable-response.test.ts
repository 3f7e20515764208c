import { expect, test } from 'vitest';
import { mayUseDictionary, type ReadabilityEvidence } from './readable-response.ts';

const page = 'https://page.example';

// The algorithm of RFC 9842 section 9.3.3, line by line.
const cases: [situation: string, evidence: ReadabilityEvidence, may: boolean][] = [
  ['no fetch metadata', {}, true],
  ['same origin, no-cors', { secFetchSite: 'same-origin', secFetchMode: 'no-cors' }, true],
  ['no mode', { secFetchSite: 'cross-site' }, true],
  ['navigation', { secFetchSite: 'none', secFetchMode: 'navigate' }, true],
  ['mode same-origin', { secFetchSite: 'same-site', secFetchMode: 'same-origin' }, true],
  ['cross-site no-cors', { secFetchSite: 'cross-site', secFetchMode: 'no-cors' }, false],
  [
    'cross-site no-cors, open to all',
    { secFetchSite: 'cross-site', secFetchMode: 'no-cors', origin: page, allowOrigin: '*' },
    false,
  ],
  [
    'cors, open to all',
    { secFetchSite: 'cross-site', secFetchMode: 'cors', origin: page, allowOrigin: '*' },
    true,
  ],
  [
    'cors, open to this origin',
    { secFetchSite: 'cross-site', secFetchMode: 'cors', origin: page, allowOrigin: page },
    true,
  ],
  [
    'cors, open to another origin',
    { secFetchSite: 'same-site', secFetchMode: 'cors', origin: page, allowOrigin: 'https://o' },
    false,
  ],
  ['cors, not open', { secFetchSite: 'cross-site', secFetchMode: 'cors', origin: page }, false],
  [
    'cors without Origin',
    { secFetchSite: 'cross-site', secFetchMode: 'cors', allowOrigin: '*' },
    false,
  ],
  ['websocket', { secFetchSite: 'cross-site', secFetchMode: 'websocket' }, false],
];

test.each(cases)('%s', (_situation, evidence, may) => {
  expect(mayUseDictionary(evidence)).toBe(may);
});
