import * as z from 'zod/mini';

const share = z.nullable(z.number().check(z.gte(0)));

/**
 * What the machine did besides the run while measurements were taken: from one kept line to a later one, at least one
 * second. Shares are 0 to 1; null: the kernel does not report it.
 */
export const machineLoadSchema = z.object({
  /** ISO 8601, UTC. */
  startedAt: z.string(),
  spanMs: z.number().check(z.gte(0)),
  /** Time inside measurements; 0 where no line has one. */
  measuringMs: z.number().check(z.gte(0)),
  /** Share of all processors' time that went to programs other than the run's own. */
  othersShare: share,
  /** Share of all processors' time that the host gave to other guests (steal of proc_stat(5)). */
  stealShare: share,
  /**
   * Share of the time in which a task waited for a processor, or for memory (`some` of pressure stall information). Not
   * for a disk: the slow disk makes the run's own reads wait.
   */
  cpuPressure: share,
  memoryPressure: share,
  /** Load average of the last minute, at the end. */
  loadAverage: share,
  /** How far the wall clock moved beyond the monotonic clock, ms: it was set, or the machine was suspended. */
  clockJumpMs: z.number(),
});
export type MachineLoad = z.infer<typeof machineLoadSchema>;

/** The fields that are averaged over several spans. */
export type LoadShare =
  | 'othersShare'
  | 'stealShare'
  | 'cpuPressure'
  | 'memoryPressure'
  | 'loadAverage';

/**
 * Average of a share over the time inside measurements (over all the time where none is known to be inside); null
 * when it is unknown for any part of that time.
 */
export function meanLoad(loads: readonly MachineLoad[], field: LoadShare): number | null {
  const isMeasured = loads.some(({ measuringMs }) => measuringMs > 0);
  let [sum, weights] = [0, 0];
  for (const load of loads) {
    const weight = isMeasured ? load.measuringMs : load.spanMs;
    const value = load[field];
    if (weight === 0) continue;
    if (value === null) return null;
    sum += weight * value;
    weights += weight;
  }
  return weights > 0 ? sum / weights : null;
}

/** Two consecutive spans as one. */
export function joinedLoad(one: MachineLoad, other: MachineLoad): MachineLoad {
  const mean = (field: LoadShare) => meanLoad([one, other], field);
  return {
    startedAt: one.startedAt,
    spanMs: one.spanMs + other.spanMs,
    measuringMs: one.measuringMs + other.measuringMs,
    othersShare: mean('othersShare'),
    stealShare: mean('stealShare'),
    cpuPressure: mean('cpuPressure'),
    memoryPressure: mean('memoryPressure'),
    loadAverage: mean('loadAverage'),
    clockJumpMs: one.clockJumpMs + other.clockJumpMs,
  };
}
