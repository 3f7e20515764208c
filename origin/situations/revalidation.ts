import { confirmed, page, script, text, visit, visitInNewTab } from './page.ts';
import type { Situation } from './situation.ts';

const conditional = { isConditional: true, headers: confirmed } as const;
const runsScript = page(`await script('resource');`);
/** Of what is marked no-cache the memory cache holds only a weak reference: a garbage collection takes it. */
const collected = [
  { truth: { answer: 'revalidated/http-cache' }, atOrigin: [304], validatorFrom: 'http-cache' },
] as const;

/** 304: to the HTTP cache, to the memory cache, to the page itself. */
export const revalidation: readonly Situation[] = [
  {
    name: 'revalidated-fetch',
    files: { page: page(`await read('resource');`), resource: text(conditional) },
    steps: [visit('page'), visit('page')],
    judged: 'resource',
    truth: { answer: 'revalidated/http-cache' },
    atOrigin: [304],
  },
  {
    name: 'revalidated-fetch-no-cache',
    files: {
      page: page(`await read('resource', { cache: 'no-cache' });`),
      resource: text({ isConditional: true }),
    },
    steps: [visit('page'), visit('page')],
    judged: 'resource',
    truth: { answer: 'revalidated/http-cache' },
    atOrigin: [304],
  },
  {
    name: 'revalidated-script-in-new-tab',
    files: { page: runsScript, resource: script(conditional) },
    steps: [visit('page'), visitInNewTab('page')],
    judged: 'resource',
    truth: { answer: 'revalidated/http-cache' },
    atOrigin: [304],
  },
  {
    name: 'revalidated-script-in-memory',
    files: { page: runsScript, resource: script({ ...conditional, coding: 'br' }) },
    steps: [visit('page'), visit('page')],
    judged: 'resource',
    truth: { answer: 'revalidated/memory-cache' },
    atOrigin: [304],
    validatorFrom: 'renderer',
    otherwise: collected,
  },
  {
    name: 'revalidated-document',
    files: { page: { ...page(''), ...conditional } },
    steps: [visit('page'), { kind: 'reload' }],
    judged: 'page',
    truth: { answer: 'revalidated/http-cache' },
    atOrigin: [304],
  },
  {
    name: 'revalidated-script-read-as-empty',
    files: { page: runsScript, resource: script({ ...conditional, body: '' }) },
    steps: [visit('page'), visit('page')],
    judged: 'resource',
    truth: { answer: 'revalidated/memory-cache' },
    atOrigin: [304],
    validatorFrom: 'renderer',
    otherwise: collected,
  },
  {
    name: 'not-modified-told-to-page',
    files: {
      page: page(`await read('resource', { headers: { 'if-none-match': '"resource"' } });`),
      resource: text({ isConditional: true }),
    },
    steps: [visit('page')],
    judged: 'resource',
    truth: { answer: 'network/not-modified' },
    atOrigin: [304],
  },
];
