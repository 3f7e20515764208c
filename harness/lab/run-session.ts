import type { Environment, RunBase } from '@cachescope/model/run/base.ts';
import type { Privilege } from '../privilege.ts';
import type { Progress } from './progress.ts';

/** What only a run itself can find out of its environment. */
export type FoundEnvironment = Pick<Environment, 'chromium' | 'storage' | 'timerStepMs'>;

/** What run.json holds of an experiment beside what it holds of any. */
export type OwnPart<Run extends RunBase & { experiment: string }> = Omit<
  Run,
  keyof RunBase | 'experiment'
>;

/** What an experiment is given while it measures. */
export interface RunSession<
  Run extends RunBase & { experiment: string },
  Line,
  Found,
  Beside = never,
> {
  /** What was found for the plan. */
  found: Found;
  privilege: Privilege;
  extensionDirectory: string;
  /** Directory of the run. */
  path: string;
  /** Directory of profiles and caches on ordinary storage; it goes after the run. */
  work: string;
  /** What is undone after the run, last first. */
  resources: AsyncDisposableStack;
  progress: Progress;
  /** The run's record, once it has begun. */
  readonly run: Run;
  /** What was measured so far, also before the run was resumed. */
  readonly lines: readonly Line[];
  /** The lines of the second file so far. */
  readonly beside: readonly Beside[];
  /** Time of the run so far, ms: since its start, without the pause before it was resumed. */
  elapsedMs(): number;
  /** Makes run.json, or goes on with that of a resumed run. What is thrown before ends in an error and leaves no run; after it, the run ends `partial`. */
  begin(environment: FoundEnvironment, own: OwnPart<Run>): Promise<Run>;
  /** Keeps a line, and waits until it is on the disk. */
  keep(line: Line): Promise<void>;
  /** Keeps a line of the second file, and waits until it is on the disk. */
  keepBeside(line: Beside): Promise<void>;
  /** Brings run.json up to date. */
  save(): Promise<void>;
  /** Says what a reader of the result must know, and keeps it in run.json. The same sentence once. */
  warn(sentence: string): void;
  /** True once the user wants the run to end. */
  shouldStop(): boolean;
  /**
   * Does one of the plan's steps and counts it. When it fails the others can still be taken, and the run ends `partial`.
   * Nothing is done once the user wants the run to end.
   */
  attempt(title: string, work: () => Promise<void>): Promise<void>;
}
