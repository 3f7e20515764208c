import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compareSides } from '@cachescope/model/compare/build.ts';
import { sideOf } from '@cachescope/model/compare/side.ts';
import { madeUpRun } from '@cachescope/model/fixtures/made-up-run.ts';
import type { RunDocument } from '@cachescope/model/run/run.ts';
import type { SweepRunDocument } from '@cachescope/model/sweep/run.ts';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { comparisonFormatNames, formatNames, formats } from './formats.ts';
import { measurementsOf } from './measurements.ts';
import { sampleColumns } from './parquet.ts';

const whole = madeUpRun(8);
const samples = whole.samples
  .filter(({ cell }) => cell.storage !== 'none' && cell.delayMs === 10)
  .map((sample) => ({ ...sample, readMs: Math.round(100 * sample.readMs) / 100 }));
const one: SweepRunDocument = { ...whole, samples };
const twice = samples.map((sample) => ({ ...sample, readMs: sample.readMs * 2 }));

const compared = compare(one, { ...one, samples: twice });
const labels = { bot: 'lab-1', gitHash: '0123456789abcdef' };

function compare(a: SweepRunDocument, b: SweepRunDocument): RunDocument {
  const sides = [a, b].map((run, at) => sideOf(`results/${at}`, { run }, {}, undefined));
  const [first, second] = sides;
  if (!first || !second || 'problems' in first || 'problems' in second) throw new Error('sides');
  const head = { ...a.run, commandLine: ['compare'] };
  const built = compareSides(first.value, second.value, { isOneRun: false }, head);
  if ('problems' in built) throw new Error(built.problems.join());
  return built.value;
}

function rendered(name: string, document: RunDocument): string {
  const found = formats[name]?.render(document, labels) ?? '';
  return typeof found === 'string' ? found : `${JSON.stringify(found, null, 1)}\n`;
}

// To update the files after an intended change: vitest run --update, and review the difference.
const texts = comparisonFormatNames.split(', ');

test.each(texts)('%s of a run and of a comparison is unchanged', async (name) => {
  for (const [kind, document] of Object.entries({ run: one, comparison: compared })) {
    const golden = join(import.meta.dirname, 'golden', `${name}-${kind}.txt`);
    await expect(rendered(name, document)).toMatchFileSnapshot(golden);
    expect(rendered(name, structuredClone(document))).toBe(rendered(name, document));
  }
});

/** The published schema of Skia Perf (skia-buildbot, perf/go/ingest/format/formatSchema.json), and its rule for keys. */
const skiaKeys = z.record(z.string().regex(/^\w+$/), z.string().regex(/^\w+$/));
const skiaSchema = z.strictObject({
  version: z.literal(1),
  git_hash: z.string().min(7),
  key: skiaKeys,
  results: z.array(
    z.strictObject({
      key: skiaKeys,
      measurements: z.record(
        z.string(),
        z.array(z.strictObject({ value: z.string(), measurement: z.number() })),
      ),
    }),
  ),
});

test('Skia Perf: no two results share a trace, and every metric of every cell has one', () => {
  for (const document of [one, compared]) {
    const { key, results } = skiaSchema.parse(JSON.parse(rendered('skia-perf', document)));
    const traces = results.map((result) => JSON.stringify({ ...key, ...result.key }));
    expect(new Set(traces).size).toBe(traces.length);
    expect(results).toHaveLength(document === one ? 6 : 4);
  }
});

/** catapult, docs/histogram-set-json-format.md: its specification of the fields that we use. */
const guid = z.uuid();
const histogramSchema = z.strictObject({
  name: z.string(),
  unit: z.enum(['ms_smallerIsBetter', 'count_smallerIsBetter', 'sizeInBytes_smallerIsBetter']),
  description: z.string(),
  sampleValues: z.array(z.number()).min(1),
  maxNumSampleValues: z.number(),
  running: z.tuple([
    z.number(),
    z.number(),
    z.number().nullable(),
    z.number(),
    z.number(),
    z.number(),
    z.number(),
  ]),
  allBins: z.strictObject({ 0: z.tuple([z.number()]) }),
  summaryOptions: z.strictObject({ percentile: z.array(z.number()) }),
  diagnostics: z.record(z.string(), guid),
});
const diagnosticSchema = z.union([
  z.strictObject({ guid, type: z.literal('GenericSet'), values: z.array(z.unknown()) }),
  z.strictObject({ guid, type: z.literal('DateRange'), min: z.number() }),
]);

