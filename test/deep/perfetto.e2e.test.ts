import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tracedReadName } from '@cachescope/model/explain/trace-events.ts';
import type { TracedRead } from '@cachescope/model/explain/traced-read.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { panelBrowser, type PanelBrowser } from '../../harness/browser/panel-browser.ts';
import { messageOf } from '../../harness/error.ts';
import { readRunOf } from '../../harness/results/run-directory.ts';
import { installPerfetto, openInPerfetto, type OpenTrace } from '../../scripts/perfetto.ts';
import { base, cachescope, lacking } from '../command-under-test.ts';

function perfettoOrNull(): string | null {
  try {
    return installPerfetto(join(base, 'perfetto'));
  } catch (error) {
    console.warn(`The trace is not read by Perfetto: ${messageOf(error)}`);
    return null;
  }
}
const perfetto = lacking ? null : perfettoOrNull();

/** The query that the docs show. */
const page = readFileSync(join(import.meta.dirname, '../../harness/docs/traces.md'), 'utf8');
const [, documented = ''] = /```sql\n(.*?)```/s.exec(page) ?? [];

describe.skipIf(perfetto === null)('the trace of a sweep, in Perfetto', () => {
  let browser: PanelBrowser;
  let trace: OpenTrace;
  let traced: TracedRead[];

  beforeAll(async () => {
    const out = join(base, 'traced');
    const file = join(base, 'trace.json');
    const few = ['--samples', '1', '--launches', '1', '--workload', 'synthetic:1MiB'];
    const plan = ['--delays', '2,5', '--trace', '--no-recompress', '--env', 'skip', ...few];
    for (const words of [
      ['sweep', ...plan, '--out', out],
      ['report', out, '--perfetto', file],
    ]) {
      const { code, stderr } = await cachescope(...words);
      expect(code, stderr).toBe(0);
    }
    traced = (await readRunOf('sweep', out)).traced ?? [];
    browser = await panelBrowser();
    trace = await openInPerfetto(await browser.newPage(), String(perfetto), file);
  });
  afterAll(async () => {
    await trace?.close();
    await browser?.close();
  });

  test('its trace processor reads every event', async () => {
    const errors = `SELECT name, value FROM stats WHERE severity = 'error' AND value > 0`;
    expect(await trace.query(errors)).toEqual([]);
  });

  test('the documented query counts the device reads and the chain of every cell', async () => {
    expect(traced).toHaveLength(6);
    const cells = await trace.query(`SELECT name FROM process WHERE name GLOB 'Read of *'`);
    expect(new Set(cells.map(({ name }) => name))).toEqual(new Set(traced.map(tracedReadName)));
    const watched = traced.filter(({ deviceReads }) => (deviceReads ?? []).length > 0);
    expect(watched.length).toBeGreaterThanOrEqual(4);
    const expected = watched.map((read) => ({
      name: tracedReadName(read),
      reads: read.deviceReads?.length,
      chain: read.serialReads,
    }));
    const byName = (one: { name?: unknown }, other: { name?: unknown }) =>
      String(one.name).localeCompare(String(other.name));
    expect((await trace.query(documented)).toSorted(byName)).toEqual(expected.toSorted(byName));
  });

  test('arrows join the reads of each chain in their order', async () => {
    const arrows =
      await trace.query(`SELECT extract_arg(before.arg_set_id, 'args.placeInChain') AS place,
        extract_arg(after.arg_set_id, 'args.placeInChain') AS following, after.ts - before.ts - before.dur AS waitedNs
      FROM flow JOIN slice AS before ON before.id = slice_out JOIN slice AS after ON after.id = slice_in`);
    const joints = traced.map(({ serialReads }) => Math.max(0, (serialReads ?? 0) - 1));
    expect(arrows).toHaveLength(joints.reduce((sum, count) => sum + count, 0));
    for (const { place, following, waitedNs } of arrows) {
      expect(following).toBe(Number(place) + 1);
      expect(waitedNs).toBeGreaterThanOrEqual(0);
    }
  });

  test("Chromium's own request lies within each read: one clock", async () => {
    const [within] = await trace.query(`SELECT count(DISTINCT read.id) AS reads
      FROM slice AS read JOIN slice AS request ON request.ts BETWEEN read.ts AND read.ts + read.dur
      WHERE read.category = 'cachescope.read' AND request.category = 'netlog' AND request.name = 'CORS_REQUEST'`);
    expect(within).toEqual({ reads: traced.length });
  });
});
