import { page, script, storable, text, unstorable, visit } from './page.ts';
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
      page: page(isScript ? `await script('resource');` : `await read('resource');`),
      resource: compressed(coding, isScript ? script : text),
    },
    steps,
    judged: 'resource',
    truth: { answer, coding },
    atOrigin: answer === 'network' ? [200] : [],
  };
}

/** Dictionary codings (RFC 9842), from the network, from disk and from memory. */
export const dictionaries: readonly Situation[] = (['dcb', 'dcz'] as const).flatMap((coding) => [
  situation(coding, 'network', [visit('fill'), visit('page')], 'network'),
  situation(coding, 'disk', [visit('fill'), visit('page'), visit('page')], 'disk'),
  situation(
    coding,
    'disk-after-relaunch',
    [visit('fill'), visit('page'), { kind: 'relaunch' }, visit('page')],
    'disk',
  ),
  situation(coding, 'memory', [visit('fill'), visit('page'), visit('page')], 'memory'),
]);
