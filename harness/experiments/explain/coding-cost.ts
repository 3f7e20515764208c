import { performance } from 'node:perf_hooks';
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import { type Coding, codings, dictionaryCodings } from '@cachescope/model/coding.ts';
import { median } from '@cachescope/model/statistics/quantile.ts';
import type { CodingCost } from '@cachescope/model/sweep/run.ts';
import { decodeWithDictionary } from '@cachescope/origin/encoding/decoder.ts';
import { encode } from '@cachescope/origin/encoding/encoder.ts';
import { defaultQualities } from '@cachescope/origin/encoding/qualities.ts';
import type { Workload } from '@cachescope/origin/workloads/workload.ts';

/**
 * Runs of each task: at least `fewestRuns`, and more until `leastMs` ms have passed or `mostRuns` is reached, because a
 * single run of a short task may include another's garbage collection.
 */
const fewestRuns = 5;
const mostRuns = 200;
const leastMs = 50;

const decoders = {
  gzip: promisify(zlib.gunzip),
  br: promisify(zlib.brotliDecompress),
  zstd: promisify(zlib.zstdDecompress),
} as const;

function decode(
  coding: Exclude<Coding, 'identity'>,
  encoded: Uint8Array,
  { dictionary }: Workload,
): Promise<Uint8Array> {
  if (coding === 'dcb' || coding === 'dcz')
    return decodeWithDictionary(coding, encoded, dictionary);
  return decoders[coding](encoded);
}

/** Times of a task, ms. The first run warms up the library and is excluded. */
async function timesOf(task: () => Promise<unknown>): Promise<number[]> {
  await task();
  const times: number[] = [];
  const end = performance.now() + leastMs;
  while (times.length < fewestRuns || (performance.now() < end && times.length < mostRuns)) {
    const startedAt = performance.now();
    await task();
    times.push(performance.now() - startedAt);
  }
  return times;
}

/**
 * Time that encoding and decoding a workload takes in each coding except identity, with the origin's encoder settings.
 * Node uses the same libraries as Chromium (brotli, zlib, zstd) in other versions. A workload without a dictionary has
 * no dcb and dcz.
 */
export async function codingCosts(workload: Workload): Promise<CodingCost[]> {
  const { name, resource, dictionary } = workload;
  const costs: CodingCost[] = [];
  for (const coding of codings) {
    if (coding === 'identity') continue;
    if (dictionaryCodings.includes(coding) && dictionary.byteLength === 0) continue;
    const make = () => encode(coding, resource, defaultQualities, dictionary);
    const encoded = await make();
    const encoding = await timesOf(make);
    const decoding = await timesOf(() => decode(coding, encoded, workload));
    costs.push({
      workload: name,
      coding,
      encodedBytes: encoded.byteLength,
      runs: Math.min(encoding.length, decoding.length),
      encodeMs: median(encoding) ?? Number.NaN,
      decodeMs: median(decoding) ?? Number.NaN,
    });
  }
  return costs;
}
