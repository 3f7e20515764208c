import { unboundedNumbers } from './bounded.ts';
import { KnownIds } from './known-ids.ts';
import { checked, type Parsed, parsedJson, type Schema } from '../parsed.ts';

/** A file the user chose, or one of a run directory. */
export interface NamedText {
  name: string;
  text: string;
}

/** The same, read line by line: it need not fit into memory. */
export interface NamedLines {
  name: string;
  lines: Iterable<string>;
  /** The part of each valid item that is kept in memory; absent: the whole item. */
  kept?: ((item: object) => object) | undefined;
}

/** A file of lines, whole or line by line. */
export type LineFile = NamedText | NamedLines;

/** JSON that has been parsed and not yet validated against a schema. */
export interface NamedJson {
  name: string;
  json: unknown;
}

/** Why a document cannot be read by its schema version; null: it can. `kind`: for example `a run document`. */
export function versionProblem(
  { name, json }: NamedJson,
  kind: string,
  supported: number,
): string | null {
  const isObject = typeof json === 'object' && json !== null;
  const version = isObject && 'schemaVersion' in json ? json.schemaVersion : undefined;
  if (typeof version !== 'number') return `${name} is not ${kind}: it has no schemaVersion.`;
  if (version === supported) return null;
  return `${name} has schema version ${version}, this Cachescope reads version ${supported}. Open it with the version that wrote it.`;
}

/** Reads the saved files of one experiment. Every program that reads them uses it. */
export interface SavedExperiment<
  Document extends { run: object },
  Item = unknown,
  Beside = unknown,
> {
  /** The file that the run's measurements are appended to, one JSON text a line. */
  lineFile: string;
  /** A second line file, which not every run has; absent: this experiment has none. */
  besideFile?: string | undefined;
  /** Reads run and measurements from one document, as report.html embeds it. */
  readWhole(document: NamedJson): Parsed<Document>;
  /** Reads run.json and the line files. A broken line is left out and counted in the run's warnings. */
  readParts(run: NamedJson, lines: LineFile, beside?: LineFile): Parsed<Document>;
  /** The usable items of a line file one by one. At the end it tells of broken lines: sentences for the run's warnings. */
  eachItem(lines: LineFile, tell: (warnings: string[]) => void): Iterable<Item>;
  /** Builds the document from a run and its lines. Repeated items count once. */
  join(run: Document['run'], items: readonly Item[], beside: readonly Beside[]): Document;
  /** The lines of a document. */
  itemsOf(document: Document): readonly Item[];
  /** The lines of its second line file; empty without such a file. */
  besideOf(document: Document): readonly Beside[];
  /** The amount measured, for people: `480 samples`. */
  measured(document: Document): string;
}

/** The kind of lines in a file. */
interface LineKind<Item> {
  lineFile: string;
  /** Name of one line's item, in the singular: `sample`. */
  itemName: string;
  itemSchema: Schema<Item>;
  /** Two lines with one id are the same item. */
  idOf: (item: Item) => string | number;
  /**
   * Which of the repeated lines counts: the `first` (the others are broken), or the `last` (it replaces the others).
   */
  repeated: 'first' | 'last';
}

/** Definition of an experiment's files. `Item` is one line, `Beside` one line of its second file. */
interface Experiment<
  Document extends { run: { warnings: string[] } },
  Item,
  Beside,
> extends LineKind<Item> {
  documentSchema: Schema<Document>;
  runSchema: Schema<Document['run']>;
  beside?: LineKind<Beside> & { of: (document: Document) => readonly Beside[] | undefined };
  join: (run: Document['run'], items: Item[], beside: Beside[] | undefined) => Document;
  itemsOf: (document: Document) => readonly Item[];
  /** Number of items of a document that does not hold them (`summary`); null: it holds them. Absent: all do. */
  counted?: (document: Document) => number | null;
}

interface BrokenLines {
  brokenLines: number;
  /** Problems of the first broken line; empty without one. */
  firstProblems: string[];
}

/** Creates the reader of an experiment's files. */
export function savedExperiment<
  Document extends { run: { warnings: string[] } },
  Item,
  Beside = never,
