import type { SavedExperiment } from '@cachescope/model/run/experiment.ts';
import type { RunBase } from '@cachescope/model/run/base.ts';
import type { ShardPlace } from '@cachescope/model/run/shard.ts';
import type { StorageKind } from '@cachescope/model/run/sample.ts';
import type { CommandOptions } from '../options/option-table.ts';
import type { Privilege } from '../privilege.ts';
import type { RunSession } from '../lab/run-session.ts';

/** The types that the parts of one experiment hand to each other. */
export interface Kinds {
  /** A run with all that was measured. */
  document: { run: RunBase & { experiment: string; plan: object } };
  /** One line of the file of measurements. */
  line: object;
  /** One line of its second file of measurements; an experiment without one leaves it out. */
  beside?: object;
  /** What the command line asks for. */
  asked: object;
  /** The plan, with what belongs to it. */
  planned: { plan: object };
  found: Found;
  summary: object;
}

/** One line of an experiment's second file; never for an experiment without one. */
export type BesideOf<K extends Kinds> = K extends { beside: infer Beside extends object }
  ? Beside
  : never;

/** What an experiment measures with. */
export type SessionOf<K extends Kinds> = RunSession<
  K['document']['run'],
  K['line'],
  K['found'],
  BesideOf<K>
>;

/** What any experiment has to find before it can measure. */
export interface Found {
  /** The plan, without what cannot run here. */
  plan: object;
  /** The browser that is measured, or draws the charts; empty when there is none. */
  chromiumPath: string;
  /** The storage that the run works on. */
  storage: StorageKind;
}

/** What an experiment finds its needs with. */
export interface Tools {
  /** In a dry run it shows commands and runs none. */
  privilege: Privilege;
  say: (line: string) => void;
  /** Path of the wanted Chromium, which is installed when there is none. Throws when it cannot be had. */
  requireChromium: () => Promise<string>;
  /** The same where Chromium is no more than welcome; empty when there is none. */
  findChromium: () => Promise<string>;
}

/**
 * All that one experiment says of itself. What experiments have in common is done for it: its command, the machine's lock,
 * run.json, its end, the writing of its outputs (`harness/lab`).
 */
export interface Experiment<K extends Kinds> {
  /** As in run.json. */
  name: K['document']['run']['experiment'];
  /** Its command, where that is not its name: a preset of another experiment. */
  command?: string;
  /** In the list of commands. */
  summary: string;
  description: string;
  /** Behind the options in its help: notes, and examples. */
  help: string;
  options: CommandOptions<K['asked']>;
  /** Makes the plan. A dry run ends behind it. */
  plan: (asked: K['asked'], tools: Tools) => Promise<K['planned']>;
  /** How an interrupted run is completed; absent: it cannot be. */
  resume?: Resume<K>;
  /** How a plan is divided over machines; absent: it cannot be. */
  shards?: Shards<K>;
  /** The plan for people. */
  planText: (planned: K['planned']) => string;
  /** Shows in a dry run every privileged command that the plan takes; absent: it takes none. */
  rehearse?: (planned: K['planned'], tools: Tools) => Promise<void>;
  /** Finds what the plan needs: Chromium, storage, packages. Throws when it cannot do without. */
  requirements: (planned: K['planned'], tools: Tools) => Promise<K['found']>;
  /** Number of steps that the progress counts. */
  steps: (plan: K['found']['plan']) => number;
  /** What an interrupt lets finish: `finishing this batch`. Default `finishing this sample`. */
  finishing?: string;
  /** The run lasts until the user ends it: an interrupt leaves it complete. */
  endsByInterrupt?: boolean;
  /** Measures, one thing after another. Returns what is lacking, in words without a full stop; null: the run is complete. */
  take: (session: SessionOf<K>) => Promise<string | null>;
  /** Time of a line that went into the measurement itself, ms. */
  measuredMs: (line: K['line']) => number;
  /** How its runs are read, and made of their lines. */
  saved: SavedExperiment<K['document'], K['line'], BesideOf<K>>;
  /** Pure: what summary.json holds. */
  summarize: (document: K['document']) => K['summary'];
  /** Output files of its own by name: tables, the text report. */
  files: (document: K['document'], summary: K['summary']) => Record<string, string>;
  /** What stdout shows, 80 columns. */
  text: (document: K['document'], summary: K['summary']) => string;
  /** What stderr says of the measurements before it says where the run lies; absent: nothing. */
  status?: (document: K['document'], summary: K['summary']) => string[];
  /** False: its report has no charts. Default true. */
  hasCharts?: boolean;
}

/** How a plan is divided over machines. Every machine takes every arm and delay: shards divide launches and seeds. */
export interface Shards<K extends Kinds> {
  /** Launches, passes or rounds of a plan: it has at most so many shards. */
  launches: (plan: K['planned']['plan']) => number;
  /** The part of a plan that one shard takes: a plan of its share of the launches, with a seed of its own. */
  part: (plan: K['planned']['plan'], shard: ShardPlace) => K['planned']['plan'];
  /** Why this plan cannot be divided, in a sentence without a full stop; null: it can be. */
  obstacle?: (plan: K['planned']['plan']) => string | null;
  /** What the result depends on beside the plan, for the plan's id; absent: nothing. */
  beside?: (planned: K['planned']) => unknown;
}

/** How an interrupted run is completed. */
export interface Resume<K extends Kinds> {
  /** What is taken, from the saved plan. `asked` is what was typed beside `--resume`. */
  plan: (run: K['document']['run'], asked: K['asked'], tools: Tools) => Promise<K['planned']>;
  /** Options of the experiment that may be typed beside `--resume`, without dashes: what they say must be as it was. */
  besides?: readonly string[];
  /** What a result depends on, by name, and how it reads in a run: it must be as it was. */
  conditions: readonly (readonly [name: string, read: (run: K['document']['run']) => string])[];
}
