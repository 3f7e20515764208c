import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { edgeModes } from '@cachescope/origin/edge/edge.ts';
import { startEdge } from '@cachescope/origin/edge/server.ts';
import { beforeAll, expect, test } from 'vitest';
import { ownNginx } from '../../harness/nginx/nginx-binary.ts';
import { startNginx } from '../../harness/nginx/nginx.ts';
import { createPrivilege } from '../../harness/privilege.ts';
import {
  type CaseKind,
  CacheSuite,
  passedCases,
  type SuiteCase,
  suiteNginxConfig,
  type SuiteResults,
} from '../cache-suite.ts';

/** Path of another checkout of the suite, with its dependencies installed. */
const checkout = process.env['CACHE_TESTS'];
const suite = new CacheSuite(
  checkout ?? dirname(fileURLToPath(import.meta.resolve('http-cache-tests/package.json'))),
);
const nginx = await ownNginx();

let cases: SuiteCase[];
/** By row name of the table in origin/README.md. */
const results = new Map<string, SuiteResults>();
/**
 * A case whose response expires in the second in which it was sent. nginx uses it until that second ends
 * (`valid_sec < now` in ngx_http_file_cache.c), so the result depends on the moment of the run. It is not counted.
 */
const changesWithTheSecond = 'freshness-expires-present';
const edgeRow = (mode: string): string => `edge, \`${mode}\``;

beforeAll(async () => {
  cases = await suite.cases();
  const runs = [
    measured('no cache', (url) => suite.run(url)),
    ...edgeModes.map((mode) =>
      measured(edgeRow(mode), async (upstream) => {
        const edge = await startEdge({ upstream, mode });
        const found = await suite.run(edge.url);
        await edge.close();
        return found;
      }),
    ),
  ];
  if (nginx) {
    const privilege = createPrivilege({ dryRun: false, say: () => undefined });
    const name = `${nginx.version.replace('nginx version: nginx/', 'nginx ')}, the suite's configuration`;
    const run = measured(name, async (upstream) => {
      const configOf = suiteNginxConfig(upstream);
      const server = await startNginx(nginx, configOf, privilege);
      const found = await suite.run(server.url);
      await server.close();
      return {
        ...found,
        [changesWithTheSecond]: ['not counted', 'depends on the second'] as const,
      };
    });
    runs.push(run);
  }
  await Promise.all(runs);
  const published = { 'Apache Traffic Server': 'trafficserver', Varnish: 'varnish' };
  for (const [name, file] of Object.entries(published))
    results.set(`${name}, the suite's results`, suite.published(file));
  for (const row of rows()) console.log(`| ${row.join(' | ')} |`);
});

/** Each run has its own server: only the server distinguishes a case from the same case of another run. */
async function measured(
  name: string,
  run: (upstream: string) => Promise<SuiteResults>,
): Promise<void> {
  await using server = await suite.serve();
  results.set(name, await run(server.url));
}

function passed(found: SuiteResults, kind: CaseKind): number {
  const ids = passedCases(cases, found);
  return ofKind(kind).filter(({ id }) => ids.has(id)).length;
}

function ofKind(kind: CaseKind): SuiteCase[] {
  return cases.filter((each) => each.kind === kind);
}

function rows(): [name: string, required: number, optimal: number][] {
  return Array.from(results, ([name, found]) => [
    name,
    passed(found, 'required'),
    passed(found, 'optimal'),
  ]);
}

/**
 * Required cases of the registry's version that contradict RFC 9111 section 5.1: a non-numeric value of Age must be
 * ignored, and in a list the first member counts. These cases expect such a response to be stale; the newer suite
 * expects it to be fresh.
 */
const overruled: readonly string[] = checkout
  ? []
  : [
      'age-parse-nonnumeric',
      'age-parse-negative',
      'age-parse-float',
      'age-parse-prefix-twoline',
      'age-parse-dup-0',
      'age-parse-dup-0-twoline',
      'age-parse-dup-old',
      'age-parse-parameter',
      'age-parse-numeric-parameter',
    ];

test.each(edgeModes)(
  '%s: every required case passes unless it also fails without a cache',
  (mode) => {
    const without = results.get('no cache') ?? {};
    const found = results.get(edgeRow(mode)) ?? {};
    const failed = ofKind('required').filter(
      ({ id }) => found[id] !== true && without[id] === true,
    );
    const usedAgain = overruled.map((id) => [id, ['Assertion', 'Response 2 comes from cache']]);
    expect(failed.map(({ id }) => [id, found[id]])).toEqual(usedAgain);
  },
);

test.each(edgeModes)(
  '%s: at least as many optimal cases pass as with the best of nginx, Varnish and Apache Traffic Server',
  (mode) => {
    const best = ['nginx', 'varnish', 'trafficserver'].map((name) =>
      passed(suite.published(name), 'optimal'),
    );
    const found = passed(results.get(edgeRow(mode)) ?? {}, 'optimal');
    expect(found).toBeGreaterThanOrEqual(Math.max(...best));
  },
);

test('origin/README.md states the counts', () => {
  const readme = readFileSync(new URL('../../origin/README.md', import.meta.url), 'utf8');
  const table = readme.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
  const column = (kind: CaseKind): number =>
    table.find((cells) => cells[1] === 'cache')?.indexOf(`${kind}, of ${ofKind(kind).length}`) ??
    -1;
  const told = (name: string): [string, number, number] | null => {
    const row = table.find((cells) => cells[1] === name);
    return row ? [name, Number(row[column('required')]), Number(row[column('optimal')])] : null;
  };
  // An nginx whose version is not in the table is measured and printed, but not compared.
  const comparable = rows().filter(([name]) => !name.startsWith('nginx') || told(name));
  expect(comparable.map(([name]) => told(name))).toEqual(comparable);
});
