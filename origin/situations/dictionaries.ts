import {
  afterFill,
  page,
  readsResource,
  runsResource,
  script,
  storable,
  text,
  twiceAfterFill,
  unstorable,
  visit,
} from './page.ts';
import type { ServedFile, Situation, Step, Truth } from './situation.ts';

/** Chromium reads its dictionaries' metadata asynchronously, so a document asks until its request names one. */
const fill = page(`
  await read('dictionary');
  while ((await read('resource-probe', { cache: 'no-store' })) !== 'available') await pause(100);
`);
const dictionary = text({
  headers: { ...storable, 'use-as-dictionary': 'match="resource*"' },
});
const probe = text({ body: 'available', tellsDictionary: true, headers: unstorable });

function compressed(coding: 'dcb' | 'dcz', kind: (more: Partial<ServedFile>) => ServedFile) {
  return kind({
    coding,
    dictionary: 'dictionary',
    headers: { ...storable, vary: 'accept-encoding, available-dictionary' },
  });
}

function situation(
  coding: 'dcb' | 'dcz',
  name: string,
  steps: readonly Step[],
  answer: Truth['answer'],
): Situation {
  const isScript = answer === 'memory';
  return {
    name: `${coding}-${name}`,
    files: {
      fill,
      dictionary,
      'resource-probe': probe,
      page: isScript ? runsResource : readsResource,
      resource: compressed(coding, isScript ? script : text),
    },
    steps,
    judged: 'resource',
    truth: { answer, coding },
    atOrigin: answer === 'network' ? [200] : [],
  };
}

const shared = { 'access-control-allow-origin': '*', 'timing-allow-origin': '*' } as const;

/** Dictionary and response of another site than the document's. */
function elsewhere(
  coding: 'dcb' | 'dcz',
  more: Pick<Situation, 'name' | 'steps' | 'truth'> & Partial<Situation>,
): Situation {
  return {
    judged: 'resource',
    atOrigin: [200],
    ...more,
    name: `${coding}-${more.name}`,
    files: {
      fill: page(`
        await read(elsewhere + 'dictionary');
        // Chromium 156 names none across sites: a while later the document goes on without.
        for (let tries = 0; tries < 10; tries++) {
          if ((await read(elsewhere + 'resource-probe', { cache: 'no-store' })) === 'available') break;
          await pause(100);
        }`),
      dictionary: { ...dictionary, headers: { ...dictionary.headers, ...shared } },
      'resource-probe': { ...probe, headers: { ...unstorable, ...shared } },
      page: page(`await read(elsewhere + 'resource');`),
      resource: text({
        coding,
        dictionary: 'dictionary',
        headers: { ...storable, ...shared, vary: 'accept-encoding, available-dictionary' },
      }),
      ...more.files,
    },
  };
}

const acrossSites = (coding: 'dcb' | 'dcz'): Situation[] => [
  elsewhere(coding, {
    name: 'of-other-site-network',
    steps: afterFill,
    truth: { answer: 'network' },
  }),
  elsewhere(coding, {
    name: 'of-other-site-disk',
    steps: twiceAfterFill,
    truth: { answer: 'disk' },
    atOrigin: [],
  }),
  elsewhere(coding, {
    name: 'of-other-site-without-cors',
    files: { page: page(`await ended(read(elsewhere + 'resource', { mode: 'no-cors' }));`) },
    steps: afterFill,
    // The page may not see the coding of an opaque response.
    truth: { answer: 'network' },
  }),
  elsewhere(coding, {
    name: 'kept-for-other-top-level-site',
    files: {
      goes: page(`location.href = elsewhere + 'page';`, { isPassage: true }),
      page: page(`await read(here + 'resource');`),
    },
    steps: [visit('fill'), visit('goes')],
    truth: { answer: 'network', coding: 'identity' },
  }),
];

/** Dictionary codings (RFC 9842), from the network, from disk and from memory. */
export const dictionaries: readonly Situation[] = (['dcb', 'dcz'] as const).flatMap((coding) => [
  situation(coding, 'network', afterFill, 'network'),
  situation(coding, 'disk', twiceAfterFill, 'disk'),
  situation(
    coding,
    'disk-after-relaunch',
    [visit('fill'), visit('page'), { kind: 'relaunch' }, visit('page')],
    'disk',
  ),
  situation(coding, 'memory', twiceAfterFill, 'memory'),
  ...acrossSites(coding),
]);
