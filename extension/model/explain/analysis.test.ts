import { expect, test } from 'vitest';
import { explain, inputsOf } from './analysis.ts';
import { explainedSweep, trueBaseMs, trueWaits } from '../fixtures/explain.ts';
import { madeUpLink } from '../fixtures/made-up-link.ts';
import { predictHit } from './hit-prediction.ts';
import { readsOf } from '../sweep/reads.ts';
import { summarize } from '../sweep/summary.ts';

const document = explainedSweep();
const summary = summarize(document.run, document.samples);
const explained = explain(document.run, summary, readsOf(document.samples), []);

test('base and waits of every series equal the values behind the samples, and the model holds', () => {
  // Three arms of two workloads.
  expect(explained.models).toHaveLength(3 * 2);
  for (const { series, baseMs, waits, waitsInterval, verdict } of explained.models) {
    const entry = document.run.stored.find(
      ({ arm, workload }) => arm === series.arm && workload === series.workload,
    );
    const stored = entry?.storedBytes ?? 0;
    expect(verdict).toBe('holds');
    expect(waits / trueWaits(stored)).toBeCloseTo(1, 1);
    expect(baseMs / trueBaseMs(series.arm, entry?.decodedBytes ?? 0)).toBeCloseTo(1, 0);
    expect(waitsInterval?.low).toBeLessThan(waits);
  }
});

test('the model of the waits is recovered: 3 fixed waits, and one per 128 KiB', () => {
  expect(explained.waitModel?.fixedWaits).toBeCloseTo(3, 0);
  expect((explained.waitModel?.bytesPerWait ?? 0) / 131_072).toBeCloseTo(1, 1);
  expect(explained.waitModel?.medianErrorShare).toBeLessThan(0.05);
});

test('stored forms are judged by the margin of the plan', () => {
  const run = { ...document.run, plan: { ...document.run.plan, margin: 0.3 } };
  const { formTimes } = explain(
    run,
    summarize(run, document.samples),
    readsOf(document.samples),
    [],
  );
  const margins = formTimes.flatMap(({ verdict }) => verdict?.margin ?? []);
  expect(new Set(margins)).toEqual(new Set([0.3]));
});

test('delays held out from the fit are predicted', () => {
  expect(explained.heldOut.points).toHaveLength(3 * 2 * 5);
  expect(explained.heldOut.medianShare).toBeLessThan(0.05);
});

test('the break-even is at the intersection of the true lines, with and without the network saving', () => {
  const big = explained.breakEvens.filter(({ of }) => of.workload === 'big');
  const waits = trueWaits(1_048_576) - trueWaits(262_144);
  const atZero = trueBaseMs('br', 1_048_576) - trueBaseMs('dcb', 1_048_576);
  expect(big[0]?.slower).toBe('above');
  expect(big[0]?.delayMs).toBeCloseTo(atZero / waits, 0);
  const slow = big.find(({ networkBitsPerSecond }) => networkBitsPerSecond === 9e6);
  const savedMs = (8 * 1000 * (262_144 - 10_485.76)) / 9e6;
  expect(slow?.savedMs).toBeCloseTo(savedMs, 3);
  // Beyond the delays that were measured: the model alone shows none.
  expect((atZero + savedMs) / waits).toBeGreaterThan(20);
  expect(slow).toMatchObject({ slower: null, delayMs: null });
  const fast = big.find(({ networkBitsPerSecond }) => networkBitsPerSecond === 50e6);
  const savedFastMs = (8 * 1000 * (262_144 - 10_485.76)) / 50e6;
  expect((fast?.delayMs ?? 0) / ((atZero + savedFastMs) / waits)).toBeCloseTo(1, 1);
});

test('a smaller stored form is tested against today’s form', () => {
  const at = (form: string, delayMs: number) =>
    explained.formTimes.find(
      (each) =>
        each.workload === 'big' &&
        each.form === form &&
        each.storage !== 'none' &&
        each.requestedDelayMs === delayMs,
    );
  expect(at('br', 20)?.verdict?.outcome).toBe('DIFFERENT');
  expect(at('br', 20)?.differenceMs).toBeLessThan(-50);
  expect(at('decoded', 20)?.verdict).toBeNull();
});

