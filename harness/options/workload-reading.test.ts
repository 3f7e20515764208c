import { expect, test } from 'vitest';
import { readWorkloads } from './workload-reading.ts';

function read(raw: Parameters<typeof readWorkloads>[0]) {
  const problems: string[] = [];
  return { choices: readWorkloads(raw, problems), problems };
}

test('one workload by itself, several with commas, sizes as further ones', () => {
  expect(read({})).toEqual({ choices: [{ name: 'pdfjs' }], problems: [] });
  expect(read({ workload: 'pdfjs,three', sizes: '10kb, 10mb' }).choices).toEqual(
    ['pdfjs', 'three', 'synthetic:10kb', 'synthetic:10mb'].map((name) => ({ name })),
  );
  expect(read({ sizes: 'none' })).toEqual({ choices: [{ name: 'pdfjs' }], problems: [] });
  expect(read({ sizes: '10kb' }).choices).toEqual([{ name: 'synthetic:10kb' }]);
});

test('every problem is told at once', () => {
  const { problems } = read({ workload: 'pdfjs,nothing', sizes: '10,huge,0kb,10' });
  expect(problems).toEqual([
    expect.stringContaining('--sizes names "huge", "0kb"'),
    expect.stringContaining('--workload "nothing" is not known'),
    expect.stringContaining('one of them twice'),
  ]);
});

test('a pair of one’s own may stand beside sizes', () => {
  const file = import.meta.filename;
  expect(read({ dictionary: file, resource: file, sizes: '1mb' })).toEqual({
    choices: [{ dictionary: file, resource: file }, { name: 'synthetic:1mb' }],
    problems: [],
  });
  expect(read({ dictionary: file }).problems).toEqual([
    expect.stringContaining('--dictionary needs --resource'),
  ]);
});
