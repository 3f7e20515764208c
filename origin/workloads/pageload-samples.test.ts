import { harProblems } from '@cachescope/model/fixtures/har-problems.ts';
import { readHarPage } from '@cachescope/model/pageload/har.ts';
import type { Page } from '@cachescope/model/pageload/page.ts';
import { expect, test } from 'vitest';
import { sampleHar, type SamplePage } from './pageload-samples.ts';

function sample(name: SamplePage): Page {
  const har = sampleHar(name);
  expect(harProblems(har)).toEqual([]);
  const read = readHarPage({ name, json: har }, 'synthetic');
  if ('problems' in read) throw new Error(read.problems.join('\n'));
  expect(read.value.notes).toEqual([]);
  return read.value.page;
}

function depthOf({ resources }: Page, place: number): number {
  const parent = resources[place]?.parent ?? null;
  return parent === null ? 0 : 1 + depthOf({ resources } as Page, parent);
}

test('news: 300 resources of every kind, some four levels deep, some uncacheable', () => {
  const page = sample('news');
  expect(page.resources).toHaveLength(300);
  expect(new Set(page.resources.map(({ type }) => type)).size).toBe(6);
  expect(Math.max(...page.resources.map((_, place) => depthOf(page, place)))).toBe(3);
  const cachings = Map.groupBy(page.resources, ({ caching }) => caching);
  expect([...cachings.keys()].toSorted()).toEqual(['fresh', 'no-store', 'stale']);
});

test('app: 40 scripts of at least 9 MB together, loaded in three waves', () => {
  const page = sample('app');
  const scripts = page.resources.filter(({ type }) => type === 'script');
  expect(scripts).toHaveLength(40);
  expect(scripts.reduce((sum, { bodyBytes }) => sum + bodyBytes, 0)).toBeGreaterThan(9_000_000);
  expect(Math.max(...page.resources.map((_, place) => depthOf(page, place)))).toBe(3);
});

test('a sample is deterministic', () => {
  expect(sampleHar('news')).toEqual(sampleHar('news'));
});
