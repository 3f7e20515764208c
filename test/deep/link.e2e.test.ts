import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { usableRequests } from '@cachescope/model/fill/trial.ts';
import { linkDepartures } from '@cachescope/model/network/proof.ts';
import { describe, expect, test } from 'vitest';
import { readRunOf } from '../../harness/results/run-directory.ts';
import { base, cachescope, expectNothingLeft, lacking } from '../command-under-test.ts';
import { linkLacking } from '../link-need.ts';

const link = ['--link', '20ms,50Mbit/s', '--env', 'skip', '--seed', '5'];
const roundTripMs = 40;

describe.skipIf(linkLacking !== null)('behind a link with a round trip of 40 ms', () => {
  test('an empty cache costs a page its round trips, and a warm one does not', async () => {
    const [out, list] = [join(base, 'pageload'), join(base, 'page.txt')];
    // The connection, the document, the script and what it fetches.
    writeFileSync(list, 'document 2kB index.html\n  script 5kB app.js\n    fetch 1kB data.json\n');
    const states = ['--arms', 'plain', '--states', 'empty,warm', '--launches', '1'];
    const { code, stderr } = await cachescope(
      'pageload',
      '--list',
      list,
      ...states,
      ...link,
      '--out',
      out,
    );
    // A test beside this one may drop the page cache: a load is then excluded, and the run partial.
    expect([0, 4], stderr).toContain(code);
    const { run, pageloads } = await readRunOf('pageload', out);
    const endOf = (state: string) =>
      Math.max(
        ...(pageloads.find(({ cell }) => cell.state === state)?.rows ?? []).flatMap(
          ({ startMs, endMs }) => (startMs === null || endMs === null ? [] : endMs - startMs),
        ),
      );
    expect(endOf('empty')).toBeGreaterThan(roundTripMs - 0.5);
    expect(endOf('warm')).toBeLessThan(endOf('empty'));
    expect(run.environment.link).toBe('20ms,50Mbit/s');
    expect(run.linkProofs).toHaveLength(1);
    for (const { before, counts } of run.linkProofs ?? []) {
      expect(run.plan.link && linkDepartures(run.plan.link, before)).toEqual([]);
      expect(counts?.down.bytes).toBeGreaterThan(8000);
    }
    expectNothingLeft();
  });

  test('every response to readers in Node and in Chromium takes a round trip, behind each kind of server', async () => {
    const out = join(base, 'fill');
    const systems = ['--systems', 'origin,edge-stream,browser-page', '--questions', 'none'];
    const size = ['--suites', 'full', '--time', '1s', '--workers', '3', '--size', '10KiB'];
    const { code, stderr } = await cachescope('fill', ...systems, ...size, ...link, '--out', out);
    expect(code, stderr).toBe(0);
    const { run, lines } = await readRunOf('fill', out);
    const trials = lines.flatMap((line) => (line.kind === 'trial' ? [line] : []));
    expect(trials).toHaveLength(3);
    for (const trial of trials) {
      const requests = usableRequests(trial);
      expect(requests.length).toBeGreaterThan(3);
      const first = requests.filter(({ file, worker }) => file === 0 && worker === 0);
      for (const { durationMs } of first) expect(durationMs).toBeGreaterThan(roundTripMs - 0.5);
    }
    expect(run.linkProofs).toHaveLength(3);
    expectNothingLeft();
  });
});

describe.skipIf(linkLacking !== null || lacking !== null)('first loads behind a link', () => {
  test('a response that a dictionary makes small takes a round trip less, and cached reads take none', async () => {
    const out = join(base, 'sweep');
    const arms = ['--arms', 'br,dcb', '--no-recompress', '--workload', 'synthetic:100KiB'];
    const counts = ['--samples', '1', '--launches', '1', '--first-loads'];
    const { code, stderr } = await cachescope(
      'sweep',
      '1',
      '1',
      '1',
      ...arms,
      ...counts,
      ...link,
      '--out',
      out,
    );
    expect(code, stderr).toBe(0);
    const { run, samples } = await readRunOf('sweep', out);
    const loads = samples.filter(({ kind }) => kind === 'first load');
    expect(loads).toHaveLength(4);
    for (const { readMs, cell } of loads)
      // 15 kB as Brotli, which does not fit into the initial window; 0.4 kB with the dictionary.
      expect(readMs).toBeGreaterThan((cell.arm === 'br' ? 2 : 1) * roundTripMs - 0.5);
    const cached = samples.filter(({ kind, cell }) => kind === 'timed' && cell.storage === 'none');
    for (const { originRequests } of cached) expect(originRequests).toBe(0);
    expect(run.linkProofs).toHaveLength(4);
    expect(existsSync(join(out, 'report.html'))).toBe(true);
    expectNothingLeft();
  });
});
