import { chmodSync, writeFileSync } from 'node:fs';
import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { ConformanceWitness, Violation } from '@cachescope/model/judge/play.ts';
import type { JudgeSummary } from '@cachescope/model/judge/summary.ts';
import { describe, expect, onTestFinished, test } from 'vitest';
import { findChromium } from '../../harness/browser/find.ts';
import { conformanceSituations } from '../../harness/conformance/situations.ts';
import { base, cachescope, expectNothingLeft, linesOf, start } from '../command-under-test.ts';

let runs = 0;

/** The summary of a run whose gate is safety, and its exit code. */
async function judged(...words: string[]): Promise<{ summary: JudgeSummary; code: number | null }> {
  const out = join(base, `run-${runs++}`);
  const options = ['--seed', '1', '--gate', 'safety', '--json', '--out', out];
  const { code, stdout, stderr } = await cachescope('judge', ...words, ...options);
  expect(stdout, stderr).toMatch(/^\{/);
  return { summary: JSON.parse(stdout) as JudgeSummary, code };
}

/** The rules that only the candidate breaks, each with the situations. */
function brokenIn({ safety }: JudgeSummary): Partial<Record<Violation, string[]>> {
  const broken = safety.filter(({ candidateOnly }) => candidateOnly.length > 0);
  return Object.fromEntries(broken.map(({ rule, candidateOnly }) => [rule, candidateOnly]));
}

describe('planted faults', () => {
  test('a byte that is altered on disk, in the back end without checksums: wrong bytes', async () => {
    const chromium = (await findChromium(undefined))?.path ?? '';
    const altering = join(base, 'altering-chromium');
    // Chromium keeps a body above 16 KiB in a file f_*. The bodies have no X.
    writeFileSync(
      altering,
      `#!/bin/sh
for word in "$@"; do
  case "$word" in --disk-cache-dir=*) cache="\${word#*=}" ;; esac
done
for file in "$cache"/Default/Cache/Cache_Data/f_*; do
  [ -f "$file" ] && printf X | dd of="$file" bs=1 seek=5000 conv=notrunc 2>/dev/null
done
exec '${chromium}' "$@"
`,
    );
    chmodSync(altering, 0o755);
    const { summary, code } = await judged(
      ...`--browser-b ${altering} --disk-cache blockfile --rounds 2 --situations`.split(' '),
      'hit after a restart',
    );
    expect(summary.verdict).toBe('BROKEN');
    expect(brokenIn(summary)).toEqual({ 'wrong-bytes': ['hit after a restart'] });
    expect(code).toBe(10);
  });

  test('an origin that says that stale responses are fresh: stale as fresh', async () => {
    const planted = createServer((request, response) => {
      const [host, port] = (request.headers.host ?? '').split(':');
      const { method, url: path, headers } = request;
      const onward = forward({ host, port, method, path, headers }, (answer) => {
        const cacheControl = answer.headers['cache-control'];
        const fresh = cacheControl === 'no-cache' && { 'cache-control': 'max-age=86400' };
        response.writeHead(answer.statusCode ?? 500, { ...answer.headers, ...fresh });
        answer.pipe(response);
      });
      onward.on('error', () => response.destroy());
      request.pipe(onward);
    });
    await new Promise<void>((resolve) => planted.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      planted.closeAllConnections();
      planted.close();
    });
    const { port } = planted.address() as AddressInfo;
    const { summary, code } = await judged(
      '--flags',
      `--host-resolver-rules=MAP 127.0.0.1 127.0.0.1:${port}`,
      '--situations',
      '304 when stale',
      '--rounds',
      '2',
    );
    expect(summary.verdict).toBe('BROKEN');
    expect(brokenIn(summary)).toEqual({ 'stale-as-fresh': ['304 when stale'] });
    expect(code).toBe(10);
  });
});

test('an interrupted run is resumed, plays what is missing, and leaves nothing behind', async () => {
  const out = join(base, 'interrupted');
  const words = ['--features', 'recompress', '--situations', 'ranges', '--rounds', '2'];
  const { child, ended, until } = start(['judge', ...words, '--seed', '1', '--out', out]);
  const lines = () => linesOf(join(out, 'plays.ndjson'));
  await until(() => lines().length > 3);
  child.kill('SIGINT');
  expect((await ended).code).toBe(130);
  const before = lines();
  expectNothingLeft();
  const resumed = await cachescope('judge', '--resume', out, '--gate', 'conformance');
  expect(resumed.code, resumed.stderr).toBe(10);
  expect(lines().slice(0, before.length)).toEqual(before);
  const wanted = conformanceSituations.filter(
    ({ name, topic }) => name.includes('ranges') || topic === 'ranges',
  );
  expect(lines()).toHaveLength(2 * 2 * wanted.length);
  expectNothingLeft();
});

const all = ['page', 'timing', 'origin'] as const;
const unstored = ['timing', 'origin'] as const;
const statuses = [203, 404, 405, 410, 414, 500, 501, 503];

/** What differs with Chromium's recompression, by design, and the witnesses that tell. */
const known: Record<string, readonly ConformanceWitness[]> = {
  'bytes that do not compress': unstored,
  'response that is larger than its cache holds': unstored,
  'range of a stored response': all,
  'range that the origin answers whole': all,
  'range of a small response': all,
  'back end simple: range of a stored response': all,
  'back end blockfile: range of a stored response': all,
  'back end sql: range of a stored response': all,
  'reader of the whole beside one of a range': all,
  'first of two readers aborts': ['origin'],
  'settings of the other side after a restart, and back': unstored,
  ...Object.fromEntries(statuses.map((status) => [`status ${status}, fresh`, unstored])),
};

test('recompression breaks no safety rule, and differs only in the situations that are known', async () => {
  const { summary, code } = await judged('--features', 'recompress', '--quick');
  expect(brokenIn(summary)).toEqual({});
  expect(code).toBe(0);
  const unsteady = summary.rows.filter(({ outcome }) => outcome === 'unsteady');
  const different = summary.rows.filter(({ outcome }) => outcome === 'different');
  const wanted = Object.entries(known).filter(
    ([name]) => !unsteady.some(({ situation }) => situation === name),
  );
  expect(Object.fromEntries(different.map((row) => [row.situation, row.differsBy]))).toEqual(
    Object.fromEntries(wanted),
  );
  expect(summary.counts['not played']).toBe(0);
  // On a busy machine a few may vary.
  expect(unsteady.length, JSON.stringify(unsteady)).toBeLessThanOrEqual(5);
});
