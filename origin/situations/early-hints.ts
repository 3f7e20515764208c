import { memory, network } from './outcomes.ts';
import { once, page, runsResource, script, thenInNewTab, twice } from './page.ts';
import { situation, type ServedFile, type Situation } from './situation.ts';

const isSecure = true;
const hinted = (document: ServedFile) => ({
  page: { ...document, earlyHint: '<resource>; rel=preload; as=script', delayMs: 1200 },
  resource: script(),
});
const used = hinted(runsResource);

/** 103 (RFC 8297): Chromium heeds it over HTTP/2 and TLS. */
export const earlyHints: readonly Situation[] = [
  situation(
    'early-hints-script',
    once,
    { truth: { answer: 'early-hints' }, atOrigin: [200], askedBefore: 'page' },
    used,
    // Chromium may leave a hint unheeded: then the document's script asks.
    { isSecure, otherwise: [network] },
  ),
  situation('early-hints-unused', once, network, hinted(page('')), { isSecure }),
  situation('early-hints-document', once, network, used, { isSecure, judged: 'page' }),
  situation('early-hints-again', twice, memory, used, { isSecure }),
  situation(
    'early-hints-again-in-new-tab',
    thenInNewTab,
    { truth: { answer: 'early-hints' }, atOrigin: [] },
    used,
    { isSecure },
  ),
];
