import { expect, test } from 'vitest';
import { readListPage } from './list.ts';

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
document 20kB index.html stale
  script 1.5kB app.js
    fetch 300 data.json no-store
    script 60kB https://cdn.example/more.js?x=1
  stylesheet 40kB site.css   # with a font
    font 20kB text.woff2
image 3kB top.png
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

test('a list without a document gets a generated one', () => {
  expect(tree('script 1kB a.js\n  script 1kB b.js\nscript 1kB c.js')).toEqual([
    ['index.html', undefined],
    ['a.js', 'index.html'],
    ['b.js', 'a.js'],
    ['c.js', 'index.html'],
  ]);
});

test('sizes are in bytes, kB and MB', () => {
  const parsed = read('script 800 a\nscript 35kB b\nscript 2MB c\nscript 32.3kB d');
  if ('problems' in parsed) throw new Error('refused');
  const sizes = parsed.value.page.resources.map(({ bodyBytes }) => bodyBytes);
  expect(sizes).toEqual([2000, 800, 35_000, 2_000_000, 32_300]);
});

test('all problems are reported at once, with their lines', () => {
  const lines = [
    'document 1kB a',
    'script 0 b',
    'script 3000MB c',
    'script -5 d',
    'sprite 1kB e',
    'image 1kB',
    'image 1kB f sometimes',
    '      image 1kB g',
    'image 1kB h',
    '  script 1kB i',
  ];
  const parsed = read(lines.join('\n'));
  const problems = 'problems' in parsed ? parsed.problems : [];
  const places = problems.map((problem) => /line (\d+)/.exec(problem)?.[1]);
  expect(places).toEqual(['2', '3', '4', '5', '6', '7', '8', '10']);
  expect(problems[0]).toContain(
    '"0" is not a size; it must be a size such as 64KiB or 2MB, from 1B to 64MiB; a number alone is in B',
  );
});

test('an empty list is refused', () => {
  expect(read('# nothing\n')).toHaveProperty('problems');
});
