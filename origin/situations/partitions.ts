import { page, storable, text, visit } from './page.ts';
import type { Situation } from './situation.ts';

const shared = text({
  headers: { ...storable, 'access-control-allow-origin': '*', 'timing-allow-origin': '*' },
});
const readsForeign = page(`await read(elsewhere + 'resource');`);
const goes = page(`location.href = elsewhere + 'page';`, { isPassage: true });
const reads = page(`await read(here + 'resource');`);
const inner = page(`await read('resource'); parent.postMessage('ended', '*');`);
const frames = (place: string) =>
  page(`
    document.body.append(Object.assign(document.createElement('iframe'), { src: ${place} + 'frame' }));
    await new Promise((resolve) => addEventListener('message', resolve));`);
const network = { judged: 'resource', truth: { answer: 'network' }, atOrigin: [200] } as const;
const disk = { judged: 'resource', truth: { answer: 'disk' }, atOrigin: [] } as const;

/** Chromium keeps the entries of each top-level site and frame site apart: one URL may be stored several times. */
export const partitions: readonly Situation[] = [
  {
    ...network,
    name: 'partition-of-other-top-level-site',
    files: { fill: readsForeign, goes, page: reads, resource: shared },
    steps: [visit('fill'), visit('goes')],
  },
  {
    ...disk,
    name: 'partition-of-same-top-level-site',
    files: { goes, page: reads, resource: shared },
    steps: [visit('goes'), visit('goes')],
  },
  {
    ...network,
    name: 'partition-of-frame-of-other-site',
    files: { fill: readsForeign, page: frames('elsewhere'), frame: inner, resource: shared },
    steps: [visit('fill'), visit('page')],
    otherwise: [{ truth: { answer: 'disk' }, atOrigin: [] }],
  },
  {
    ...disk,
    name: 'partition-of-same-frame-of-other-site',
    files: { page: frames('elsewhere'), frame: inner, resource: shared },
    steps: [visit('page'), visit('page')],
  },
  {
    ...disk,
    name: 'partition-of-frame-of-same-site',
    files: {
      fill: page(`await read('resource');`),
      page: frames('here'),
      frame: inner,
      resource: shared,
    },
    steps: [visit('fill'), visit('page')],
  },
  {
    ...network,
    name: 'partition-of-frame-under-other-top-level-site',
    files: { goes, fill: readsForeign, page: frames('here'), frame: inner, resource: shared },
    steps: [visit('fill'), visit('goes')],
    otherwise: [{ truth: { answer: 'disk' }, atOrigin: [] }],
  },
];
