import { countFlags } from '../run/flags.ts';
import {
  type Cell,
  cellKey,
  isUnconfirmed,
  type Sample,
  type SampleFlag,
  sampleFlags,
} from '../run/sample.ts';
import type { Reading } from '../statistics/readings.ts';
import type { MachineReading } from './machine-effect.ts';
import type { SweepPoint } from './result.ts';
import type { Series } from './series.ts';

/** Numbers of samples by their use. */
export interface SampleCounts {
  /** Every sample, of any kind. */
  samples: number;
  /** Timed samples, flagged ones included. */
  timed: number;
  /** Samples in the statistics: timed and without a flag. */
  used: number;
  /** Confirmation reads, with heavier evidence, which the statistics exclude. */
  companions: number;
  /** Confirmation reads that are flagged or whose attribution is not certain; absent in older summaries. */
  unconfirmed?: number;
  /** Number of timed samples with each flag. One sample may have several. */
  flagged: Record<SampleFlag, number>;
}

/** A storage and its requested delay. */
export type Place = Pick<SweepPoint, 'storage' | 'requestedDelayMs'>;

/** The cell of a series at a place. */
export function cellAt({ storage, requestedDelayMs }: Place, series: Series): Cell {
  return { ...series, storage, delayMs: requestedDelayMs };
}

/** A first load: what its results are computed from. */
export type FirstLoad = Pick<Sample, 'cell' | 'launch' | 'readMs' | 'device' | 'flags'>;

/** First and last time of a launch's samples, ms since 1970, and their number. */
export interface LaunchTimes {
  first: number;
  last: number;
  count: number;
}

/** Numbers outside JavaScript's heap, 8 bytes each: a collection of garbage neither copies nor scans them. */
class NumberColumn {
  #values = new Float64Array(64);
  #length = 0;

  push(value: number): void {
    if (this.#length === this.#values.length)
      this.#values = new Float64Array(this.#values.buffer.transfer(2 * this.#values.byteLength));
    this.#values[this.#length++] = value;
  }

  get values(): Float64Array {
    return this.#values.subarray(0, this.#length);
  }
}

/** How timed reads ended, for runs whose device fails some reads (bad-reads.ts). */
export interface ReadOutcomes {
  /** Complete and correct, without a request to the origin. */
  fromCache: number;
  /** Complete and correct, with a request to the origin: Chromium discarded its entry. */
  fromNetwork: number;
  /** The page's fetch() failed. */
  failed: number;
  /** The page received bytes that are not the resource's: the most severe outcome. */
  wrongBytes: number;
}

/** The timed reads of one cell, in the order taken. */
export class CellReads {
  readonly cell: Cell;
  /** Timed reads, flagged ones included. */
  timed = 0;
  readonly outcomes: ReadOutcomes = { fromCache: 0, fromNetwork: 0, failed: 0, wrongBytes: 0 };
  /** By read that statistics may use: its time, its launch, its machine, and so on. NaN: unknown. */
  readonly #readMs = new NumberColumn();
  readonly #launch = new NumberColumn();
  readonly #machine = new NumberColumn();
  readonly #networkServiceMs = new NumberColumn();
  readonly #deviceReads = new NumberColumn();
  readonly #deviceReadBytes = new NumberColumn();
  /** Launches of flagged reads. */
  readonly #flaggedLaunches = new Set<number>();
  /** Names of the machines, by their number in the column. */
  readonly #machines: string[];

  constructor(cell: Cell, machines: string[] = []) {
    this.cell = cell;
    this.#machines = machines;
  }

  add(sample: Sample): void {
    const { launch, machine, flags, device, originRequests, networkServiceMs } = sample;
    this.timed++;
    const [isFailed, isWrong] = [flags.includes('read-failed'), flags.includes('wrong-body')];
    if (isFailed) this.outcomes.failed++;
    if (isWrong) this.outcomes.wrongBytes++;
    if (!isFailed && !isWrong) this.outcomes[originRequests > 0 ? 'fromNetwork' : 'fromCache']++;
    if (flags.length > 0) {
      this.#flaggedLaunches.add(launch);
      return;
    }
    // The counts of a shared device are only an upper bound, so the counts of the read itself are unknown.
    const own = device === null || device.shared ? null : device;
    this.#readMs.push(sample.readMs);
    this.#launch.push(launch);
    this.#machine.push(machine === undefined ? Number.NaN : this.#numberOf(machine));
    this.#networkServiceMs.push(networkServiceMs ?? Number.NaN);
    this.#deviceReads.push(own?.reads ?? Number.NaN);
    this.#deviceReadBytes.push(own?.readBytes ?? Number.NaN);
  }

