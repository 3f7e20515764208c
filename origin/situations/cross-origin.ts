import { disk, memory, network } from './outcomes.ts';
import { once, page, script, storable, text, thenInNewTab, twice } from './page.ts';
import { situation, type Situation } from './situation.ts';

const runsForeign = page(`await script(elsewhere + 'resource');`);
const readsForeign = page(`await read(elsewhere + 'resource');`);
const hidden = { page: runsForeign, resource: script() };
const timed = {
  page: runsForeign,
  resource: script({ headers: { ...storable, 'timing-allow-origin': '*' } }),
};
const shared = {
  page: readsForeign,
  resource: text({ coding: 'br', headers: { ...storable, 'access-control-allow-origin': '*' } }),
};

/** With Timing-Allow-Origin the page is told as much as of its own; without, next to nothing. */
export const crossOrigin: readonly Situation[] = [
  situation('cross-origin-network-hidden', once, network, hidden),
  situation('cross-origin-memory-hidden', twice, memory, hidden),
  situation('cross-origin-disk-hidden', thenInNewTab, disk, hidden),
  situation('cross-origin-cors-disk-hidden', twice, disk, shared),
  situation('cross-origin-network-timed', once, network, timed),
  situation('cross-origin-disk-timed', thenInNewTab, disk, timed),
];
