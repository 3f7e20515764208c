import { revalidated } from './outcomes.ts';
import {
  confirmed,
  once,
  page,
  readsResource,
  runsResource,
  script,
  text,
  thenInNewTab,
  thenReload,
  twice,
} from './page.ts';
import { situation, type Situation } from './situation.ts';

const conditional = { isConditional: true, headers: confirmed } as const;
/** Of what is marked no-cache the memory cache holds only a weak reference: a garbage collection takes it. */
const inMemory = {
  truth: { answer: 'revalidated/memory-cache' },
  atOrigin: [304],
  validatorFrom: 'renderer',
} as const;
const collected = { otherwise: [{ ...revalidated, validatorFrom: 'http-cache' }] } as const;

/** 304: to the HTTP cache, to the memory cache, to the page itself. */
export const revalidation: readonly Situation[] = [
  situation('revalidated-fetch', twice, revalidated, {
    page: readsResource,
    resource: text(conditional),
  }),
  situation('revalidated-fetch-no-cache', twice, revalidated, {
    page: page(`await read('resource', { cache: 'no-cache' });`),
    resource: text({ isConditional: true }),
  }),
  situation('revalidated-script-in-new-tab', thenInNewTab, revalidated, {
    page: runsResource,
    resource: script(conditional),
  }),
  situation(
    'revalidated-script-in-memory',
    twice,
    inMemory,
    { page: runsResource, resource: script({ ...conditional, coding: 'br' }) },
    collected,
  ),
  situation(
    'revalidated-document',
    thenReload,
    revalidated,
    { page: { ...page(''), ...conditional } },
    { judged: 'page' },
  ),
  situation(
    'revalidated-script-read-as-empty',
    twice,
    inMemory,
    { page: runsResource, resource: script({ ...conditional, body: '' }) },
    collected,
  ),
  situation(
    'not-modified-told-to-page',
    once,
    { truth: { answer: 'network/not-modified' }, atOrigin: [304] },
    {
      page: page(`await read('resource', { headers: { 'if-none-match': '"resource"' } });`),
      resource: text({ isConditional: true }),
    },
  ),
];
