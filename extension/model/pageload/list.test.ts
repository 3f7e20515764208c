import { expect, test } from 'vitest';
import { readListPage } from './pageload-list.ts';

const read = (text: string) => readListPage({ name: 'page.txt', text });

function tree(text: string): [name: string, parent: string | undefined][] {
  const parsed = read(text);
  if ('problems' in parsed) throw new Error(parsed.problems.join('\n'));
  const { resources } = parsed.value.page;
  return resources.map(({ name, parent }) => [name, resources[parent ?? -1]?.name]);
}

test('the tree follows the indentation', () => {
  const text = `
# a page
document 20k index.html stale
  script 1.5k app.js
    fetch 300 data.json no-store
    script 60k https://cdn.example/more.js?x=1
  stylesheet 40k site.css   # with a font
    font 20k text.woff2
image 3k top.png
`;
  expect(tree(text)).toEqual([
    ['index.html', undefined],
    ['app.js', 'index.html'],
    ['data.json', 'app.js'],
    ['more.js', 'app.js'],
    ['site.css', 'index.html'],
    ['text.woff2', 'site.css'],
    ['top.png', 'index.html'],
  ]);
});

test('a list without a document gets one', () => {
  expect(tree('script 1k a.js\n  script 1k b.js\nscript 1k c.js')).toEqual([
    ['index.html', undefined],
    ['a.js', 'index.html'],
    ['b.js', 'a.js'],
    ['c.js', 'index.html'],
  ]);
});

test('sizes are bytes, thousands and millions', () => {
  const parsed = read('script 800 a\nscript 35k b\nscript 2m c\nscript 32.3k d');
  if ('problems' in parsed) throw new Error('refused');
  const sizes = parsed.value.page.resources.map(({ bodyBytes }) => bodyBytes);
  expect(sizes).toEqual([2000, 800, 35_000, 2_000_000, 32_300]);
});

test('everything that is wrong is told at once, with its line', () => {
  const lines = [
    'document 1k a',
    'script 0 b',
    'script 3000m c',
    'script -5 d',
    'sprite 1k e',
    'image 1k',
    'image 1k f sometimes',
    '      image 1k g',
    'image 1k h',
    '  script 1k i',
  ];
  const parsed = read(lines.join('\n'));
  const problems = 'problems' in parsed ? parsed.problems : [];
  const places = problems.map((problem) => /line (\d+)/.exec(problem)?.[1]);
  expect(places).toEqual(['2', '3', '4', '5', '6', '7', '8', '10']);
  expect(problems[0]).toContain('"0" is no size; it must be from 1 to 67108864 bytes');
});

test('an empty list is refused', () => {
  expect(read('# nothing\n')).toHaveProperty('problems');
});
