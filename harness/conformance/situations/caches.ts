import { type Answer, ofOneFile, type Read, reads, type Situation, topic } from '../situation.ts';

const small = { body: 'small' } as const satisfies Answer;
const match: Read = { by: 'match' };
const add: Read = { by: 'add' };
const privately = { pages: { private: { isPrivate: true } } } as const;
const inPrivate: Read = { page: 'private' };

/** Caches beside the HTTP cache: Cache Storage, a service worker, the cache of a private window. */
const others = topic('other caches', [
  ofOneFile('Cache Storage, from the network', {}, reads(add, match, {})),
  ofOneFile('Cache Storage, from a stored response', {}, reads({}, add, match)),
  ofOneFile('Cache Storage, twice from a body that changes', { changes: true }, [
    ...reads(add, match, { init: { cache: 'reload' } }),
  ]),
  ofOneFile('Cache Storage of a response with no-store', { ...small, cacheControl: 'no-store' }, [
    ...reads(add, match, { must: 'ask' }),
  ]),
  ofOneFile('Cache Storage of bytes that do not compress', { body: 'noise' }, reads(add, match)),
  ofOneFile(
    'service worker that passes through',
    {},
    [{ kind: 'register worker' }, { kind: 'reload', page: 'main' }, ...reads({}, {})],
    { isAlone: true },
  ),
  ofOneFile(
    'service worker that passes ranges and conditions through',
    { cacheControl: 'no-cache' },
    [
      { kind: 'register worker' },
      { kind: 'reload', page: 'main' },
      ...reads({ must: 'ask' }, { must: 'ask' }),
    ],
    { isAlone: true },
  ),
  ofOneFile('memory-only cache of a private window', {}, reads(inPrivate, inPrivate), privately),
  ofOneFile(
    'private window after an ordinary one',
    small,
    reads({}, { ...inPrivate, must: 'ask' }, {}),
    privately,
  ),
  ofOneFile(
    'ordinary window after a private one',
    small,
    reads(inPrivate, { must: 'ask' }),
    privately,
  ),
]);

function cleared(what: string, steps: readonly Read[]): Omit<Situation, 'topic'> {
  const clear: Answer = { ...small, cacheControl: 'no-store', fields: [['Clear-Site-Data', what]] };
  return {
    name: `Clear-Site-Data: ${what}`,
    files: { resource: {}, clear },
    steps: reads({}, {}, { file: 'clear' }, ...steps),
    isAlone: true,
  };
}

/** W3C Clear Site Data: the stored responses of the origin must be gone. */
const clearing = topic('Clear-Site-Data', [
  cleared('"cache"', [{ must: 'ask' }, {}]),
  cleared('"storage"', [{}]),
  cleared('"cookies"', [{}]),
  ...(['"cache", "storage"', '"*"'] as const).map((what) => cleared(what, [{ must: 'ask' }])),
]);

const eight = Array.from({ length: 8 }, (_, index) => `resource-${index}`);

/** A cache that is too small. */
const full = topic('full cache', [
  {
    name: 'cache of 1 MiB that is full while eight responses are stored at once',
    files: Object.fromEntries(eight.map((file) => [file, { slow: {} }])),
    steps: [
      { kind: 'read at once', reads: eight.map((file) => ({ file })) },
      ...reads(...eight.map((file) => ({ file }))),
    ],
    settings: { cacheBytes: 1_048_576 },
    isAlone: true,
    isCrowded: true,
  },
  {
    ...ofOneFile('response that is larger than its cache holds', {}, reads({}, {})),
    settings: { cacheBytes: 1_048_576 },
    isAlone: true,
  },
]);

/** Other caches of the browser, and the ends of what is stored. */
export const caches = [...others, ...clearing, ...full];