>(experiment: Experiment<Document, Item, Beside>): SavedExperiment<Document, Item, Beside> {
  const { beside: kind } = experiment;
  return {
    lineFile: experiment.lineFile,
    besideFile: kind?.lineFile,
    readWhole: ({ name, json }) => bounded(name, experiment.documentSchema, json),
    readParts(runFile, lineFile, besideFile) {
      const run = bounded(runFile.name, experiment.runSchema, runFile.json);
      const lines = readLines(experiment, lineFile);
      const beside = kind && besideFile ? readLines(kind, besideFile) : undefined;
      const problems = [
        ...('problems' in run ? run.problems : []),
        ...(lines.items.length === 0 ? lines.firstProblems : []),
      ];
      if ('problems' in run || problems.length > 0) return { problems };
      const broken = brokenSentence(experiment, lineFile, lines);
      if (kind && besideFile && beside) broken.push(...brokenSentence(kind, besideFile, beside));
      // A resumed run already contains this warning.
      const warnings = [...new Set([...run.value.warnings, ...broken])];
      return { value: experiment.join({ ...run.value, warnings }, lines.items, beside?.items) };
    },
    *eachItem(file, tell) {
      const broken: BrokenLines = { brokenLines: 0, firstProblems: [] };
      yield* itemsIn(experiment, file, broken);
      tell(brokenSentence(experiment, file, broken));
    },
    join: (run, items, beside) =>
      experiment.join(
        run,
        eachOnce(experiment, items),
        kind && beside.length > 0 ? eachOnce(kind, beside) : undefined,
      ),
    itemsOf: experiment.itemsOf,
    besideOf: (document) => kind?.of(document) ?? [],
    measured(document) {
      const length = experiment.counted?.(document) ?? experiment.itemsOf(document).length;
      return `${length} ${experiment.itemName}${length === 1 ? '' : 's'}`;
    },
  };
}

function eachOnce<Item>({ idOf, repeated }: LineKind<Item>, items: readonly Item[]): Item[] {
  const known = new Map<string | number, Item>();
  for (const item of items) {
    const id = idOf(item);
    if (repeated === 'last' || !known.has(id)) known.set(id, item);
  }
  return [...known.values()];
}

/** Validates a value against its schema, and its numbers against the range of measurable values. */
function bounded<Value>(name: string, schema: Schema<Value>, json: unknown): Parsed<Value> {
  const parsed = checked(name, schema, json);
  if ('problems' in parsed) return parsed;
  const problems = unboundedNumbers(name, parsed.value);
  return problems.length === 0 ? parsed : { problems };
}

function readLines<Item>(kind: LineKind<Item>, file: LineFile) {
  const items = new Map<string | number, Item>();
  const kept = 'text' in file ? undefined : file.kept;
  const broken: BrokenLines = { brokenLines: 0, firstProblems: [] };
  for (const item of itemsIn(kind, file, broken))
    items.set(kind.idOf(item), (kept?.(item as object) as Item | undefined) ?? item);
  return { ...broken, items: [...items.values()] };
}

/** The valid items of a file; the others are counted in `broken`. */
function* itemsIn<Item>(
  { itemSchema, idOf, repeated }: LineKind<Item>,
  file: LineFile,
  broken: BrokenLines,
): Generator<Item> {
  const known = new KnownIds();
  let number = 0;
  for (const line of 'text' in file ? file.text.split('\n') : file.lines) {
    number++;
    if (line.trim() === '') continue;
    const place = `${file.name} line ${number}`;
    const json = parsedJson(place, line);
    const parsed = 'problems' in json ? json : bounded(place, itemSchema, json.value);
    if ('problems' in parsed) {
      if (broken.brokenLines++ === 0) broken.firstProblems = parsed.problems;
      continue;
    }
    if (known.add(idOf(parsed.value)) || repeated === 'last') yield parsed.value;
    else broken.brokenLines++;
  }
}

function brokenSentence(
  { itemName }: { itemName: string },
  { name }: { name: string },
  { brokenLines, firstProblems }: BrokenLines,
): string[] {
  if (brokenLines === 0) return [];
  const [first = `a ${itemName} occurs twice`] = firstProblems;
  const [lines, were] = brokenLines === 1 ? ['line', 'was'] : ['lines', 'were'];
  return [`${brokenLines} ${lines} of ${name} could not be used and ${were} excluded: ${first}.`];
}
