import type { ErrorEntries } from './entry.ts';

/** Errors of saved runs: reading, resuming, reporting and comparing them. */
export const runErrors = {
  CS_RUN_INVALID: {
    what: 'The directory is not a readable run.',
    fix: 'Name a directory that holds `run.json` and an `.ndjson` file.',
    exitCode: 2,
  },
  CS_RUN_OWNER: {
    what: 'The directory of the run belongs to another user.',
    fix: 'Write the outputs to a new directory with `npm run report -- DIR --out NEW`.',
    exitCode: 2,
  },
  CS_RESUME_CHANGED: {
    what: 'The run cannot be resumed, because conditions that its values depend on have changed.',
    fix: 'Report what it has with `npm run report`, and start a new run.',
    exitCode: 3,
  },
  CS_RESUME_VARIANTS: {
    what: 'The saved run names browsers, switches or environment variables, and a resume starts nothing that a file names.',
    fix: 'Add `--variants FILE` with the variants of the run.',
    exitCode: 2,
  },
  CS_RESUME_COMPLETE: {
    what: 'The run is complete, so nothing is left to resume.',
    fix: 'Report it with `npm run report`, or start a new run.',
    exitCode: 2,
  },
  CS_PLAN_INVALID: {
    what: 'The file of `--plan` is not a plan of this command, or was changed after it was written.',
    fix: 'Write it again with `npm run plan`, and give every machine the same copy.',
    exitCode: 2,
  },
  CS_PLANS_DIFFER: {
    what: 'This machine would not measure what the plan says; the message names every difference.',
    fix: 'Give every machine the same files, Chromium and storage.',
    exitCode: 3,
  },
  CS_NOT_MERGED: {
    what: 'The runs cannot be merged: they are not shards, belong to different plans, hold one shard twice with different samples, or have too many samples.',
    fix: 'Name the shards of one plan, each once; the message names what differs. Nothing was written.',
    exitCode: 2,
  },
  CS_UPLOAD: {
    what: 'The command of `--upload` failed. The run is complete and stays in its directory.',
    fix: 'Correct the command, and start the same shard again: it only uploads.',
  },
  CS_REPORT_TEMPLATE: {
    what: 'The built report has no place for a run.',
    fix: 'Build it again with `npm run build:extension`.',
  },
  CS_COMPARE_SOURCE: {
    what: 'A side of the comparison is neither a run nor a classic CSV.',
    fix: 'Name the directory of a run, or a CSV in the classic form.',
    exitCode: 2,
  },
  CS_RUNS_NOT_ALIKE: {
    what: 'The runs were measured under different conditions.',
    fix: 'If that difference is what you compare, name it with `--across`.',
    exitCode: 3,
  },
  CS_BASELINE: {
    what: 'A run cannot be kept as a baseline, or there is no such baseline.',
    fix: 'Keep a complete run with `npm run baseline -- save NAME DIR`; `npm run baseline -- list` shows all.',
    exitCode: 2,
  },
  CS_BISECT_RUN: {
    what: 'A step of the bisection could not be measured; its exit code is that of the sweep.',
    fix: 'Correct what the sweep names above.',
  },
  CS_BISECT_ALIKE: {
    what: 'The last browser of the list does not differ from the first one, so no step does.',
    fix: 'Choose a delay or a content coding at which they differ, or a narrower gate.',
  },
  CS_BISECT_OPEN: {
    what: 'The data do not decide which step is the first that differs; the message names the range.',
    fix: 'Allow more time with `--max-time`, or choose a delay at which the difference is greater.',
    exitCode: 11,
  },
  CS_NOTHING_COMPARED: {
    what: 'The two sides have no cell in common.',
    fix: 'Compare runs of the same arms and delays, or choose groups with `--group`.',
    exitCode: 2,
  },
  CS_NO_TRACES: {
    what: 'The run has no traced reads, so there is no trace to write.',
    fix: 'Take traced reads with `npm run sweep -- --trace`.',
    exitCode: 2,
  },
  CS_NO_SAMPLES: {
    what: 'A comparison was to be exported in a form that has a row for each sample.',
    fix: 'Export each of its two runs with `npm run report -- DIR --format parquet`.',
    exitCode: 2,
  },
  CS_QUERY: {
    what: 'The SQL of `npm run query` failed.',
    fix: 'Correct the SQL; the message names the views of these runs.',
    exitCode: 2,
  },
  CS_QUERY_DATA: {
    what: 'A run of `npm run query` cannot be read: a file is damaged, or was not written by Cachescope.',
    fix: 'Remove the damaged `samples.parquet`, or write the CSV files again with `npm run report`. Nothing was changed.',
    exitCode: 2,
  },
  CS_NO_GROUPS: {
    what: 'A run of this experiment has no groups of readings, which `--format` exports.',
    fix: 'Export a sweep or a comparison; every run has its own CSV and JSON files.',
    exitCode: 2,
  },
  CS_GATE: {
    what: 'B differs from A beyond the limit of a gate; the message names it.',
    fix: 'Read the sentences of the cells that failed; measure again, or change the limit of `--gate`.',
    exitCode: 10,
  },
  CS_GATE_UNKNOWN: {
    what: 'The data do not decide a gate, and `--gate-unknown fail` was given.',
    fix: 'Take the further samples that the sentences name, or omit `--gate-unknown`.',
    exitCode: 11,
  },
  CS_NO_READINGS: {
    what: 'A group of values is empty, so it has no statistics.',
    fix: 'Take samples, or look up why all of them were flagged.',
  },
  CS_READING_NOT_FINITE: {
    what: 'A group has values that are not finite numbers.',
    fix: 'Flag those samples to exclude them, or repair the file that they came from.',
  },
  CS_READING_NEGATIVE: {
    what: 'A group has values below 0, which no time, size or rate can have.',
    fix: 'Check the clock of the machine, or the file that the values came from.',
  },
  CS_UNKNOWN_CELL: {
    what: 'A comparison names a cell that is not in the plan.',
    fix: 'Compare only cells of the plan.',
  },
} as const satisfies ErrorEntries;