test('HistogramSet: every reference resolves, and the statistics are those of the samples', () => {
  const entries = z
    .array(z.union([histogramSchema, diagnosticSchema]))
    .parse(JSON.parse(rendered('histogram-set', one)));
  const guids = new Set(entries.flatMap((entry) => ('guid' in entry ? [entry.guid] : [])));
  const histograms = entries.flatMap((entry) => ('running' in entry ? [entry] : []));
  expect(histograms).toHaveLength(6);
  for (const { diagnostics, running, sampleValues, allBins } of histograms) {
    for (const reference of Object.values(diagnostics)) expect(guids).toContain(reference);
    const [count, max, , mean, min, sum, squares] = running;
    expect([count, max, min, allBins[0][0]]).toEqual([
      sampleValues.length,
      Math.max(...sampleValues),
      Math.min(...sampleValues),
      sampleValues.length,
    ]);
    expect(mean * count).toBeCloseTo(sum, 9);
    // The population variance as E[x^2] - E[x]^2, computed differently from the code.
    const ofSquares = sampleValues.reduce((total, value) => total + value * value, 0) / count;
    expect(squares / count / (ofSquares || 1)).toBeCloseTo(
      (ofSquares - mean ** 2) / (ofSquares || 1),
      9,
    );
  }
  const reads = histograms.find(({ unit }) => unit.startsWith('sizeInBytes'));
  expect(new Set(reads?.sampleValues)).toEqual(new Set([274_432]));
});

test('a metric without samples is absent, and a value of 0 has no logarithm', () => {
  const silent = samples.map((sample) => ({ ...sample, device: null, readMs: 0 }));
  const text = rendered('histogram-set', { ...one, samples: silent });
  const entries = JSON.parse(text) as { name?: string; running?: unknown[] }[];
  const histograms = entries.filter(({ running }) => running !== undefined);
  expect(histograms.map(({ name }) => name)).toEqual(['readMs', 'readMs']);
  expect(histograms[0]?.running?.[2]).toBeNull();
});

test('the help of a comparison names every format but the refused one', () => {
  expect(formatNames).toBe(`${comparisonFormatNames}, parquet`);
});

test('Parquet: the same bytes each time; a comparison has no samples', () => {
  const bytes = () => formats['parquet']?.render(one, labels) as Uint8Array;
  expect(Buffer.from(bytes().slice(0, 4)).toString()).toBe('PAR1');
  expect(bytes()).toEqual(bytes());
  const odd = { ...one, samples: one.samples.map((sample) => ({ ...sample, bodyBytes: 1.5 })) };
  expect(() => formats['parquet']?.render(odd, labels)).toThrow(
    expect.objectContaining({ code: 'CS_RUN_INVALID', exitCode: 2 }),
  );
  expect(() => formats['parquet']?.render(compared, labels)).toThrow(
    expect.objectContaining({ code: 'CS_NO_SAMPLES', exitCode: 2 }),
  );
});

test('Parquet of a run whose samples are all flagged has them', () => {
  const flagged = samples.map((sample) => ({ ...sample, flags: ['origin-touched' as const] }));
  expect(formats['parquet']?.render({ ...one, samples: flagged }, labels)).toBeInstanceOf(
    Uint8Array,
  );
});

test('a run without a usable sample is refused, and so is one without groups', () => {
  expect(() => measurementsOf({ ...one, samples: [] })).toThrow(
    expect.objectContaining({ code: 'CS_NO_READINGS' }),
  );
  const micro = { run: { ...one.run, experiment: 'micro' }, slices: [] } as unknown as RunDocument;
  expect(() => measurementsOf(micro)).toThrow(
    expect.objectContaining({ code: 'CS_NO_GROUPS', exitCode: 2 }),
  );
  expect(() => formats['parquet']?.render(micro, labels)).toThrow(
    expect.objectContaining({ code: 'CS_NO_GROUPS' }),
  );
});

test('the table for ClickHouse has the columns of Parquet in their order, and the run', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/clickhouse.sql'), 'utf8');
  const [, table = ''] = /CREATE TABLE samples\n\(\n(.*?)\n\)/s.exec(page) ?? [];
  const names = table.split('\n').map((line) => line.trim().split(' ')[0]);
  expect(names).toEqual(['run', ...Object.keys(sampleColumns)]);
});
