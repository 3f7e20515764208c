import { expect, test } from 'vitest';
import { readWorkloads } from './workload-reading.ts';

function read(raw: Parameters<typeof readWorkloads>[0]) {
  const problems: string[] = [];
  return { choices: readWorkloads(raw, problems), problems };
}

test('one workload by itself, several separated by commas, sizes as further ones', () => {
  expect(read({})).toEqual({ choices: [{ name: 'pdfjs' }], problems: [] });
  expect(read({ workload: 'pdfjs,three', sizes: '10KiB, 10MiB' }).choices).toEqual(
    ['pdfjs', 'three', 'synthetic:10KiB', 'synthetic:10MiB'].map((name) => ({ name })),
  );
  expect(read({ sizes: 'none' })).toEqual({ choices: [{ name: 'pdfjs' }], problems: [] });
  expect(read({ sizes: '10KiB' }).choices).toEqual([{ name: 'synthetic:10KiB' }]);
});

test('every problem is reported at once', () => {
  const { problems } = read({ workload: 'pdfjs,nothing', sizes: '10,huge,0KiB,10' });
  expect(problems).toEqual([
    expect.stringContaining('--sizes "synthetic:huge" has no such size; it must be a size'),
    expect.stringContaining('--sizes "synthetic:0KiB"'),
    expect.stringContaining('--workload "nothing" is not known'),
    expect.stringContaining('one of them twice'),
  ]);
});

test('a user’s own pair may be combined with sizes', () => {
  const file = import.meta.filename;
  expect(read({ dictionary: file, resource: file, sizes: '1MiB' })).toEqual({
    choices: [{ dictionary: file, resource: file }, { name: 'synthetic:1MiB' }],
    problems: [],
  });
  expect(read({ dictionary: file }).problems).toEqual([
    expect.stringContaining('--dictionary needs --resource'),
  ]);
});

test('synthetic workloads that memory cannot hold together are refused', () => {
  const sizes = Array.from({ length: 3000 }, (_, at) => `${at + 1}KiB`).join(',');
  expect(read({ sizes }).problems).toEqual([expect.stringContaining('at most 200 MiB')]);
  expect(read({ sizes: '100MiB,99MiB' }).problems).toEqual([]);
});
