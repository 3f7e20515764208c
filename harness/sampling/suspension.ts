/** How something came not to run. */
export type SuspensionKind =
  /** A signal (SIGSTOP, SIGTSTP) or a debugger stopped it. */
  | 'stopped'
  /** Its control group was frozen. */
  | 'frozen'
  /** The witness itself neither slept nor ran nor waited for a processor: with it all of this program stood still. */
  | 'not run'
  /** The machine slept: CLOCK_BOOTTIME went on, CLOCK_MONOTONIC did not. */
  | 'asleep'
  /** The hypervisor gave a processor to others. */
  | 'stolen'
  /** No process could continue, because all waited for memory. */
  | 'stalled';

/** Something that did not run for a while. */
export interface Suspension {
  /** For people: `renderer (process 4711)`, `the machine`. */
  who: string;
  how: SuspensionKind;
  /** For about this time, ms. */
  ms: number;
}

/** What the witness reads. Times in ms from any start, which only ever grow. */
export interface ObservedMachine {
  /** CLOCK_MONOTONIC, by which all reads are timed. */
  monotonicMs(): number;
  /** CLOCK_BOOTTIME: it also counts while the machine sleeps. */
  bootMs(): number;
  /** Time for which the calling thread ran, or waited for a processor. */
  scheduledMs(): number;
  /** Page faults of the calling thread for which the kernel read from a disk. */
  majorFaults(): number;
  /** Time that the hypervisor took from each processor. */
  stolenMs(): readonly number[];
  /** Time in which no process could continue for want of memory (PSI, `full`). */
  stalledMs(): number;
  /** Finds the processes that this program has started; these are watched too. */
  findProcesses(servers: readonly number[]): void;
  /** Those found that are stopped or frozen now. */
  halted(): readonly Pick<Suspension, 'who' | 'how'>[];
}

/** Interval of the looks at the processes while something is timed, ms: a stop of 0.2 s is seen at least twice. */
export const lookMs = 50;
/** A shorter time is not told from the steps of the clocks and the delays of a busy machine, ms. */
const leastMs = 100;
/**
 * A look that comes so late without a reason says that this program did not run, ms: less than a stop of 0.2 s delays one by,
 * and more than a wait of this thread for another one on a busy machine.
 */
const leastLateMs = 140;
/**
 * The same for a look that itself waited for a page from the disk, ms: each dropped page cache takes pages of this program
 * with it, and beside 20 busy processes one took 0.1 s to come back.
 */
const leastFaultedMs = 250;
/** Looks from one search for new processes to the next: a search takes longer than a look. */
const looksEach = 4;
/** A processor, or all memory, counts as lost when it was away for this share of the time. */
const leastShare = 0.5;

/** The machine's counters at the start of a watch. */
type Start = Record<'monotonicMs' | 'bootMs' | 'stalledMs', number> & {
  stolenMs: readonly number[];
};

interface Watch {
  start: Start;
  seen: Map<string, Suspension>;
}

/** Notes what did not run while watches are open. Its owner calls `look` when `lookMs` have passed since the last call. */
export class SuspensionLog {
  readonly #machine: ObservedMachine;
  readonly #watches = new Map<number, Watch>();
  #servers: readonly number[] = [];
  #looks = 0;
  #lookedMs = 0;
  #scheduledMs = 0;
  #majorFaults = 0;

  constructor(machine: ObservedMachine) {
    this.#machine = machine;
  }

  /** True while a watch is open, so that looks are needed. */
  get isWatching(): boolean {
    return this.#watches.size > 0;
  }

  begin(id: number, servers: readonly number[] = []): void {
    if (this.isWatching) this.look();
    else this.#rest();
    this.#servers = servers;
    this.#machine.findProcesses(servers);
    this.#watches.set(id, { start: this.#start(), seen: new Map() });
    this.#noteHalted(0);
  }

  look(): void {
    const sinceMs = this.#machine.monotonicMs() - this.#lookedMs;
    // A thread that waits for a processor is late because the machine is busy, which is no suspension.
    const lateMs = sinceMs - lookMs - (this.#machine.scheduledMs() - this.#scheduledMs);
    const hasFaulted = this.#machine.majorFaults() > this.#majorFaults;
    if (lateMs >= (hasFaulted ? leastFaultedMs : leastLateMs))
      this.#note({ who: 'Cachescope', how: 'not run', ms: lateMs });
    if (++this.#looks % looksEach === 0) this.#machine.findProcesses(this.#servers);
    this.#noteHalted(sinceMs);
    this.#rest();
  }

  /** Closes a watch; returns what did not run since its start. */
  end(id: number): Suspension[] {
    this.look();
    const watch = this.#watches.get(id);
    this.#watches.delete(id);
    if (!watch) return [];
    return [...watch.seen.values(), ...lostBetween(watch.start, this.#start())];
  }

  #rest(): void {
    this.#lookedMs = this.#machine.monotonicMs();
    this.#scheduledMs = this.#machine.scheduledMs();
    this.#majorFaults = this.#machine.majorFaults();
  }

  #start(): Start {
    const machine = this.#machine;
    return {
      monotonicMs: machine.monotonicMs(),
      bootMs: machine.bootMs(),
      stalledMs: machine.stalledMs(),
      stolenMs: machine.stolenMs(),
    };
  }

  #noteHalted(ms: number): void {
    for (const each of this.#machine.halted()) this.#note({ ...each, ms });
  }

  #note({ who, how, ms }: Suspension): void {
    for (const { seen } of this.#watches.values()) {
      const key = `${how} ${who}`;
      seen.set(key, { who, how, ms: (seen.get(key)?.ms ?? 0) + ms });
    }
  }
}

function lostBetween(start: Start, end: Start): Suspension[] {
  const tookMs = end.monotonicMs - start.monotonicMs;
  const asleepMs = end.bootMs - start.bootMs - tookMs;
  const stolenMs = Math.max(
    0,
    ...end.stolenMs.map((ms, index) => ms - (start.stolenMs[index] ?? ms)),
  );
  const stalledMs = end.stalledMs - start.stalledMs;
  const isLost = (ms: number) => ms >= leastMs && ms >= leastShare * tookMs;
  return [
    ...(asleepMs >= leastMs ? [{ who: 'the machine', how: 'asleep', ms: asleepMs } as const] : []),
    ...(isLost(stolenMs) ? [{ who: 'a processor', how: 'stolen', ms: stolenMs } as const] : []),
    ...(isLost(stalledMs) ? [{ who: 'the machine', how: 'stalled', ms: stalledMs } as const] : []),
  ];
}

const words: Readonly<Record<SuspensionKind, string>> = {
  stopped: 'was stopped',
  frozen: 'was frozen',
  'not run': 'did not run',
  asleep: 'was suspended',
  stolen: 'was taken by the hypervisor',
  stalled: 'had no memory to continue',
};

/** A suspension in words, without a full stop: `renderer (process 4711) was stopped for about 0.3 s`. */
export function suspensionText({ who, how, ms }: Suspension): string {
  const time = ms < leastMs ? 'less than 0.1 s' : `about ${(ms / 1000).toFixed(1)} s`;
  return `${who} ${words[how]} for ${time}`;
}
