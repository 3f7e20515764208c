import type { Answer } from '@cachescope/model/attribution/answer.ts';
import {
  type Files,
  fresh,
  outcome,
  page,
  reads,
  runs,
  situation,
  type Steps,
  storable,
  text,
  timed,
  unstorable,
  visit,
} from './page.ts';
import type { Situation, Truth } from './situation.ts';

type DictionaryCoding = 'dcb' | 'dcz';

/** Chromium reads its dictionaries' metadata asynchronously, so a document asks until its request names one. */
const fill = `
  await read('dictionary');
  while ((await read('resource-probe', { cache: 'no-store' })) !== 'available') await pause(100);
`;
const dictionary = text({
  headers: { ...storable, 'use-as-dictionary': 'match="resource*"' },
});
const probe = text({ body: 'available', tellsDictionary: true, ...fresh });
const compressed = (coding: DictionaryCoding, headers: Readonly<Record<string, string>>) => ({
  coding,
  dictionary: 'dictionary',
  headers: { ...headers, vary: 'accept-encoding, available-dictionary' },
});

const used = (coding: DictionaryCoding, name: string, steps: Steps, answer: Answer) =>
  situation(`${coding}-${name}`, steps, outcome({ answer, coding }), {
    fill,
    dictionary,
    'resource-probe': probe,
    ...(answer === 'memory' ? runs : reads)(compressed(coding, storable)),
  });

/** Dictionary and response of another site than the document's. */
const ofOtherSite = (
  coding: DictionaryCoding,
  name: string,
  steps: Steps,
  truth: Answer | Truth,
  files: Files = {},
) =>
  situation(`${coding}-${name}`, steps, outcome(truth), {
    fill: `
        await read(elsewhere + 'dictionary');
        // Chromium 156 names none across sites: a while later the document goes on without.
        for (let tries = 0; tries < 10; tries++) {
          if ((await read(elsewhere + 'resource-probe', { cache: 'no-store' })) === 'available') break;
          await pause(100);
        }`,
    dictionary: { ...dictionary, headers: { ...dictionary.headers, ...timed } },
    'resource-probe': { ...probe, headers: { ...unstorable, ...timed } },
    page: `await read(elsewhere + 'resource');`,
    resource: text(compressed(coding, { ...storable, ...timed })),
    ...files,
  });

/** Dictionary codings (RFC 9842), from the network, from disk and from memory; and across sites. */
export const dictionaries: readonly Situation[] = (['dcb', 'dcz'] as const).flatMap((coding) => [
  used(coding, 'network', 'afterFill', 'network'),
  used(coding, 'disk', 'twiceAfterFill', 'disk'),
  used(
    coding,
    'disk-after-relaunch',
    [visit('fill'), visit('page'), { kind: 'relaunch' }, visit('page')],
    'disk',
  ),
  used(coding, 'memory', 'twiceAfterFill', 'memory'),
  ofOtherSite(coding, 'of-other-site-network', 'afterFill', 'network'),
  ofOtherSite(coding, 'of-other-site-disk', 'twiceAfterFill', 'disk'),
  // The page may not see the coding of an opaque response.
  ofOtherSite(coding, 'of-other-site-without-cors', 'afterFill', 'network', {
    page: `await ended(read(elsewhere + 'resource', { mode: 'no-cors' }));`,
  }),
  ofOtherSite(
    coding,
    'kept-for-other-top-level-site',
    [visit('fill'), visit('goes')],
    { answer: 'network', coding: 'identity' },
    {
      goes: page(`location.href = elsewhere + 'page';`, { isPassage: true }),
      page: `await read(here + 'resource');`,
    },
  ),
]);
