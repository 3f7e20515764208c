import type { Environment, RunBase } from '@cachescope/model/run/base.ts';
import type { Privilege } from '../privilege.ts';
import type { Progress } from './progress.ts';
import type { RunLink } from './run-link.ts';

/** The part of the environment that only the run itself can find out. */
export type FoundEnvironment = Pick<Environment, 'chromium' | 'storage' | 'timerStepMs'>;

/** The fields of run.json that are specific to the experiment. */
export type OwnPart<Run extends RunBase & { experiment: string }> = Omit<
  Run,
  keyof RunBase | 'experiment'
>;

/** A result that was timed. */
export interface Watched<Result> {
  result: Result;
  /** Empty: everything ran all the time. */
  flags: 'suspended'[];
}

/** The interface of an experiment to its run while it measures. */
export interface RunSession<
  Run extends RunBase & { experiment: string },
  Line,
  Found,
  Beside = never,
> {
  /** The tools and inputs that were found for the plan. */
  found: Found;
  privilege: Privilege;
  extensionDirectory: string;
  /** Directory of the run. */
  path: string;
  /** Directory of profiles and caches on ordinary storage; removed after the run. */
  work: string;
  /** Disposed after the run, in reverse order. */
  resources: AsyncDisposableStack;
  progress: Progress;
  /** The emulated link of the plan; without one it does nothing. */
  link: RunLink;
  /** The run's record, once it has begun. */
  readonly run: Run;
  /** The lines measured so far, including those before the run was resumed. */
  readonly lines: readonly Line[];
  /** The lines of the second file so far. */
  readonly beside: readonly Beside[];
  /** Elapsed time of the run, ms: since its start, without the pause before it was resumed. */
  elapsedMs(): number;
  /**
   * Creates run.json, or continues that of a resumed run. An error thrown before this call leaves no run; one thrown
   * after it ends the run as `partial`.
   */
  begin(environment: FoundEnvironment, own: OwnPart<Run>): Promise<Run>;
  /** Appends a line, and waits until it is on the disk. */
  keep(line: Line): Promise<void>;
  /** Appends a line to the second file, and waits until it is on the disk. */
  keepBeside(line: Beside): Promise<void>;
  /** Updates run.json. */
  save(): Promise<void>;
  /** Reports a caveat on the result, and saves it in run.json. A repeated sentence is reported once. */
  warn(sentence: string): void;
  /**
   * Does something that is timed, and returns `suspended` among the flags when a process of this program, this program
   * or the machine did not run meanwhile; a warning then says which. Several may overlap.
   */
  watched<Result>(work: () => Promise<Result>): Promise<Watched<Result>>;
  /** True once the user wants the run to end. */
  shouldStop(): boolean;
  /**
   * Runs one step of the plan and counts it. When it fails, the other steps still run, and the run ends as `partial`.
   * Does nothing once the user has requested the end of the run.
   */
  attempt(title: string, work: () => Promise<void>): Promise<void>;
}
