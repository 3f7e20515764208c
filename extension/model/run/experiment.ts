import { unboundedNumbers } from './bounded.ts';
import { KnownIds } from './known-ids.ts';
import type { RunBase } from './base.ts';
import { checked, type Parsed, parsedJson, type Schema } from '../parsed.ts';
import { maySteer, printableValue } from '../printable.ts';

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
  /** True: `lines` is empty, because another reader takes them one by one. */
  readElsewhere?: true;
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
  /**
   * The usable items of the run's line file one by one. At the end it tells of broken and missing lines: sentences for
   * the run's warnings.
   */
  eachItem(run: Document['run'], lines: LineFile, tell: (told: LinesTold) => void): Iterable<Item>;
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

/** The fields of run.json that are used and changed here. */
export type ReadRun = Pick<RunBase, 'warnings' | 'lineCount' | 'status' | 'statusReason'>;

/** Definition of an experiment's files. `Item` is one line, `Beside` one line of its second file. */
interface Experiment<Document extends { run: ReadRun }, Item, Beside> extends LineKind<Item> {
  documentSchema: Schema<Document>;
  runSchema: Schema<Document['run']>;
  beside?: LineKind<Beside> & { of: (document: Document) => readonly Beside[] | undefined };
  join: (run: Document['run'], items: Item[], beside: Beside[] | undefined) => Document;
  itemsOf: (document: Document) => readonly Item[];
  /** Number of items of a document that does not hold them (`summary`); null: it holds them. Absent: all do. */
  counted?: (document: Document) => number | null;
}

interface ReadLines {
  usableLines: number;
  brokenLines: number;
  /** Problems of the first broken line; empty without one. */
  firstProblems: string[];
}

/** Creates the reader of an experiment's files. */
export function savedExperiment<Document extends { run: ReadRun }, Item, Beside = never>(
  experiment: Experiment<Document, Item, Beside>,
): SavedExperiment<Document, Item, Beside> {
  const { beside: kind } = experiment;
  return {
    lineFile: experiment.lineFile,
    besideFile: kind?.lineFile,
    readWhole({ name, json }) {
      const whole = bounded(name, experiment.documentSchema, json);
      if ('problems' in whole) return whole;
      return { value: { ...whole.value, run: printableValue(whole.value.run) } };
    },
    readParts(runFile, lineFile, besideFile) {
      const run = bounded(runFile.name, experiment.runSchema, runFile.json);
      const lines = readLines(experiment, lineFile);
      const beside = kind && besideFile ? readLines(kind, besideFile) : undefined;
      const problems = [
        ...('problems' in run ? run.problems : []),
        ...(lines.items.length === 0 ? lines.firstProblems : []),
      ];
      if ('problems' in run || problems.length > 0) return { problems };
      const told = linesTold(experiment, lineFile, lines, run.value.lineCount);
      if (kind && besideFile && beside)
        told.warnings.push(...linesTold(kind, besideFile, beside).warnings);
      const read = runAsRead(printableValue(run.value), told);
      return { value: experiment.join(read, lines.items, beside?.items) };
    },
    *eachItem(run, file, tell) {
      const lines: ReadLines = { usableLines: 0, brokenLines: 0, firstProblems: [] };
      yield* itemsIn(experiment, file, lines);
      tell(linesTold(experiment, file, lines, run.lineCount));
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
  const read: ReadLines = { usableLines: 0, brokenLines: 0, firstProblems: [] };
  for (const item of itemsIn(kind, file, read))
    items.set(kind.idOf(item), (kept?.(item as object) as Item | undefined) ?? item);
  return { ...read, items: [...items.values()] };
}

/** The valid items of a file. All lines are counted in `read`. */
function* itemsIn<Item>(
  { itemSchema, idOf, repeated }: LineKind<Item>,
  file: LineFile,
  read: ReadLines,
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
      if (read.brokenLines++ === 0) read.firstProblems = parsed.problems;
      continue;
    }
    if (known.add(idOf(parsed.value)) || repeated === 'last') {
      read.usableLines++;
      // The names in a line are those of its run.
      yield maySteer(line) ? printableValue(parsed.value) : parsed.value;
    } else read.brokenLines++;
  }
}

/** What is to be said about the lines of a file. */
export interface LinesTold {
  warnings: string[];
  /** The file that lacks lines which the run wrote; null: it lacks none, or it is unknown how many it wrote. */
  cutFile: string | null;
}

/** `lineCount`: how many lines the run wrote; undefined: unknown. */
function linesTold(
  { itemName }: { itemName: string },
  file: LineFile,
  { usableLines, brokenLines, firstProblems }: ReadLines,
  lineCount = 0,
): LinesTold {
  const warnings: string[] = [];
  const { name } = file;
  if (brokenLines > 0) {
    const [first = `a ${itemName} occurs twice`] = firstProblems;
    const [lines, were] = brokenLines === 1 ? ['line', 'was'] : ['lines', 'were'];
    warnings.push(
      `${brokenLines} ${lines} of ${name} could not be used and ${were} excluded: ${first}.`,
    );
  }
  const isReadHere = 'text' in file || !file.readElsewhere;
  const lacking = isReadHere ? lineCount - usableLines - brokenLines : 0;
  if (lacking > 0)
    warnings.push(
      `${name} lacks ${lacking} of the ${lineCount} lines that the run wrote: it was cut or changed. Copy it again.`,
    );
  return { warnings, cutFile: lacking > 0 ? name : null };
}

/** A run with what its lines show: without some of them it is not complete. */
export function runAsRead<Run extends ReadRun>(run: Run, { warnings, cutFile }: LinesTold): Run {
  const isCut = cutFile !== null && run.status === 'complete';
  return {
    ...run,
    ...(isCut && { status: 'partial', statusReason: `${cutFile} lacks lines` }),
    // A resumed run already contains this warning.
    warnings: [...new Set([...run.warnings, ...warnings])],
  };
}
