import { confirmed, page, script, storable, text, unstorable, visit } from './page.ts';
import type { Situation } from './situation.ts';

const follows = page(`await read('moved');`);
const redirect = (status: number, headers: Readonly<Record<string, string>>) =>
  text({ status, body: '', headers: { ...headers, location: 'resource' } });
const twice = {
  steps: [visit('page'), visit('page')],
  // Resource Timing and the others name the URL that was asked for.
  judged: 'moved',
  target: 'resource',
} as const;

/** A redirect and its target, each from the network or from the cache. The target is judged. */
export const redirects: readonly Situation[] = [
  {
    ...twice,
    name: 'redirect-from-disk',
    files: { page: follows, moved: redirect(301, storable), resource: text() },
    truth: { answer: 'disk' },
    atOrigin: [],
  },
  {
    ...twice,
    name: 'redirect-from-network-to-disk',
    files: { page: follows, moved: redirect(302, unstorable), resource: text() },
    truth: { answer: 'disk' },
    atOrigin: [],
  },
  {
    ...twice,
    name: 'redirect-from-disk-to-network',
    files: {
      page: follows,
      moved: redirect(301, storable),
      resource: text({ headers: unstorable }),
    },
    truth: { answer: 'network' },
    atOrigin: [200],
  },
  {
    ...twice,
    name: 'redirect-to-revalidated',
    files: {
      page: follows,
      moved: redirect(302, unstorable),
      resource: text({ isConditional: true, headers: confirmed }),
    },
    truth: { answer: 'revalidated/http-cache' },
    atOrigin: [304],
  },
  {
    ...twice,
    name: 'redirect-script-in-memory',
    files: {
      page: page(`await script('moved');`),
      moved: redirect(301, storable),
      resource: script(),
    },
    truth: { answer: 'memory' },
    atOrigin: [],
  },
];
