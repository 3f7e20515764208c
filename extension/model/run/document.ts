import { type Parsed, parsedJson } from '../parsed.ts';
import { type Experiment, experiments, type RunDocument } from './run.ts';
import { schemaVersion } from './base.ts';
import {
  type LineFile,
  type NamedJson,
  type NamedText,
  type SavedExperiment,
  versionProblem,
} from './experiment.ts';

export type { Parsed } from '../parsed.ts';
export type { NamedText } from './experiment.ts';

/** Names of the files that contain a run's measurements: samples.ndjson, loads.ndjson. */
export const lineFiles: readonly string[] = Object.values(experiments).map(
  ({ lineFile }) => lineFile,
);

/** Names of the second line files that some runs have: traced.ndjson. */
export const besideFiles: readonly string[] = Object.values(experiments).flatMap(
  ({ besideFile }) => besideFile ?? [],
);

/**
 * Reads a saved run from the files that were chosen together: a run document, or run.json with its line file. Reports
 * all problems at once. Broken lines, for example a line that a crash cut off, are left out and counted in the run's
 * warnings.
 */
export function readRunFiles(files: readonly LineFile[]): Parsed<RunDocument> {
  const [only] = files;
  if (files.length === 1 && only && isText(only)) return readSingle(only);
  const beside = files.find(({ name }) => besideFiles.includes(name));
  const rest = files.filter((file) => file !== beside);
  const lines = rest.find(isLines);
  const run = rest.find(isText);
  if (rest.length === 2 && lines && run) return readParts(run, lines, beside);
  const names = files.map((file) => file.name).join(', ');
  const choice = `one run document, or run.json together with ${lineFiles.join(' or ')}`;
  return { problems: [`${names}: choose ${choice}.`] };
}

function isLines({ name }: LineFile): boolean {
  return name.toLowerCase().endsWith('.ndjson');
}

function isText(file: LineFile): file is NamedText {
  return 'text' in file && !isLines(file);
}

function readSingle({ name, text }: NamedText): Parsed<RunDocument> {
  const json = parsedJson(name, text);
  if ('problems' in json) return json;
  const { value } = json;
  const isWhole = isRecord(value) && 'run' in value;
  const saved = experimentOf({ name, json: isWhole ? value['run'] : value });
  if ('problems' in saved) return saved;
  if (isWhole) return saved.value.readWhole({ name, json: value });
  const { lineFile } = saved.value;
  return { problems: [`${name} holds no measurements: choose it together with ${lineFile}.`] };
}

function readParts(
  run: NamedText,
  lines: LineFile,
  beside: LineFile | undefined,
): Parsed<RunDocument> {
  const json = parsedJson(run.name, run.text);
  if ('problems' in json) return json;
  const file = { name: run.name, json: json.value };
  const saved = experimentOf(file);
  if ('problems' in saved) return saved;
  const { lineFile, besideFile } = saved.value;
  if (beside && beside.name !== besideFile)
    return { problems: [`${run.name} and ${beside.name} are not parts of one run.`] };
  if (lines.name === lineFile || !lineFiles.includes(lines.name))
    return saved.value.readParts(file, lines, beside);
  return { problems: [`${run.name} needs ${lineFile}, not ${lines.name}.`] };
}

/** An unsupported schema version or experiment is reported first and alone, because it causes all other problems. */
function experimentOf(file: NamedJson): Parsed<SavedExperiment<RunDocument>> {
  const { name, json: run } = file;
  const problem = versionProblem(file, 'a run document', schemaVersion);
  if (problem !== null) return { problems: [problem] };
  const experiment = isRecord(run) ? run['experiment'] : undefined;
  if (isExperiment(experiment)) return { value: experiments[experiment] };
  return {
    problems: [
      experiment === undefined
        ? `${name} is not a run document: it names no experiment.`
        : `${name} is a run of the experiment ${JSON.stringify(experiment)}; this Cachescope reads runs of ${Object.keys(experiments).join(', ')}.`,
    ],
  };
}

function isExperiment(name: unknown): name is Experiment {
  return typeof name === 'string' && Object.hasOwn(experiments, name);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
