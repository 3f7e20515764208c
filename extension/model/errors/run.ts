import { environment, type ErrorEntries, failure, usage } from './entry.ts';

/** Errors of saved runs: reading, resuming, reporting and comparing them. */
export const runErrors = {
  CS_RUN_INVALID: usage(
    'The directory is not a readable run.',
    'Name a directory that holds `run.json` and an `.ndjson` file.',
  ),
  CS_RUN_OWNER: usage(
    'The directory of the run belongs to another user.',
    'Write the outputs to a new directory with `npm run report -- DIR --out NEW`.',
  ),
  CS_RUN_MOVED: failure(
    'The directory of the run was moved, replaced or removed while the run was measured.',
    'Start each shard once only: another machine moves the samples so far to `interrupted-NUMBER-NAME` beside it, and starts again.',
  ),
  CS_UNTRUSTED: environment(
    'The run is too poor for verdicts, and `--env throw` does not accept such a run. Its values are saved and shown.',
    'Remove the cause that the message names, such as other programs, and measure again. `--env warn` accepts the run, without verdicts.',
  ),
  CS_RESUME_CHANGED: environment(
    'The run cannot be resumed, because conditions that its values depend on have changed.',
    'Report what it has with `npm run report`, and start a new run.',
  ),
  CS_RESUME_VARIANTS: usage(
    'The saved run names browsers, switches, features or environment variables, and a resume starts nothing that a file names.',
    'Add `--variants FILE` or `--features`, with the same variants as in the original run.',
  ),
  CS_RESUME_COMPLETE: usage(
    'The run is complete, so nothing is left to resume.',
    'Report it with `npm run report`, or start a new run.',
  ),
  CS_RESUME_SHARDS: usage(
    'The run was merged from shards, or is a shard of another machine: a machine completes only what it began.',
    'Start the missing shards, or resume each on its machine, and merge again.',
  ),
  CS_PLAN_INVALID: usage(
    'The file of `--plan` is not a plan of this command, or was changed after it was written.',
    'Write it again with `npm run plan`, and give every machine the same copy.',
  ),
  CS_PLANS_DIFFER: environment(
    'This machine would not measure what the plan says; the message names every difference.',
    'Give every machine the same files, Chromium and storage.',
  ),
  CS_NOT_MERGED: usage(
    'The runs cannot be merged: they are not shards, belong to different plans, hold one shard twice with different samples, or have too many samples.',
    'Name the shards of one plan, each once; the message names what differs. Nothing was written.',
  ),
  CS_UPLOAD: failure(
    'The command of `--upload` failed. The measurements stay in the directory of the run.',
    'Correct the command. A complete shard that is started again only uploads; upload any other run by hand, with the command that is printed.',
  ),
  CS_REPORT_TEMPLATE: failure(
    'The built report has no place for a run.',
    'Build it again with `npm run build:extension`.',
  ),
  CS_COMPARE_SOURCE: usage(
    'A side of the comparison is neither a run nor a classic CSV.',
    'Name the directory of a run, or a CSV in the classic form.',
  ),
  CS_RUNS_NOT_ALIKE: environment(
    'The runs were measured under different conditions.',
    'If that difference is what you compare, name it with `--across`.',
  ),
  CS_BASELINE: usage(
    'A run cannot be kept as a baseline, or there is no such baseline.',
    'Keep a complete run with `npm run baseline -- save NAME DIR`; `npm run baseline -- list` shows all.',
  ),
  CS_BISECT_RUN: failure(
    'A step of the bisection could not be measured; its exit code is that of the sweep.',
    'Correct what the sweep names above.',
  ),
  CS_BISECT_ALIKE: failure(
    'The last browser of the list does not differ from the first one, so no step does.',
    'Choose a delay or a content coding at which they differ, or a narrower gate.',
  ),
  CS_BISECT_OPEN: {
    ...failure(
      'The data do not decide which step is the first that differs; the message names the range.',
      'Allow more time with `--max-time`, or choose a delay at which the difference is greater.',
    ),
    exitCode: 11,
  },
  CS_NOTHING_COMPARED: usage(
    'The two sides have no cell in common.',
    'Compare runs of the same arms and delays, or choose groups with `--group`.',
  ),
  CS_NO_TRACES: usage(
    'The run has no traced reads, so there is no trace to write.',
    'Take traced reads with `npm run sweep -- --trace`.',
  ),
  CS_NO_SAMPLES: usage(
    'A comparison was to be exported in a form that has a row for each sample.',
    'Export each of its two runs with `npm run --silent report -- DIR --format parquet > FILE`.',
  ),
  CS_QUERY: usage(
    'The SQL of `npm run query` failed.',
    'Correct the SQL; the message names the views of these runs.',
  ),
  CS_QUERY_DATA: usage(
    'A run of `npm run query` cannot be read: a file is damaged, or was not written by Cachescope.',
    'Remove the damaged `samples.parquet`, or write the CSV files again with `npm run report`. Nothing was changed.',
  ),
  CS_QUERY_DUCKDB: environment(
    'DuckDB, which `npm run query` needs, could not be fetched or loaded.',
    'Type the command that is printed; to fetch it, the package registry must be reachable.',
  ),
  CS_QUERY_MEMORY: usage(
    'The runs of `npm run query` need more memory than a query may have.',
    'Name fewer runs at once.',
  ),
  CS_NO_GROUPS: usage(
    'A run of this experiment has no groups of readings, which `--format` exports.',
    'Export a sweep or a comparison; every run has its own CSV and JSON files.',
  ),
  CS_GATE: {
    ...failure(
      'B differs from A beyond the limit of a gate; the message names it.',
      'Read the sentences of the cells that failed; measure again, or change the limit of `--gate`.',
    ),
    exitCode: 10,
  },
  CS_GATE_UNKNOWN: {
    ...failure(
      'The data do not decide a gate, and `--gate-unknown fail` was given.',
      'Take the further samples that the sentences name, or omit `--gate-unknown`.',
    ),
    exitCode: 11,
  },
  CS_NO_READINGS: failure(
    'A group of values is empty, so it has no statistics.',
    'Take samples, or look up why all of them were flagged.',
  ),
  CS_READING_NOT_FINITE: failure(
    'A group has values that are not finite numbers.',
    'Flag those samples to exclude them, or repair the file that they came from.',
  ),
  CS_READING_NEGATIVE: failure(
    'A group has values below 0, which no time, size or rate can have.',
    'Check the clock of the machine, or the file that the values came from.',
  ),
  CS_UNKNOWN_CELL: failure(
    'A comparison names a cell that is not in the plan.',
    'Compare only cells of the plan.',
  ),
} satisfies ErrorEntries;
