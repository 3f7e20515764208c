import { type ResourceType, resourceTypes } from '../load/load.ts';

/** DevTools' resource types that are not ours, mapped to the group in which its filter bar shows them. */
const grouped: Readonly<Record<string, ResourceType>> = {
  xhr: 'fetch',
  eventsource: 'fetch',
  webtransport: 'websocket',
  directsocket: 'websocket',
  'sm-script': 'script',
  'sm-stylesheet': 'stylesheet',
};

const ours: ReadonlySet<string> = new Set(resourceTypes.filter((type) => type !== 'other'));

const byMimeType: readonly (readonly [RegExp, ResourceType])[] = [
  [/^(text\/html|application\/xhtml\+xml)$/, 'document'],
  [/^text\/css$/, 'stylesheet'],
  [/^(text|application)\/(x-)?(java|ecma)script$/, 'script'],
  [/^image\//, 'image'],
  [/^(font\/|application\/(x-)?font-)/, 'font'],
  [/^(audio|video)\//, 'media'],
  [/^application\/wasm$/, 'wasm'],
  [/^application\/manifest\+json$/, 'manifest'],
];

/** The type of a HAR entry: from DevTools' `_resourceType`, else from the media type; `other` when neither decides. */
export function harResourceType(
  resourceType: string | null | undefined,
  mimeType: string | null,
): ResourceType {
  const name = resourceType?.toLowerCase() ?? '';
  if (isOurs(name)) return name;
  if (Object.hasOwn(grouped, name)) return grouped[name] ?? 'other';
  if (name !== '' || mimeType === null) return 'other';
  return byMimeType.find(([pattern]) => pattern.test(mimeType))?.[1] ?? 'other';
}

function isOurs(name: string): name is ResourceType {
  return ours.has(name);
}
