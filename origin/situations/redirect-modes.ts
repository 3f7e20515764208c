import {
  type Came,
  fresh,
  type Files,
  outcome,
  outcomeOf,
  shared,
  situation,
  type Steps,
  storable,
  text,
  unstorable,
} from './page.ts';
import { installs, worker } from './service-worker-script.ts';
import type { Situation } from './situation.ts';

const target = 'resource';
const redirect = (status: number, headers: Readonly<Record<string, string>> = unstorable) =>
  text({ status, body: '', headers: { ...headers, location: target } });
const kept = redirect(301, storable);
const resource = text({ headers: { ...storable, ...shared } });
const asks = (options: string, url = `'moved'`) => `await ended(fetch(${url}, { ${options} }));`;
const manual = asks(`redirect: 'manual'`);
const refusing = asks(`redirect: 'error'`);

/** The redirect itself is judged. */
const unfollowed = (
  name: string,
  came: Came,
  page: string,
  moved: Files[string],
  steps: Steps = 'once',
) => situation(name, steps, { judged: 'moved', ...outcomeOf(came) }, { page, moved, resource });

/** Redirects that the page gets itself, or refuses (Fetch, redirect modes `manual` and `error`). */
const notFollowed: readonly Situation[] = [
  unfollowed('manual-redirect-network', outcome('network', [302]), manual, redirect(302)),
  unfollowed('manual-redirect-disk', 'disk', manual, kept, 'twice'),
  unfollowed('manual-redirect-308-disk', 'disk', manual, redirect(308, storable), 'twice'),
  unfollowed(
    'manual-redirect-of-post',
    outcome('network', [303]),
    asks(`redirect: 'manual', method: 'POST', body: 'a'`),
    redirect(303),
  ),
  unfollowed(
    'manual-redirect-of-other-site',
    outcome('network', [302]),
    asks(`redirect: 'manual'`, `elsewhere + 'moved'`),
    redirect(302, { ...unstorable, ...shared }),
  ),
  // Chromium confirms no stored redirect: it asks again.
  unfollowed(
    'manual-redirect-to-be-confirmed',
    outcome('network', [301]),
    manual,
    { ...redirect(301, { 'cache-control': 'no-cache' }), isConditional: true },
    'twice',
  ),
  unfollowed(
    'manual-redirect-then-followed',
    outcome('disk', [], { uses: 2 }),
    `${manual} await read('moved');`,
    kept,
    'twice',
  ),
  unfollowed('redirect-refused', outcome('failed', [302]), refusing, redirect(302)),
  unfollowed('redirect-refused-from-disk', outcome('failed', []), refusing, kept, 'twice'),
];

/** The document asks for `moved`, which the service worker answers with this. */
const answered = (
  name: string,
  came: Came,
  response: string,
  page = `await ended(read('moved'));`,
) =>
  situation(
    name,
    'afterFill',
    { judged: 'moved', ...outcomeOf(came) },
    {
      fill: installs(),
      page,
      worker: worker(`
        addEventListener('fetch', (event) => {
          if (new URL(event.request.url).pathname.endsWith('/moved')) event.respondWith(${response});
        });`),
      moved: redirect(302),
      resource: text(fresh),
    },
  );
const redirects = `Response.redirect('resource')`;
const toNetwork = outcome('network', [200], { target });

/** A service worker that redirects, or passes a redirect on. */
const byWorker: readonly Situation[] = [
  answered('worker-redirects', toNetwork, redirects),
  answered('worker-redirects-image', toNetwork, redirects, `await ended(image('moved'));`),
  answered('worker-redirects-script', toNetwork, redirects, `await ended(script('moved'));`),
  answered('worker-redirects-by-hand', outcome('service-worker/synthetic', []), redirects, manual),
  answered(
    'worker-follows-redirect',
    outcome('service-worker/network', [200], { target }),
    `fetch(event.request.url)`,
  ),
];

export const redirectModes: readonly Situation[] = [...notFollowed, ...byWorker];