test('a different read-ahead scales only the waits for the body; bandwidth adds transfer time', () => {
  const model = explained.models.find(
    ({ series }) => series.arm === 'dcb' && series.workload === 'big',
  );
  if (!model) throw new Error('no model');
  const inputs = inputsOf(document.run, summary, explained.waitModel);
  const device = { delayMs: 10, bandwidthBytesPerSecond: 500e6 };
  const own = predictHit(model, 1_048_576, { ...device, readAheadKiB: 128 }, inputs);
  const half = predictHit(model, 1_048_576, { ...device, readAheadKiB: 64 }, inputs);
  const slow = predictHit(model, 1_048_576, { ...device, bandwidthBytesPerSecond: 10e6 }, inputs);
  expect((half.readMs ?? 0) - (own.readMs ?? 0)).toBeGreaterThan(65);
  expect((half.readMs ?? 0) - (own.readMs ?? 0)).toBeLessThan(95);
  expect((slow.readMs ?? 0) - (own.readMs ?? 0)).toBeCloseTo(
    1_048_576 / 10_000 - 1_048_576 / 500_000,
    3,
  );
});

test('the transfer time of the own device does not contain its delay', () => {
  // A device with a latency of 0.4 ms that takes 1.2 ms for a MiB.
  const slow = summary.points.filter(({ requestedDelayMs }) => [5, 10].includes(requestedDelayMs));
  const points = slow.map((point) => {
    const p50 = point.requestedDelayMs + 0.4;
    const throughputBytesPerSecond = (1000 * 2 ** 20) / (p50 + 1.2);
    return { ...point, measuredDelayMs: { p50, p95: p50 }, throughputBytesPerSecond };
  });
  const inputs = inputsOf(document.run, { ...summary, points }, explained.waitModel);
  expect((inputs.ownMsPerByte ?? 0) * 2 ** 20).toBeCloseTo(1.2, 9);
  // At a long delay the difference varies: there it may be 0.
  const [first, ...longer] = points;
  const varied = longer.map((point) => ({ ...point, throughputBytesPerSecond: 1e9 }));
  const again = inputsOf(
    document.run,
    { ...summary, points: [...varied, first!] },
    explained.waitModel,
  );
  expect(again.ownMsPerByte).toBe(inputs.ownMsPerByte);
});

test('a model that does not fit its points reports it and predicts nothing', () => {
  const bent = explainedSweep({ arms: ['br', 'dcb'], sizes: [1_048_576] });
  for (const sample of bent.samples)
    if (sample.cell.arm === 'br' && sample.cell.delayMs === 5) sample.readMs *= 2;
  const found = explain(bent.run, summarize(bent.run, bent.samples), readsOf(bent.samples), []);
  const model = found.models.find(({ series }) => series.arm === 'br' && series.workload === 'big');
  expect(model?.verdict).toBe('fails');
  expect(model?.why).toContain('5 ms');
  const predicted = found.predictions.filter(
    ({ series }) => series.arm === 'br' && series.workload === 'big',
  );
  expect(predicted.map(({ readMs }) => readMs)).toEqual(predicted.map(() => null));
});

test('the answer states cause, break-even and the effect of other forms, and only measured facts', () => {
  const text = explained.answer.join(' ');
  expect(text).toMatch(/waits for the device 11\.1 times/);
  expect(text).not.toContain('reads no dictionary');
  expect(text).toMatch(/latency of a device read is 0\.5.* Above it, .* stored as Brotli/);
  expect(text).toContain('A hit stored as Brotli is ');
  expect(text).toContain('were not counted one by one');
  const few = explainedSweep({ delaysMs: [0, 5], arms: ['br'] });
  const unexplained = explain(few.run, summarize(few.run, few.samples), readsOf(few.samples), []);
  expect(unexplained.models).toEqual([]);
  expect(unexplained.answer).toEqual([
    expect.stringContaining('that needs DCB, Brotli and three delays'),
  ]);
});

test('over a link the saving of the first load is measured in place of computed', () => {
  const { samples } = document;
  const run = { ...document.run, plan: { ...document.run.plan, link: madeUpLink } };
  const [first] = run.plan.workloads ?? [];
  const loads = samples
    .filter(
      ({ kind, cell }) =>
        kind === 'timed' &&
        cell.storage === 'none' &&
        cell.workload === first?.name &&
        ['br', 'dcb'].includes(cell.arm),
    )
    .map((sample) => ({
      ...sample,
      kind: 'first load' as const,
      readMs: sample.cell.arm === 'br' ? 90 : 50,
    }));
  const reads = readsOf([...samples, ...loads]);
  const { breakEvens } = explain(run, summarize(run, samples), reads, []);
  const own = breakEvens.filter(({ of }) => of.arm === 'dcb' && of.workload === first?.name);
  expect(
    own.map(({ networkBitsPerSecond, link, savedMs }) => [networkBitsPerSecond, link, savedMs]),
  ).toEqual([
    [null, undefined, 0],
    [null, '20ms', expect.closeTo(40, 6)],
  ]);
});
