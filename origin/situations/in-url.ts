import { page, visit } from './page.ts';
import type { Situation } from './situation.ts';

const picture = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';

/** What is in the URL itself. */
export const inUrl: readonly Situation[] = [
  {
    name: 'data-url',
    files: { page: page(`await image('data:image/svg+xml,' + encodeURIComponent('${picture}'));`) },
    steps: [visit('page')],
    judged: 'data:',
    hasNoEntry: true,
    truth: { answer: 'data' },
    atOrigin: [],
  },
  {
    name: 'blob-url',
    files: {
      page: page(
        `await image(URL.createObjectURL(new Blob(['${picture}'], { type: 'image/svg+xml' })));`,
      ),
    },
    steps: [visit('page')],
    judged: 'blob:',
    hasNoEntry: true,
    truth: { answer: 'blob' },
    atOrigin: [],
  },
];
