import { isHar, readHar } from '@cachescope/model/har/import.ts';
import type { Load } from '@cachescope/model/load/load.ts';
import { isLoadDocument, readLoadDocument } from '@cachescope/model/load/document.ts';
import { parsedJson } from '@cachescope/model/parsed.ts';
import {
  lineFiles,
  type NamedText,
  type Parsed,
  readRunFiles,
} from '@cachescope/model/run/document.ts';
import type { RunDocument } from '@cachescope/model/run/run.ts';
import { unreadable } from './unreadable-file.ts';

/** The content of files: one run, or loads (from HARs and load documents). */
export type Opened = { run: RunDocument } | { loads: Load[] };

/**
 * Reads the chosen files: one run document, run.json with its line file, HARs, or load documents. Never rejects: errors
 * are returned as problems.
 */
export function openFiles(files: readonly File[]): Promise<Parsed<Opened>> {
  return readFiles(files, readTexts);
}

/** Reads the chosen files as one run. Never rejects. A report uses it: it then contains no reader of HARs. */
export function openRun(files: readonly File[]): Promise<Parsed<RunDocument>> {
  return readFiles(files, readRunFiles);
}

async function readFiles<Content>(
  files: readonly File[],
  read: (texts: readonly NamedText[]) => Parsed<Content>,
): Promise<Parsed<Content>> {
  try {
    const problems = (await Promise.all(files.map(unreadable))).filter((text) => text !== null);
    if (problems.length > 0) return { problems };
    return read(await Promise.all(files.map(named)));
  } catch (error) {
    return { problems: [`The files could not be read: ${String(error)}`] };
  }
}

async function named(file: File): Promise<NamedText> {
  return { name: file.name, text: await file.text() };
}

function readTexts(texts: readonly NamedText[]): Parsed<Opened> {
  if (texts.some(({ name }) => isLineFile(name))) return openedRun(readRunFiles(texts));
  const read = texts.map(readLoads);
  if (read.every((found) => found === null)) return openedRun(readRunFiles(texts));
  const problems = read.flatMap((found, index) => {
    if (found === null)
      return [
        `${texts[index]?.name} is neither a HAR nor a load document: open runs and loads separately.`,
      ];
    return 'problems' in found ? found.problems : [];
  });
  if (problems.length > 0) return { problems };
  return {
    value: { loads: read.flatMap((found) => (found && 'value' in found ? found.value : [])) },
  };
}

function isLineFile(name: string): boolean {
  return lineFiles.some((lineFile) =>
    name.toLowerCase().endsWith(lineFile.slice(lineFile.lastIndexOf('.'))),
  );
}

function openedRun(run: Parsed<RunDocument>): Parsed<Opened> {
  return 'problems' in run ? run : { value: { run: run.value } };
}

/** The loads of one file; null when it is neither a HAR nor a load document. */
function readLoads({ name, text }: NamedText): Parsed<Load[]> | null {
  const json = parsedJson(name, text);
  if ('problems' in json) return json;
  const { value } = json;
  if (isHar(value)) return readHar({ name, json: value });
  return isLoadDocument(value) ? readLoadDocument({ name, json: value }) : null;
}
