import { createHash } from 'node:crypto';
import type { Metric } from '@cachescope/model/compare/run.ts';
import { greatest, least } from '@cachescope/model/extremes.ts';
import {
  type Format,
  type Labels,
  type MeasuredGroup,
  type MeasuredPlace,
  type Measurements,
  measurementsOf,
} from './measurements.ts';

/** A shared diagnostic of a set: a value that several histograms reference by its guid. */
type Diagnostic = { guid: string } & (
  | { type: 'GenericSet'; values: readonly unknown[] }
  | { type: 'DateRange'; min: number }
);

/**
 * catapult's HistogramSet (catapult-project/catapult, docs/histogram-set-json-format.md), which Chromium's perf
 * dashboard, Pinpoint and results.html read. A histogram for each metric and group, with every sample.
 */
export const histogramSet: Format = {
  readers: "Chromium's perf dashboard and Pinpoint: catapult HistogramSet JSON",
  render(document, labels) {
    const measurements = measurementsOf(document);
    const shared = new Map<string, Diagnostic>();
    const common = share(commonDiagnostics(measurements, labels), shared);
    const histograms = measurements.metrics.flatMap(({ metric, places }) =>
      places.flatMap((place) =>
        place.groups
          .filter(({ values }) => values.length > 0)
          .map((group) => ({
            ...histogram(metric, group),
            diagnostics: { ...common, ...share(groupDiagnostics(place, group), shared) },
          })),
      ),
    );
    return [...shared.values(), ...histograms];
  },
};

type Content =
  | { type: 'GenericSet'; values: readonly unknown[] }
  | { type: 'DateRange'; min: number };

const set = (...values: readonly unknown[]): Content => ({ type: 'GenericSet', values });

/** Names that catapult reserves (tracing/value/diagnostics/reserved_infos.py), followed by ours. */
function commonDiagnostics({ run, experiment }: Measurements, { bot, gitHash }: Labels) {
  const { chromium, os, kernel, cpu, cores, memoryBytes, storage } = run.environment;
  return {
    benchmarks: set(`cachescope.${experiment}`),
    benchmarkStart: { type: 'DateRange', min: Date.parse(run.startedAt) } as const,
    ...(bot !== undefined && { bots: set(bot) }),
    ...(gitHash !== undefined && { chromiumRevisions: set(gitHash) }),
    productVersions: set(chromium.version),
    osNames: set('linux'),
    osDetailedVersions: set(`${os}, kernel ${kernel}`),
    memoryAmounts: set(memoryBytes),
    cpu: set(`${cpu}, ${cores} cores`),
    flags: set(...chromium.flags),
    device: set(storage),
    commandLine: set(run.commandLine.join(' ')),
  };
}

function groupDiagnostics({ factors, name }: MeasuredPlace, group: MeasuredGroup) {
  const tags = Object.entries({ ...factors, ...group.factors }).map((each) => each.join(':'));
  return {
    stories: set(`${name}, ${group.name}`),
    storyTags: set(...tags),
    flaggedSamples: set(group.flagged),
    launches: set(group.launches),
    ...(group.measuredDelayMs !== null && { measuredDelayMs: set(group.measuredDelayMs) }),
  };
}

/** Keeps each diagnostic once. Its guid is derived from its content, so that the same run gives the same file. */
function share(
  diagnostics: Readonly<Record<string, Content>>,
  shared: Map<string, Diagnostic>,
): Record<string, string> {
  const references = Object.entries(diagnostics).map(([name, content]) => {
    const guid = guidOf(JSON.stringify([name, content]));
    shared.set(guid, { guid, ...content });
    return [name, guid];
  });
  return Object.fromEntries(references);
}

/** A UUID of version 8 (RFC 9562 section 5.8). */
function guidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5');
}

/** catapult's unit for each of our units, and the factor for its values. */
const units: Readonly<Record<string, readonly [unit: string, factor: number]>> = {
  ms: ['ms', 1],
  reads: ['count', 1],
  KiB: ['sizeInBytes', 1024],
};

function histogram({ name, title, better, measure }: Metric, group: MeasuredGroup) {
  const [unit, factor] = units[measure.unit] ?? ['unitless', 1];
  const values = group.values.map((value) => value * factor);
  return {
    name,
    unit: `${unit}_${better === 'lower' ? 'smallerIsBetter' : 'biggerIsBetter'}`,
    description: title,
    sampleValues: values,
    maxNumSampleValues: values.length,
    running: running(values),
    // One bin over all numbers: the samples themselves are included.
    allBins: { 0: [values.length] },
    summaryOptions: { percentile: [0.5] },
  };
}

/**
 * count, max, mean of logarithms (null with a value of 0), mean, min, sum, and the field that the format calls
 * variance. Its readers divide that field by count - 1 themselves (catapult,
 * tracing/base/math/running_statistics.html), so it is the sum of squared deviations.
 */
function running(values: readonly number[]): (number | null)[] {
  const sum = values.reduce((total, value) => total + value, 0);
  const mean = sum / values.length;
  const squares = values.reduce((total, value) => total + (value - mean) ** 2, 0);
  const logarithms = values.reduce((total, value) => total + Math.log(value), 0);
  return [
    values.length,
    greatest(values),
    Number.isFinite(logarithms) ? logarithms / values.length : null,
    mean,
    least(values),
    sum,
    squares,
  ];
}
