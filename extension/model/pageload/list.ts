import { readQuantity } from '../quantity-reading.ts';
import { resourceTypes } from '../load/load.ts';
import {
  cachings,
  isText,
  largestBodyBytes,
  mayAsk,
  mimeTypeOf,
  pageProblems,
  type PageResource,
  type ReadPage,
  resourceName,
  typicalWireShare,
} from './page.ts';
import type { Parsed } from '../parsed.ts';
import type { NamedText } from '../run/experiment.ts';

/** The syntax of a list, for messages. */
export const listForm =
  'TYPE BYTES NAME [fresh|stale|no-store], two spaces deeper than the resource that requests it';

/**
 * Reads a page from a plain list: one line per resource, `script 120kB app.js`, below the resource that requests it and
 * indented by two more spaces. `#` starts a comment. A list that does not start with a document gets a generated one.
 * All problems are reported at once, with their lines.
 */
export function readListPage({ name, text }: NamedText): Parsed<ReadPage> {
  const problems: string[] = [];
  const resources: PageResource[] = [];
  /** Index of the last resource at each depth. */
  const above: number[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const content = line.replace(/#.*/, '').trimEnd();
    if (content.trim() === '') continue;
    const place = `${name} line ${index + 1}`;
    const read = readLine(place, content.trim());
    if ('problems' in read) {
      problems.push(...read.problems);
      continue;
    }
    // A generated document, for a list that starts with another type.
    if (resources.length === 0 && read.value.type !== 'document')
      resources.push(
        listed({ type: 'document', bodyBytes: 2000, url: 'index.html', caching: 'stale' }),
      );
    const parent = parentOf(place, content, resources, above, problems);
    if (parent !== null && !mayAsk(resources[parent], read.value))
      problems.push(`${place}: a ${resources[parent]?.type} cannot request a ${read.value.type}`);
    resources.push({ ...read.value, parent });
  }
  if (resources.length === 0 && problems.length === 0)
    problems.push(`${name} names no resource; a line is ${listForm}`);
  problems.push(...pageProblems(name, resources));
  if (problems.length > 0) return { problems };
  const page = { source: name, bodies: 'synthetic' as const, resources };
  return { value: { page, bodies: new Map(), notes: [] } };
}

/** A web socket has no body to replay. */
const listedTypes = resourceTypes.filter((type) => type !== 'websocket');

function readLine(place: string, content: string): Parsed<PageResource> {
  const [typeWord = '', size = '', url = '', caching = 'fresh', ...rest] = content.split(/\s+/);
  const problems: string[] = [];
  const type = listedTypes.find((known) => known === typeWord);
  if (!type)
    problems.push(
      `${place}: ${JSON.stringify(typeWord)} is not a type; the types are ${listedTypes.join(', ')}`,
    );
  const to = `${largestBodyBytes / 2 ** 20}MiB`;
  const read = readQuantity(size, { kind: 'size', from: '1B', to, bare: 'B' });
  if ('problem' in read)
    problems.push(`${place}: ${JSON.stringify(size)} is not a size; ${read.problem}`);
  if (url === '' || rest.length > 0) problems.push(`${place}: a line is ${listForm}`);
  const known = cachings.find((each) => each === caching);
  if (!known)
    problems.push(`${place}: ${JSON.stringify(caching)} is none of ${cachings.join(', ')}`);
  if (!type || 'problem' in read || !known || problems.length > 0) return { problems };
  return { value: listed({ type, bodyBytes: read.value, url, caching: known }) };
}

function listed(about: Pick<PageResource, 'type' | 'bodyBytes' | 'url' | 'caching'>): PageResource {
  const mimeType = about.url.endsWith('.svg') ? 'image/svg+xml' : mimeTypeOf(about.type);
  return {
    ...about,
    name: resourceName(about.url),
    mimeType,
    wireShare: typicalWireShare(mimeType),
    coding: isText(mimeType) ? 'br' : 'identity',
    parent: null,
    priority: null,
  };
}

/** The parent by indentation; resources without indentation are requested by the document. */
function parentOf(
  place: string,
  content: string,
  resources: readonly PageResource[],
  above: number[],
  problems: string[],
): number | null {
  if (resources.length === 0) {
    above.push(0);
    return null;
  }
  const spaces = content.length - content.trimStart().length;
  const depth = spaces / 2;
  if (content.startsWith('\t') || !Number.isInteger(depth) || depth > above.length)
    problems.push(
      `${place}: it is indented by ${spaces} spaces; below the line above it may be at most ${2 * above.length}, in steps of 2`,
    );
  above.length = Math.min(above.length, Math.floor(depth));
  const parent = above.at(-1) ?? 0;
  above.push(resources.length);
  return parent;
}
