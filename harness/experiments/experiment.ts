import type { Page } from '@cachescope/model/page/page.ts';
import type { Link } from '@cachescope/model/network/link.ts';
import type { SavedExperiment } from '@cachescope/model/run/experiment.ts';
import type { RunBase } from '@cachescope/model/run/base.ts';
import type { ShardPlace } from '@cachescope/model/run/shard.ts';
import type { Trust } from '@cachescope/model/run/trust.ts';
import type { StorageKind } from '@cachescope/model/run/sample.ts';
import type { CachescopeError } from '../error.ts';
import type { CommandOptions } from '../options/option-table.ts';
import type { Privilege } from '../privilege.ts';
import type { RunSession } from '../lab/run-session.ts';

/** The types that the parts of one experiment pass to each other. */
export interface Kinds {
  /** A run with all its measurements. */
  document: { run: RunBase & { experiment: string; plan: object } };
  /** One line of the file of measurements. */
  line: object;
  /** One line of the second file of measurements; absent for an experiment without one. */
  beside?: object;
  /** The parsed options of the command line. */
  asked: object;
  /** The plan and the data that belongs to it. */
  planned: { plan: object };
  found: Found;
  summary: { trust: Trust };
}

/** One line of an experiment's second file of measurements; `never` for an experiment without one. */
export type BesideOf<K extends Kinds> = K extends { beside: infer Beside extends object }
  ? Beside
  : never;

/** The session in which an experiment measures. */
export type SessionOf<K extends Kinds> = RunSession<
  K['document']['run'],
  K['line'],
  K['found'],
  BesideOf<K>
>;

/** The requirements that every experiment finds before it measures. */
export interface Found {
  /** The plan, without the parts that cannot run on this machine. */
  plan: object;
  /** Path of the browser that is measured or draws the charts; empty: there is none. */
  chromiumPath: string;
  /** The storage that the run uses. */
  storage: StorageKind;
  /** Parts of the plan that this machine cannot take: `cold loads`; absent or empty: none. */
  leftOut?: string[];
}

/** The tools with which an experiment finds its requirements. */
export interface Tools {
  /** In a dry run it prints commands and runs none. */
  privilege: Privilege;
  say: (line: string) => void;
  /** Path of the requested Chromium, which is installed when it is missing. Throws when it cannot be installed. */
  requireChromium: () => Promise<string>;
  /** The same where Chromium is optional; empty: there is none. */
  findChromium: () => Promise<string>;
  /** Debian's names of the packages that bring a missing Chromium; empty: there is one, or the user named one. */
  missingForBrowser: () => readonly string[];
}

/**
 * The definition of one experiment. `harness/lab` does what experiments have in common: the command, the machine's
 * lock, run.json, the end of the run, and the output files.
 */
export interface Experiment<K extends Kinds> {
  /** The same as in run.json. */
  name: K['document']['run']['experiment'];
  /** The command's name where it differs from the experiment's name: a preset of another experiment. */
  command?: string;
  /** Shown in the list of commands. */
  summary: string;
  description: string;
  /** Shown in the help after the options: notes and examples. */
  help: string;
  options: CommandOptions<K['asked']>;
  /** The names of those that people use first: they come first in the help. Absent: none. */
  firstOptions?: readonly string[];
  /** Makes the plan. A dry run ends after it. */
  plan: (asked: K['asked'], tools: Tools) => Promise<K['planned']>;
  /** How an interrupted run is resumed; absent: it cannot be resumed. */
  resume?: Resume<K>;
  /** How a plan is divided into shards over machines; absent: it cannot be divided. */
  shards?: Shards<K>;
  /** The plan as text for the user. */
  planText: (planned: K['planned']) => string;
  /** Prints in a dry run every privileged command of the plan; absent: the plan has none. */
  dryRun?: (planned: K['planned'], tools: Tools) => Promise<void>;
  /** Finds the requirements of the plan: Chromium, storage, packages. Throws when a mandatory one is missing. */
  requirements: (planned: K['planned'], tools: Tools) => Promise<K['found']>;
  /** The emulated link of a plan, for all its clients; absent, or undefined for a plan: there is none, or several. */
  link?: (plan: K['planned']['plan']) => Link | undefined;
  /** Number of steps that the progress display counts. */
  steps: (plan: K['found']['plan']) => number;
  /** The unit that an interrupt completes first: `finishing this batch`. Default `finishing this sample`. */
  finishing?: string;
  /** The run lasts until the user ends it: an interrupt leaves it complete. */
  endsByInterrupt?: boolean;
  /**
   * Measures in sequence. Returns what failed or is missing, as text without a full stop; null: the run is
   * complete, or only an interrupt has ended it.
   */
  measure: (session: SessionOf<K>) => Promise<string | null>;
  /** Time that a line spent in the measurement itself, ms. */
  measuredMs: (line: K['line']) => number;
  /** How runs of the experiment are read, and built from their lines. */
  saved: SavedExperiment<K['document'], K['line'], BesideOf<K>>;
  /** Pure: the contents of summary.json. */
  summarize: (document: K['document']) => K['summary'];
  /** Further output files by name: tables, the text report. */
  files: (document: K['document'], summary: K['summary']) => Record<string, string>;
  /** Pure: what people read of the run, on the screen and in report.txt. */
  page: (document: K['document'], summary: K['summary']) => Page;
  /**
   * The document that the report holds in place of a run with too many samples, and that the panel opens; null: the run
   * itself. Absent: always the run itself.
   */
  bySummary?: (document: K['document'], summary: K['summary']) => BySummary<K['document']> | null;
  /** The error of a run that does not pass a gate which its options name; null: it passes. Absent: there are no gates. */
  gate?: (summary: K['summary'], found: K['found']) => CachescopeError | null;
  /** False: the report has no charts. Default true. */
  hasCharts?: boolean;
}

/** A run that is shown by its summary, without its samples. */
export interface BySummary<Document> {
  document: Document;
  /** What is left out, in one sentence. */
  sentence: string;
}

/**
 * How a plan is divided over machines. Every machine measures every arm and delay: shards divide launches and seeds.
 */
export interface Shards<K extends Kinds> {
  /** Launches, passes or rounds of a plan: the maximum number of its shards. */
  launches: (plan: K['planned']['plan']) => number;
  /** The plan of one shard: its share of the launches and its own seed. */
  part: (plan: K['planned']['plan'], shard: ShardPlace) => K['planned']['plan'];
  /** Why this plan cannot be divided, as a sentence without a full stop; null: it can be divided. */
  obstacle?: (plan: K['planned']['plan']) => string | null;
  /** Inputs that the result depends on besides the plan, for the plan's id; absent: nothing. */
  beside?: (planned: K['planned']) => unknown;
}

/** How an interrupted run is resumed. */
export interface Resume<K extends Kinds> {
  /** The plan to measure, from the saved plan. `asked` has the options typed besides `--resume`. */
  plan: (run: K['document']['run'], asked: K['asked'], tools: Tools) => Promise<K['planned']>;
  /**
   * Options of the experiment that are allowed besides `--resume`, without dashes: their values must equal those of the
   * original run.
   */
  besides?: readonly string[];
  /**
   * Conditions that a result depends on, by name, and how to read them from a run: they must equal those of the
   * original run.
   */
  conditions: readonly (readonly [name: string, read: (run: K['document']['run']) => string])[];
}
