import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { edgeModes } from '@cachescope/origin/edge/edge.ts';
import { startEdge } from '@cachescope/origin/edge/server.ts';
import { beforeAll, expect, test } from 'vitest';
import { CacheSuite, passedCases, type SuiteCase, type SuiteResults } from '../cache-suite.ts';

/** Another checkout of the suite: its dependencies must be installed. */
const folder =
  process.env['CACHE_TESTS'] ??
  dirname(fileURLToPath(import.meta.resolve('http-cache-tests/package.json')));
const suite = new CacheSuite(folder);

let cases: SuiteCase[];
/** Without a cache, and for each mode of the edge. */
const results = new Map<string, SuiteResults>();

beforeAll(async () => {
  cases = await suite.cases();
  // Each has a server of its own: a case is told from the same case of another run by nothing but its server.
  const runs = ['none', ...edgeModes].map(async (mode) => {
    await using server = await suite.serve();
    if (mode === 'none') return results.set(mode, await suite.run(server.url));
    const edge = await startEdge({ upstream: server.url, mode: mode as never });
    results.set(mode, await suite.run(edge.url));
    return edge.close();
  });
  await Promise.all(runs);
  for (const [mode, found] of results) {
    const passed = passedCases(cases, found);
    const counts = (['required', 'optimal'] as const).map((kind) => {
      const all = cases.filter((each) => each.kind === kind);
      return `${all.filter(({ id }) => passed.has(id)).length} of ${all.length} ${kind}`;
    });
    console.log(`${mode}: ${counts.join(', ')}`);
  }
});

/**
 * The registry's version asks of Age what RFC 9111 section 5.1 has changed since: what is no number is to be ignored, and of
 * a list the first member counts.
 */
const outdated = (id: string): boolean =>
  !process.env['CACHE_TESTS'] && id.startsWith('age-parse-');

test.each(edgeModes)(
  '%s: every required case passes that does not fail without a cache too',
  (mode) => {
    const required = cases.filter(({ kind }) => kind === 'required');
    const without = results.get('none') ?? {};
    const found = results.get(mode) ?? {};
    const failed = required.filter(
      ({ id }) => found[id] !== true && without[id] === true && !outdated(id),
    );
    expect(failed.map(({ id }) => [id, found[id]])).toEqual([]);
  },
);

test.each(edgeModes)(
  '%s: of the optimal cases as many pass as with the best published proxy',
  (mode) => {
    const optimal = cases.filter(({ kind }) => kind === 'optimal');
    const passed = passedCases(cases, results.get(mode) ?? {});
    // Apache Traffic Server 9, in the suite’s own results.
    const bestShare = 70 / 105;
    const share = optimal.filter(({ id }) => passed.has(id)).length / optimal.length;
    expect(share).toBeGreaterThanOrEqual(bestShare);
  },
);
