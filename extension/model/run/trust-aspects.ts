import { counted, percent } from '../quantity.ts';
import type { RunBase } from './base.ts';
import { type LoadShare, type MachineLoad, meanLoad } from './machine-load.ts';
import { driftOf, fewestLaunches, type Tally } from './tally.ts';

/** How far to trust a run. A poor run has no verdicts. */
export type Grade = 'good' | 'fair' | 'poor';

/** One aspect of a run and its grade. */
export interface TrustReason {
  /** Stable name: `othersShare`, `drift`. */
  aspect: string;
  /** `unknown`: it was not recorded, so the run is fair at best. */
  grade: Grade | 'unknown';
  /** A clause without a full stop: `other programs used 3 % of the processors`. */
  text: string;
}

/** A reason, with what a poor one makes of the run: `the machine was busy`. */
export interface GradedReason extends TrustReason {
  cause?: string;
}

/** From which value on an aspect is fair, and from which it is poor; without `poor` it is never poor. */
interface Limits {
  fair: number;
  poor?: number;
}

/** Measured in runs with planted load (harness/docs/method.md, "Trust"). */
const limits = {
  othersShare: { fair: 0.1, poor: 0.5 },
  stealShare: { fair: 0.01, poor: 0.1 },
  cpuPressure: { fair: 0.5, poor: 0.8 },
  memoryPressure: { fair: 0.01, poor: 0.1 },
  flagged: { fair: 0.05, poor: 0.25 },
  unconfirmed: { fair: 0.05 },
  otherReaders: { fair: 0.05 },
  drift: { fair: 0.2 },
} as const satisfies Record<string, Limits>;

/** Launches from which variation between launches can be estimated. */
const enoughLaunches = 3;
/** The clocks drift apart by less than this in a run, ms. */
const clockStepMs = 100;

/** What a busy machine makes of a run. */
export const busy = 'the machine was busy';

/** A reason that is not known. */
export function unknownReason(aspect: string, text: string): GradedReason {
  return { aspect, grade: 'unknown', text };
}

function gradeOf(value: number, { fair, poor = Infinity }: Limits): Grade {
  if (value >= poor) return 'poor';
  return value >= fair ? 'fair' : 'good';
}

/** A share that was recorded while measurements were taken. */
function loadAspect(aspect: LoadShare & keyof typeof limits, subject: string, rest: string) {
  return (loads: readonly MachineLoad[]): GradedReason => {
    const share = meanLoad(loads, aspect);
    if (share === null) return unknownReason(aspect, `how much ${subject} is unknown`);
    const text = `${subject} ${percent(share)} ${rest}`;
    return { aspect, grade: gradeOf(share, limits[aspect]), text, cause: busy };
  };
}

const loadAspects = [
  loadAspect('othersShare', 'other programs used', 'of the processors’ time'),
  loadAspect('stealShare', 'the host took', 'of the processors’ time'),
  loadAspect('cpuPressure', 'tasks waited for a processor', 'of the time'),
  loadAspect('memoryPressure', 'tasks waited for memory', 'of the time'),
];

/** Why the machine was too busy in these spans of a run, as a clause; null: it was not, or it is unknown. */
export function tooBusy(loads: readonly MachineLoad[]): string | null {
  const reasons = loadAspects.map((aspect) => aspect(loads));
  return reasons.find(({ grade }) => grade === 'poor')?.text ?? null;
}

/** `load` is left out: it was measured before the run, and `loadAspects` are measured during it. */
const foundElsewhere = new Set(['load']);

