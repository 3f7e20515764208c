import { expect, test } from 'vitest';
import { conformanceSituations } from './situations.ts';

test('every name is unique, and every read names a file and a page of its situation', () => {
  const names = conformanceSituations.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const { name, files, pages = {}, steps } of conformanceSituations) {
    const reads = steps.flatMap((step) => {
      if (step.kind === 'read at once') return step.reads;
      return step.kind === 'read' || step.kind === 'kill' ? [step.read] : [];
    });
    expect(reads.length, name).toBeGreaterThan(0);
    for (const { file = 'resource', ends = file, page = 'main' } of reads) {
      expect(Object.keys(files), name).toEqual(expect.arrayContaining([file, ends]));
      expect(['main', ...Object.keys(pages)], name).toContain(page);
    }
  }
});
