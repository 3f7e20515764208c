import { page, script, storable, text, visit, visitInNewTab } from './page.ts';
import type { Situation } from './situation.ts';

const runsForeignScript = page(`await script(elsewhere + 'resource');`);
const readsForeign = page(`await read(elsewhere + 'resource');`);
const shared = { ...storable, 'access-control-allow-origin': '*' } as const;
const timed = { ...storable, 'timing-allow-origin': '*' } as const;

/** With Timing-Allow-Origin the page is told as much as of its own; without, next to nothing. */
export const crossOrigin: readonly Situation[] = [
  {
    name: 'cross-origin-network-hidden',
    files: { page: runsForeignScript, resource: script() },
    steps: [visit('page')],
    judged: 'resource',
    truth: { answer: 'network' },
    atOrigin: [200],
  },
  {
    name: 'cross-origin-memory-hidden',
    files: { page: runsForeignScript, resource: script() },
    steps: [visit('page'), visit('page')],
    judged: 'resource',
    truth: { answer: 'memory' },
    atOrigin: [],
  },
  {
    name: 'cross-origin-disk-hidden',
    files: { page: runsForeignScript, resource: script() },
    steps: [visit('page'), visitInNewTab('page')],
    judged: 'resource',
    truth: { answer: 'disk' },
    atOrigin: [],
  },
  {
    name: 'cross-origin-cors-disk-hidden',
    files: { page: readsForeign, resource: text({ coding: 'br', headers: shared }) },
    steps: [visit('page'), visit('page')],
    judged: 'resource',
    truth: { answer: 'disk' },
    atOrigin: [],
  },
  {
    name: 'cross-origin-network-timed',
    files: { page: runsForeignScript, resource: script({ headers: timed }) },
    steps: [visit('page')],
    judged: 'resource',
    truth: { answer: 'network' },
    atOrigin: [200],
  },
  {
    name: 'cross-origin-disk-timed',
    files: { page: runsForeignScript, resource: script({ headers: timed }) },
    steps: [visit('page'), visitInNewTab('page')],
    judged: 'resource',
    truth: { answer: 'disk' },
    atOrigin: [],
  },
];