function checks({ machine }: RunBase): GradedReason {
  const aspect = 'checks';
  const findings = [...(machine?.before ?? []), ...(machine?.after ?? [])];
  if (findings.length === 0) return unknownReason(aspect, 'the machine was not checked');
  const notable = findings.filter(
    ({ id, status }) => !foundElsewhere.has(id) && (status === 'warning' || status === 'refused'),
  );
  if (notable.length === 0) return { aspect, grade: 'good', text: 'no check warned' };
  const isRefused = notable.some(({ status }) => status === 'refused');
  const text = [...new Set(notable.map(({ what }) => what))].join(', ');
  return {
    aspect,
    grade: isRefused ? 'poor' : 'fair',
    text,
    cause: 'the machine was unfit to measure',
  };
}

function delays(proofs: RunBase['proofs']): GradedReason {
  const off = proofs.filter((proof) => proof.off).length;
  const text = `${off} of ${counted(proofs.length, 'check')} of the delay outside tolerance`;
  return { aspect: 'delays', grade: off > 0 ? 'fair' : 'good', text };
}

function clock(loads: readonly MachineLoad[]): GradedReason {
  const jumps = loads.filter(({ clockJumpMs }) => Math.abs(clockJumpMs) >= clockStepMs);
  const text = `the clock jumped ${counted(jumps.length, 'time')}`;
  return { aspect: 'clock', grade: jumps.length > 0 ? 'fair' : 'good', text };
}

/** What the record of a run says of its machine. */
export function machineReasons(run: RunBase): GradedReason[] {
  const { machineLoad: loads = [], proofs } = run;
  const ofLoad =
    loads.length === 0
      ? [unknownReason('load', 'the load during the run was not recorded')]
      : [...loadAspects.map((aspect) => aspect(loads)), clock(loads)];
  return [...ofLoad, checks(run), ...(proofs.length > 0 ? [delays(proofs)] : [])];
}

type TallyAspect = (tally: Tally) => GradedReason | null;

/** A share of some measurements; null without any of them. */
function shareReason(
  aspect: keyof typeof limits,
  { count, of, words, cause }: { count: number; of: number; words: string; cause?: string },
): GradedReason | null {
  if (of === 0) return null;
  const text = `${count} of ${of} ${words}`;
  return { aspect, grade: gradeOf(count / of, limits[aspect]), text, ...(cause && { cause }) };
}

const flagged: TallyAspect = ({ taken, flagged: count }) =>
  shareReason('flagged', {
    count,
    of: taken,
    words: 'measurements flagged',
    cause: 'too many measurements were flagged',
  });

const unconfirmed: TallyAspect = ({ confirmations }) =>
  confirmations
    ? shareReason('unconfirmed', {
        count: confirmations.failed,
        of: confirmations.taken,
        words: 'confirmation reads did not confirm the disk cache',
      })
    : null;

const otherReaders: TallyAspect = ({ deviceReads }) =>
  deviceReads
    ? shareReason('otherReaders', {
        count: deviceReads.excessive,
        of: deviceReads.taken,
        words: 'reads beside another reader of the device',
      })
    : null;

const launches: TallyAspect = (tally) => {
  const fewest = fewestLaunches(tally);
  if (fewest === null) return null;
  const grade = fewest >= enoughLaunches ? 'good' : 'fair';
  const unit = fewest === 1 ? (tally.repeated ?? 'launch') : tally.repeated ? 'rounds' : 'launches';
  return { aspect: 'launches', grade, text: `${fewest} ${unit} of each` };
};

const drift: TallyAspect = (tally) => {
  const aspect = 'drift';
  if (tally.cells.length === 0) return null;
  const ratio = driftOf(tally);
  if (ratio === null) return unknownReason(aspect, 'too few measurements to see a drift');
  const share = Math.max(ratio, 1 / ratio) - 1;
  const text = `the values of the second half were ${percent(ratio)} of those of the first`;
  return { aspect, grade: gradeOf(share, limits.drift), text };
};

/** What the measurements of a run say. */
export function tallyReasons(tally: Tally): GradedReason[] {
  const aspects = [flagged, launches, drift, unconfirmed, otherReaders];
  return aspects.flatMap((aspect) => aspect(tally) ?? []);
}
