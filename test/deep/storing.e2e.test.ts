import { join } from 'node:path';
import type { StoringMeasureName } from '@cachescope/model/storing/measure.ts';
import type { StoringBody } from '@cachescope/model/storing/run.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { replayedKeys } from '../../harness/experiments/storing/replay.ts';
import { readRunOf } from '../../harness/results/run-directory.ts';
import {
  base,
  cachescope,
  type Ended,
  expectNothingLeft,
  ownFlags,
} from '../command-under-test.ts';

describe('one launch of each browser, with recompression and without', () => {
  const out = join(base, 'storing');
  const bytes = 100 * 1024;
  let ended: Ended;
  let document: Awaited<ReturnType<typeof readRunOf<'storing'>>>;

  beforeAll(async () => {
    const words =
      'storing --sizes 100KiB --arms dcz --launches 1 --replay 200 --seed 1 --env skip'.split(' ');
    ended = await cachescope(...words, '--out', out);
    document = await readRunOf('storing', out);
  });

  /** All values of a measure. */
  const values = (variant: string, measure: StoringMeasureName, body: StoringBody = 'text') =>
    document.readings
      .filter((each) => each.variant === variant && each.measure === measure && each.body === body)
      .flatMap((each) => each.values);

  test('the witnesses agree on every reading', () => {
    expect(ended.code, ended.stderr).toBe(0);
    expect(document.run.status).toBe('complete');
    // Ten measures of text and of random bytes, the limited cache with text, and two of the replayed traffic.
    expect(document.readings).toHaveLength(2 * (2 * 10 + 1 + 2));
    const flagged = document.readings.filter((reading) => ownFlags(reading).length > 0);
    expect(flagged.map((each) => [each.variant, each.measure, ...ownFlags(each)])).toEqual([
      ['recompress', 'hit-rate', 'not-full'],
      ['recompress', 'replay-entries', 'not-full'],
    ]);
    expectNothingLeft();
  });

  test('text is stored smaller with recompression only, so more entries fit; random bytes are not', () => {
    expect(Math.min(...values('stock', 'stored'))).toBeGreaterThan(bytes);
    expect(Math.max(...values('recompress', 'stored'))).toBeLessThan(0.7 * bytes);
    for (const variant of ['stock', 'recompress'])
      expect(Math.min(...values(variant, 'stored', 'random'))).toBeGreaterThan(bytes);
    const [without = 0] = values('stock', 'entries');
    const [fixed = 0] = values('recompress', 'entries');
    expect(without).toBeGreaterThan(4);
    expect(without).toBeLessThanOrEqual(10);
    expect(fixed).toBeGreaterThan(without);
  });

  test('a cache that evicts nothing serves every repeated key, and the unchanged browser serves fewer', () => {
    const { replay, seed } = document.run.plan;
    const keys = replayedKeys(replay!, seed);
    const repeated = keys.filter((key, index) => index >= 100 && keys.indexOf(key) < index).length;
    expect(values('recompress', 'hit-rate')).toEqual([repeated / 100]);
    expect(values('recompress', 'replay-entries')).toEqual([new Set(keys).size]);
    const [without = 0] = values('stock', 'hit-rate');
    expect(without).toBeGreaterThan(0);
    expect(without).toBeLessThan(repeated / 100);
  });

  test('every load, hit and other request was timed', () => {
    for (const variant of ['stock', 'recompress'])
      for (const body of ['text', 'random'] as const) {
        expect(values(variant, 'load-time', body)).toHaveLength(20);
        expect(values(variant, 'hit-time', body)).toHaveLength(20);
        expect(values(variant, 'other-time', body).length).toBeGreaterThan(0);
        expect(values(variant, 'load-processor', body)[0]).toBeGreaterThan(0);
      }
  });

  test('the text fits 80 columns', () => {
    const long = ended.stdout.split('\n').filter((line) => line.length > 80);
    expect(long.filter((line) => !line.includes(base))).toEqual([]);
  });
});
