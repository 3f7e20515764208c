import { disk, network } from './outcomes.ts';
import { once, page, script, text, thenInNewTab, twice } from './page.ts';
import type { Situation } from './situation.ts';

const starts = (file: string, options = '{}') =>
  `await new Promise((resolve) => { new Worker('${file}', ${options}).onmessage = resolve; });`;
const says = (more = '') => script({ body: `${more}; postMessage('ready');` });

const files = {
  worker: says(),
  module: says(`import './imported'`),
  imported: script(),
  importing: says(`importScripts('imported-late')`),
  'imported-late': script(),
  reading: script({ body: `fetch('read').then(() => postMessage('ready'));` }),
  read: text(),
  nesting: script({ body: `new Worker('nested').onmessage = () => postMessage('ready');` }),
  nested: says(),
};
const runs = [
  starts('worker'),
  starts('module', `{ type: 'module' }`),
  starts('importing'),
  starts('reading'),
  starts('nesting'),
];
/** What is judged, by its name. */
const judged: Readonly<Record<string, keyof typeof files>> = {
  script: 'worker',
  module: 'module',
  'module-import': 'imported',
  'import-scripts': 'imported-late',
  fetch: 'read',
  nested: 'nested',
};
const states = {
  network: { steps: once, ...network },
  again: { steps: twice, ...disk },
  disk: { steps: thenInNewTab, ...disk },
};

const shared = {
  scene: 'shared-worker',
  steps: once,
  ...network,
  files: {
    page: page(`await new Promise((resolve) => {
      new SharedWorker('shared').port.onmessage = resolve;
    });`),
    shared: script({
      body: `onconnect = async ({ ports: [port] }) => { await fetch('resource'); port.postMessage('ready'); };`,
    }),
    resource: text(),
  },
};

/** What workers of a page ask for: their scripts, what these import, and what they fetch. */
export const workers: readonly Situation[] = [
  ...Object.entries(states).flatMap(([state, outcome]) =>
    Object.entries(judged).map(([name, file]): Situation => ({
      ...outcome,
      scene: `page-workers-${state}`,
      name: `page-worker-${name}-${state}`,
      files: { ...files, page: page(runs.join('\n')) },
      judged: file,
    })),
  ),
  { ...shared, name: 'shared-worker-script', judged: 'shared' },
  { ...shared, name: 'shared-worker-fetch', judged: 'resource' },
];
