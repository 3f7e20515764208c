import { page, script, visit, visitInNewTab } from './page.ts';
import type { Situation } from './situation.ts';

const hinted = page(`await script('resource');`);

/** 103 (RFC 8297): Chromium heeds it over HTTP/2 and TLS. */
export const earlyHints: readonly Situation[] = [
  {
    name: 'early-hints-script',
    isSecure: true,
    files: {
      page: { ...hinted, earlyHint: '<resource>; rel=preload; as=script', delayMs: 1200 },
      resource: script(),
    },
    steps: [visit('page')],
    judged: 'resource',
    truth: { answer: 'early-hints' },
    atOrigin: [200],
    askedBefore: 'page',
    // Chromium may leave a hint unheeded: then the document's script asks.
    otherwise: [{ truth: { answer: 'network' }, atOrigin: [200] }],
  },
  {
    name: 'early-hints-unused',
    isSecure: true,
    files: {
      page: { ...page(''), earlyHint: '<resource>; rel=preload; as=script', delayMs: 1200 },
      resource: script(),
    },
    steps: [visit('page')],
    judged: 'resource',
    truth: { answer: 'network' },
    atOrigin: [200],
  },
  {
    name: 'early-hints-document',
    isSecure: true,
    files: {
      page: { ...hinted, earlyHint: '<resource>; rel=preload; as=script', delayMs: 1200 },
      resource: script(),
    },
    steps: [visit('page')],
    judged: 'page',
    truth: { answer: 'network' },
    atOrigin: [200],
  },
  {
    name: 'early-hints-again',
    isSecure: true,
    files: {
      page: { ...hinted, earlyHint: '<resource>; rel=preload; as=script', delayMs: 1200 },
      resource: script(),
    },
    steps: [visit('page'), visit('page')],
    judged: 'resource',
    truth: { answer: 'memory' },
    atOrigin: [],
  },
  {
    name: 'early-hints-again-in-new-tab',
    isSecure: true,
    files: {
      page: { ...hinted, earlyHint: '<resource>; rel=preload; as=script', delayMs: 1200 },
      resource: script(),
    },
    steps: [visit('page'), visitInNewTab('page')],
    judged: 'resource',
    truth: { answer: 'early-hints' },
    atOrigin: [],
  },
];
