import { attribute } from '@cachescope/model/attribution/cache-source.ts';
import type { Evidence } from '@cachescope/model/attribution/evidence.ts';
import {
  hidden,
  inMemory,
  network,
  onDisk,
  seen,
  webRequest,
} from '@cachescope/model/fixtures/cache-source.ts';
import { expect, test } from 'vitest';
import { verdictText } from './verdict-words.ts';

const part = { contentEncoding: '', encodedBodySize: 2000, decodedBodySize: 4000 };
const contradiction = { page: seen(inMemory), debugger: network({ extraInfoStatus: 200 }) };

test.each<[string, Evidence]>([
  ['(unknown: no evidence)', {}],
  ['(unknown: no evidence)', { scheme: 'https', page: null }],
  ['(unknown: no Timing-Allow-Origin)', { page: hidden() }],
  ['(unknown: no Timing-Allow-Origin)', { page: { ...hidden(), hasServiceWorker: false } }],
  ['(unknown: witnesses disagree)', contradiction],
  ['(unknown: several are possible)', { webRequest: webRequest({ fromCache: true }) }],
  ['(disk cache)', { page: seen(onDisk) }],
  ['blocked: CSP', { page: { ...hidden(), blockedBy: 'img-src' } }],
  [
    'failed: CORS',
    { debugger: network({ extraInfoStatus: null, corsError: 'MissingAllowOriginHeader' }) },
  ],
  ['1.95 KiB network, 1.95 KiB (disk cache)', { page: seen(part) }],
])('%s', (text, evidence) => {
  expect(verdictText(attribute(evidence))).toBe(text);
});

test('the text of a verdict does not depend on the texts of its reasons', () => {
  const verdict = attribute(contradiction);
  const reasons = ['no Timing-Allow-Origin', 'no known entry'];
  expect(verdictText({ ...verdict, reasons })).toBe(verdictText(verdict));
});