  /** Launches of all timed reads, also of flagged ones. */
  launches(): Set<number> {
    return new Set(this.#launch.values).union(this.#flaggedLaunches);
  }

  /** Times of the reads that statistics may use, ms. */
  get readMs(): number[] {
    return Array.from(this.#readMs.values);
  }

  /** The counts of their device reads, where the counters are those of the read alone. */
  get deviceReads(): number[] {
    return known(this.#deviceReads);
  }

  get deviceReadBytes(): number[] {
    return known(this.#deviceReadBytes);
  }

  /** The readings that statistics may use. Made at each call, because those of all cells would not fit into memory. */
  readings(): Reading[] {
    return this.#readingsOf(this.#readMs);
  }

  /** CPU time of the network service in these reads, ms, where it is known. */
  processorReadings(): Reading[] {
    return this.#readingsOf(this.#networkServiceMs);
  }

  /** The readings with their machines; without those of unknown machine. */
  machineReadings(): MachineReading[] {
    const [launches, machines] = [this.#launch.values, this.#machine.values];
    const readings: MachineReading[] = [];
    for (const [at, value] of this.#readMs.values.entries()) {
      const machine = this.#machines[machines[at] ?? Number.NaN];
      if (machine !== undefined) readings.push({ machine, launch: launches[at] ?? null, value });
    }
    return readings;
  }

  #readingsOf({ values }: NumberColumn): Reading[] {
    const launches = this.#launch.values;
    const readings: Reading[] = [];
    for (const [at, value] of values.entries())
      if (!Number.isNaN(value)) readings.push({ value, launch: launches[at] ?? null });
    return readings;
  }

  #numberOf(machine: string): number {
    const known = this.#machines.indexOf(machine);
    return known < 0 ? this.#machines.push(machine) - 1 : known;
  }
}

function known({ values }: NumberColumn): number[] {
  return Array.from(values.filter((value) => !Number.isNaN(value)));
}

/**
 * What the results of a sweep are computed from, collected from its samples one by one: about 60 bytes of each. So the
 * samples themselves need not fit into memory.
 */
export class SweepReads {
  readonly counts: Required<SampleCounts> = {
    samples: 0,
    timed: 0,
    used: 0,
    companions: 0,
    unconfirmed: 0,
    flagged: countFlags([], sampleFlags),
  };
  /** Timed reads at constant delays, by cell key. */
  readonly cells = new Map<string, CellReads>();
  /** Timed reads while the device drew its latencies from the plan's profile, by cell key without the profile. */
  readonly drawn = new Map<string, CellReads>();
  readonly firstLoads: FirstLoad[] = [];
  /** Times of the launches of each machine, from samples of any kind at constant delays. */
  readonly launchTimes = new Map<string | undefined, Map<number, LaunchTimes>>();
  readonly #places = new Map<string, Place>();
  readonly #machines: string[] = [];
  readonly #evictionMs = new NumberColumn();

  add(sample: Sample): void {
    const { kind, cell, flags } = sample;
    const isTimed = kind === 'timed';
    this.counts.samples++;
    if (kind === 'companion') this.counts.companions++;
    if (isUnconfirmed(sample)) this.counts.unconfirmed++;
    if (isTimed) this.counts.timed++;
    if (isTimed && flags.length === 0) this.counts.used++;
    if (isTimed && flags.length > 0) for (const flag of new Set(flags)) this.counts.flagged[flag]++;
    const { profile, ...undrawn } = cell;
    if (profile !== undefined) {
      // Only the profile distinguishes its cells from those at a delay of 0.
      if (isTimed) this.#addTo(this.drawn, undrawn, sample);
      return;
    }
    this.#addTime(sample);
    const place = { storage: cell.storage, requestedDelayMs: cell.delayMs };
    this.#places.set(`${cell.storage}/${cell.delayMs}`, place);
    if (isTimed) this.#addTo(this.cells, cell, sample);
    if (isTimed && sample.evictionMs !== undefined) this.#evictionMs.push(sample.evictionMs);
    if (kind === 'first load') {
      const { launch, readMs, device } = sample;
      this.firstLoads.push({ cell, launch, readMs, device, flags });
    }
  }

  /** Times to drop the page cache before the timed reads at constant delays, ms. */
  get evictionMs(): Float64Array {
    return this.#evictionMs.values;
  }

  /** Places of the samples at constant delays, in the order of their first samples. */
  get places(): Place[] {
    return [...this.#places.values()];
  }

  /** The readings of a cell at a constant delay that statistics may use. */
  readingsAt(cell: Cell): Reading[] {
    return this.cells.get(cellKey(cell))?.readings() ?? [];
  }

  #addTo(cells: Map<string, CellReads>, cell: Cell, sample: Sample): void {
    const key = cellKey(cell);
    const own = cells.get(key) ?? new CellReads(cell, this.#machines);
    cells.set(key, own);
    own.add(sample);
  }

  #addTime({ machine, launch, takenAt }: Sample): void {
    const launches = this.launchTimes.get(machine) ?? new Map<number, LaunchTimes>();
    this.launchTimes.set(machine, launches);
    const time = Date.parse(takenAt);
    const known = launches.get(launch);
    if (!known) {
      launches.set(launch, { first: time, last: time, count: 1 });
      return;
    }
    known.first = Math.min(known.first, time);
    known.last = Math.max(known.last, time);
    known.count++;
  }
}

/** Collects what the results of a sweep are computed from. */
export function readsOf(samples: Iterable<Sample>): SweepReads {
  const reads = new SweepReads();
  for (const sample of samples) reads.add(sample);
  return reads;
}
