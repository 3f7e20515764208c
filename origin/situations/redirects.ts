import { disk, memory, network, revalidated } from './outcomes.ts';
import { confirmed, page, script, storable, text, twice, unstorable } from './page.ts';
import { type Outcome, type ServedFile, situation, type Situation } from './situation.ts';

const follows = page(`await read('moved');`);
const redirect = (status: number, headers: Readonly<Record<string, string>>) =>
  text({ status, body: '', headers: { ...headers, location: 'resource' } });
const kept = redirect(301, storable);
const passing = redirect(302, unstorable);

function redirected(
  name: string,
  outcome: Outcome,
  moved: ServedFile,
  resource: ServedFile,
  document = follows,
): Situation {
  const files = { page: document, moved, resource };
  // Resource Timing and the others name the URL that was asked for.
  return situation(`redirect-${name}`, twice, outcome, files, {
    judged: 'moved',
    target: 'resource',
  });
}

/** A redirect and its target, each from the network or from the cache. The target is judged. */
export const redirects: readonly Situation[] = [
  redirected('from-disk', disk, kept, text()),
  redirected('from-network-to-disk', disk, passing, text()),
  redirected('from-disk-to-network', network, kept, text({ headers: unstorable })),
  redirected(
    'to-revalidated',
    revalidated,
    passing,
    text({ isConditional: true, headers: confirmed }),
  ),
  redirected('script-in-memory', memory, kept, script(), page(`await script('moved');`)),
];
