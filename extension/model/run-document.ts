import en from 'zod/v4/locales/en.js';
import { type Run, type RunDocument, runDocumentSchema, runSchema, schemaVersion } from './run.ts';
import { type Sample, sampleSchema } from './sample.ts';

/** A value that fits its schema, or every reason why it does not, in sentences for people. */
export type Parsed<Value> = { value: Value } | { problems: string[] };

/** A file the user chose. */
export interface NamedText {
  name: string;
  text: string;
}

/**
 * Reads a saved run from the files of one choice: a run document (`{run, samples}`), or run.json with samples.ndjson.
 * Reports all problems at once. A last line of samples.ndjson that is cut off, as a crash leaves it, is left out.
 */
export function readRunFiles(files: readonly NamedText[]): Parsed<RunDocument> {
  if (files.length === 1 && files[0] && !isLines(files[0])) return readSingle(files[0]);
  const lines = files.filter(isLines);
  const runFile = files.find((file) => !isLines(file));
  if (files.length !== 2 || lines.length !== 1 || !runFile) {
    return {
      problems: [
        `${files.map((file) => file.name).join(', ')}: choose one run document, or run.json and samples.ndjson together.`,
      ],
    };
  }
  const run = readRun(runFile);
  const samples = readSamples(lines);
  const problems = [run, samples].flatMap((part) => ('problems' in part ? part.problems : []));
  if ('problems' in run || 'problems' in samples) return { problems };
  return { value: { run: run.value, samples: samples.value } };
}

function isLines({ name }: NamedText): boolean {
  return name.toLowerCase().endsWith('.ndjson');
}

function readSingle({ name, text }: NamedText): Parsed<RunDocument> {
  const json = parseJson(name, text);
  if ('problems' in json) return json;
  const { value } = json;
  if (isRecord(value) && !('run' in value) && 'plan' in value) {
    return { problems: [`${name} has no samples: choose it together with samples.ndjson.`] };
  }
  return (
    versionProblem(name, isRecord(value) ? value['run'] : undefined) ??
    check(name, runDocumentSchema, value)
  );
}

function readRun({ name, text }: NamedText): Parsed<Run> {
  const json = parseJson(name, text);
  if ('problems' in json) return json;
  return versionProblem(name, json.value) ?? check(name, runSchema, json.value);
}

function readSamples(files: readonly NamedText[]): Parsed<Sample[]> {
  const problems: string[] = [];
  const samples: Sample[] = [];
  for (const { name, text } of files) {
    const lines = text.split('\n');
    for (const [index, line] of lines.entries()) {
      if (line.trim() === '') continue;
      const place = `${name} line ${index + 1}`;
      const json = parseJson(place, line);
      // Every whole line ends with a newline, so what follows the last one was being written.
      if ('problems' in json && index === lines.length - 1) continue;
      const parsed = 'problems' in json ? json : check(place, sampleSchema, json.value);
      if ('problems' in parsed) problems.push(...parsed.problems);
      else samples.push(parsed.value);
    }
  }
  return problems.length > 0 ? { problems } : { value: samples };
}

function parseJson(name: string, text: string): Parsed<unknown> {
  if (text.trim() === '') return { problems: [`${name} is empty.`] };
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return {
      problems: [`${name} is not JSON: ${error instanceof Error ? error.message : 'broken'}`],
    };
  }
}

/** Another version is told before anything else, because all other problems follow from it. */
function versionProblem(name: string, run: unknown): { problems: string[] } | undefined {
  if (!isRecord(run)) {
    return { problems: [`${name} is not a run document: it must hold a run and its samples.`] };
  }
  const version = run['schemaVersion'];
  if (version === schemaVersion) return undefined;
  if (typeof version !== 'number') {
    return { problems: [`${name} is not a run document: it has no schemaVersion.`] };
  }
  return {
    problems: [
      `${name} has schema version ${version}, this Cachescope reads version ${schemaVersion}. Open it with the version that wrote it.`,
    ],
  };
}

const messages = en().localeError;

function check<Value>(
  name: string,
  schema: {
    safeParse(
      value: unknown,
      settings: { error: typeof messages },
    ):
      | { success: true; data: Value }
      | { success: false; error: { issues: readonly { path: PropertyKey[]; message: string }[] } };
  },
  value: unknown,
): Parsed<Value> {
  const result = schema.safeParse(value, { error: messages });
  if (result.success) return { value: result.data };
  const problems = result.error.issues.map(
    ({ path, message }) => `${name}: ${path.map(String).join('.') || 'the whole'}: ${message}`,
  );
  return { problems };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
