import * as z from 'zod/mini';
import { checkedList, parsedList } from '../checked-list.ts';
import { type Load, loadSchema, loadSchemaVersion, numbered, resourceSchema } from './load.ts';
import { checked, type Parsed } from '../parsed.ts';
import { type NamedJson, versionProblem } from '../run/experiment.ts';

/** Loads as one JSON text: the format that the panel exports and opens. */
export const loadDocumentSchema = z.object({
  schemaVersion: z.literal(loadSchemaVersion),
  loads: z.array(loadSchema),
});
export type LoadDocument = z.infer<typeof loadDocumentSchema>;

/** The outlines of the document and of a load; the items of their lists are parsed one by one. */
const outlineSchema = z.extend(loadDocumentSchema, { loads: z.array(z.unknown()) });
const loadOutlineSchema = z.extend(loadSchema, { resources: z.array(z.unknown()) });

/** The loads as the text of a load document. */
export function loadDocumentText(loads: readonly Load[]): string {
  const document: LoadDocument = { schemaVersion: loadSchemaVersion, loads: [...loads] };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** True for a value that is a load document or is meant to be one. An explored run also has `loads`, and a `run`. */
export function isLoadDocument(json: unknown): boolean {
  return typeof json === 'object' && json !== null && 'loads' in json && !('run' in json);
}

/** Reads a load document. For an unsupported schema version, the version is the only problem reported. */
export function readLoadDocument({ name, json }: NamedJson): Parsed<Load[]> {
  const problem = versionProblem({ name, json }, 'a load document', loadSchemaVersion);
  if (problem !== null) return { problems: [problem] };
  const document = checked(name, outlineSchema, json);
  if ('problems' in document) return document;
  return parsedList(`${name}: loads`, document.value.loads, readLoad);
}

function readLoad(place: string, json: unknown): Parsed<Load> {
  const load = checked(place, loadOutlineSchema, json);
  if ('problems' in load) return load;
  const resources = checkedList(`${place}.resources`, resourceSchema, load.value.resources);
  return 'problems' in resources
    ? resources
    : { value: { ...load.value, resources: numbered(resources.value) } };
}
