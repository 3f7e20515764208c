import { kinds } from './kinds.ts';
import { type Came, fresh, situation, type Steps, text } from './page.ts';
import type { ServedFile, Situation } from './situation.ts';

const ends = (
  name: string,
  run: string,
  resource: ServedFile,
  came: Came = 'network',
  steps: Steps = 'once',
) => situation(name, steps, came, { page: run, resource, over: text(fresh) });
/** Half of it arrives, and the rest once the document has given it up and asked for `over`. */
const half = { ...fresh, restWaitsFor: 'over' };
const over = `await fetch('over');`;
const sound = (more: Partial<ServedFile>) => kinds['audio']?.file(more) ?? text(more);

/** The document has a response, and gives up the rest of it. */
export const endedEarly: readonly Situation[] = [
  ends(
    'event-source-closed',
    `await new Promise((resolve) => {
      const source = new EventSource('resource');
      source.onmessage = () => { source.close(); resolve(); };
    });`,
    text({ contentType: 'text/event-stream', body: 'data: a\n\n', ...fresh, staysOpen: true }),
  ),
  ends(
    'fetch-aborted-after-headers',
    `const asking = new AbortController();
    await fetch('resource', { signal: asking.signal });
    asking.abort();
    ${over}`,
    text(half),
  ),
  ends(
    'fetch-stream-canceled',
    `const { body } = await fetch('resource');
    const reader = body.getReader();
    await reader.read();
    await reader.cancel();
    ${over}`,
    text(half),
  ),
  ends(
    'xhr-aborted-after-headers',
    `await new Promise((resolve) => {
      const request = new XMLHttpRequest();
      request.open('GET', 'resource');
      request.onreadystatechange = () => {
        if (request.readyState === 3) { request.abort(); resolve(); }
      };
      request.send();
    });
    ${over}`,
    text(half),
  ),
  situation('image-undecodable-from-disk', 'afterFill', 'disk', {
    fill: `await read('resource');`,
    page: `await ended(image('resource'));`,
    resource: text({ contentType: 'image/png' }),
  }),
  ends(
    'media-given-up',
    `const media = Object.assign(new Audio(), { preload: 'auto', src: 'resource' });
    document.body.append(media);
    await new Promise((resolve) => { media.onloadedmetadata = media.onprogress = resolve; });
    media.removeAttribute('src');
    media.load();
    ${over}`,
    sound(half),
  ),
  ends(
    'media-from-disk-again',
    `await played('audio', 'resource'); await played('audio', 'resource');`,
    sound({}),
    { truth: { answer: 'disk' }, uses: 2 },
    'thenInNewTab',
  ),
];
