import { image, page, script, style, visit } from './page.ts';
import type { ServedFile, Situation } from './situation.ts';

const kinds: Record<string, { run: string; resource: ServedFile }> = {
  script: { run: `await script('resource');`, resource: script() },
  module: { run: `await script('resource', { type: 'module' });`, resource: script() },
  style: { run: `await style('resource');`, resource: style() },
  image: { run: `await image('resource');`, resource: image() },
};

/** The renderer's memory cache, across documents and within one. */
export const memoryCache: readonly Situation[] = [
  ...Object.entries(kinds).map(([kind, { run, resource }]): Situation => ({
    name: `memory-${kind}`,
    files: { page: page(run), resource },
    steps: [visit('page'), visit('page')],
    judged: 'resource',
    truth: { answer: 'memory' },
    atOrigin: [],
  })),
  {
    name: 'memory-reload',
    files: { page: page(`await script('resource');`), resource: script() },
    steps: [visit('page'), { kind: 'reload' }],
    judged: 'resource',
    truth: { answer: 'memory' },
    atOrigin: [],
  },
  {
    name: 'same-document',
    files: { page: page(`await image('resource'); await image('resource');`), resource: image() },
    steps: [visit('page')],
    judged: 'resource',
    hasNoEntry: true,
    truth: { answer: 'same-document' },
    atOrigin: [200],
  },
  {
    name: 'same-document-at-once',
    files: {
      page: page(`await Promise.all([image('resource'), image('resource')]);`),
      resource: image({ delayMs: 100 }),
    },
    steps: [visit('page')],
    judged: 'resource',
    hasNoEntry: true,
    truth: { answer: 'same-document' },
    atOrigin: [200],
  },
  {
    name: 'same-document-style',
    files: { page: page(`await style('resource'); await style('resource');`), resource: style() },
    steps: [visit('page')],
    judged: 'resource',
    hasNoEntry: true,
    truth: { answer: 'same-document' },
    atOrigin: [200],
  },
];
