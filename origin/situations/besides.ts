import { kinds } from './kinds.ts';
import {
  conditional,
  confirmed,
  fresh,
  outcome,
  revalidated,
  script,
  situation,
  text,
  unstorable,
  visit,
  waitsFor,
} from './page.ts';
import type { ServedFile, Situation } from './situation.ts';

const over = waitsFor('resource');
const later = (name: string, run: string) =>
  situation(
    `fetch-later-${name}`,
    [visit('page'), visit('other')],
    { ...outcome('network'), loadOf: 'page' },
    { page: run, other: `await read('over');`, over, resource: text(fresh) },
  );
const registers = (file: string, options = '{}') => `
  const { installing } = await navigator.serviceWorker.register('${file}', ${options});
  await new Promise((resolve) => { installing.onstatechange = resolve; });`;

/** What a document asks for when it is left, and what the registration of a service worker asks for. */
const afterwards: readonly Situation[] = [
  later('at-pagehide', `fetchLater('resource');`),
  later('at-pagehide-post', `fetchLater('resource', { method: 'POST', body: 'a' });`),
  situation('fetch-later-soon', 'once', 'network', {
    page: `fetchLater('resource', { activateAfter: 0 }); await read('over');`,
    over,
    resource: text(fresh),
  }),
  situation('registered-module', 'once', 'network', {
    page: registers('resource', `{ type: 'module' }`),
    resource: script(),
  }),
  situation('registered-imports', 'once', 'network', {
    page: registers('importing'),
    importing: script({ body: `importScripts('resource');` }),
    resource: script(),
  }),
  situation('registered-missing', 'once', outcome('network', [404]), {
    page: `await ended(navigator.serviceWorker.register('resource'));`,
    resource: script({ status: 404 }),
  }),
];

const says = (run: string) => script({ body: `${run}; // ${'so it goes '.repeat(200)}` });
const starts = (file: string) =>
  `await new Promise((resolve) => { new Worker('${file}').onmessage = resolve; });`;

/** A worker's stored responses that the origin confirms. */
const ofWorkers: readonly Situation[] = [
  situation('page-worker-fetch-revalidated', 'thenInNewTab', revalidated, {
    page: starts('reading'),
    reading: says(`fetch('resource').then((answer) => answer.text()).then(() => postMessage(1))`),
    resource: text(conditional),
  }),
  situation('page-worker-script-revalidated', 'thenInNewTab', revalidated, {
    page: starts('resource'),
    resource: { ...says('postMessage(1)'), ...conditional },
  }),
];

const encodes = (field: string) => text({ headers: { ...unstorable, 'content-encoding': field } });
const coded = (name: string, resource: ServedFile) =>
  situation(`coding-${name}`, 'once', outcome({ answer: 'network', coding: 'identity' }, [200]), {
    page: `await ended(read('resource'));`,
    resource,
  });

/** What a field says of the coding, and what was decoded. */
const codings: readonly Situation[] = [
  situation(
    'coding-of-304',
    'twice',
    outcome({ answer: revalidated.truth.answer, coding: 'br' }, [304]),
    {
      page: `await read('resource');`,
      resource: text({
        ...conditional,
        coding: 'br',
        later: { headers: { ...confirmed, 'content-encoding': 'gzip' } },
      }),
    },
  ),
  coded('of-empty-name', encodes(', br')),
  coded('of-unknown-name', encodes('aws-chunked')),
  coded('of-unknown-name-first', encodes('aws-chunked,gzip')),
];

export const besides: readonly Situation[] = [
  ...afterwards,
  ...ofWorkers,
  ...codings,
  situation('media-from-disk', 'thenInNewTab', 'disk', {
    page: `await played('audio', 'resource');`,
    resource: kinds['audio']?.file() ?? text(),
  }),
];
