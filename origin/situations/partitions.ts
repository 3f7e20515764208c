import { disk, network } from './outcomes.ts';
import { afterFill, page, readsResource, storable, text, twice, visit } from './page.ts';
import { situation, type Situation } from './situation.ts';

const resource = text({
  headers: { ...storable, 'access-control-allow-origin': '*', 'timing-allow-origin': '*' },
});
const fill = page(`await read(elsewhere + 'resource');`);
const goes = page(`location.href = elsewhere + 'page';`, { isPassage: true });
const reads = page(`await read(here + 'resource');`);
const frame = page(`await read('resource'); parent.postMessage('ended', '*');`);
const frames = (place: string) =>
  page(`
    document.body.append(Object.assign(document.createElement('iframe'), { src: ${place} + 'frame' }));
    await new Promise((resolve) => addEventListener('message', resolve));`);
const thenGoes = [visit('fill'), visit('goes')];
const orDisk = { otherwise: [disk] };

/** Chromium keeps the entries of each top-level site and frame site apart: one URL may be stored several times. */
export const partitions: readonly Situation[] = [
  situation('partition-of-other-top-level-site', thenGoes, network, {
    fill,
    goes,
    page: reads,
    resource,
  }),
  situation('partition-of-same-top-level-site', [visit('goes'), visit('goes')], disk, {
    goes,
    page: reads,
    resource,
  }),
  situation(
    'partition-of-frame-of-other-site',
    afterFill,
    network,
    { fill, page: frames('elsewhere'), frame, resource },
    orDisk,
  ),
  situation('partition-of-same-frame-of-other-site', twice, disk, {
    page: frames('elsewhere'),
    frame,
    resource,
  }),
  situation('partition-of-frame-of-same-site', afterFill, disk, {
    fill: readsResource,
    page: frames('here'),
    frame,
    resource,
  }),
  situation(
    'partition-of-frame-under-other-top-level-site',
    thenGoes,
    network,
    { goes, fill, page: frames('here'), frame, resource },
    orDisk,
  ),
];
