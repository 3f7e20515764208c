import * as z from 'zod/mini';
import { checkedList, parsedList } from '../checked-list.ts';
import { type Load, loadSchema, loadSchemaVersion, resourceSchema } from './load.ts';
import { checked, type Parsed, parsedJson } from '../parsed.ts';
import type { NamedJson, NamedText } from '../run/experiment.ts';

/** Loads in one JSON text: what the panel exports and opens again. */
export const loadDocumentSchema = z.object({
  schemaVersion: z.literal(loadSchemaVersion),
  loads: z.array(loadSchema),
});
export type LoadDocument = z.infer<typeof loadDocumentSchema>;

/** The outlines of the document and of a load; what their lists hold is read one by one. */
const outlineSchema = z.extend(loadDocumentSchema, { loads: z.array(z.unknown()) });
const loadOutlineSchema = z.extend(loadSchema, { resources: z.array(z.unknown()) });

/** The loads as the text of a load document. */
export function loadDocumentText(loads: readonly Load[]): string {
  const document: LoadDocument = { schemaVersion: loadSchemaVersion, loads: [...loads] };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** True for a value that is a load document, or means to be one. An explored run has loads too, and its `run`. */
export function isLoadDocument(json: unknown): boolean {
  return typeof json === 'object' && json !== null && 'loads' in json && !('run' in json);
}

/** Reads a load document from its text. See `readLoadDocument`. */
export function readLoadDocumentText({ name, text }: NamedText): Parsed<Load[]> {
  const json = parsedJson(name, text);
  return 'problems' in json ? json : readLoadDocument({ name, json: json.value });
}

/** Reads a load document. Another schema version is told before all that would follow from it. */
export function readLoadDocument({ name, json }: NamedJson): Parsed<Load[]> {
  const version = versionOf(json);
  if (typeof version !== 'number') {
    return { problems: [`${name} is not a load document: it has no schemaVersion.`] };
  }
  if (version !== loadSchemaVersion) {
    return {
      problems: [
        `${name} has schema version ${version}, this Cachescope reads version ${loadSchemaVersion}. Open it with the version that wrote it.`,
      ],
    };
  }
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
    : { value: { ...load.value, resources: resources.value } };
}

function versionOf(json: unknown): unknown {
  return typeof json === 'object' && json !== null && 'schemaVersion' in json
    ? json.schemaVersion
    : undefined;
}
