import { type Resource, responseUrl } from './load.ts';
import { isSecretHeader } from './sanitized-load.ts';
import { schemeOf } from '../web-url.ts';

/** A command for a POSIX shell, with notes for the user. */
export interface CurlCommand {
  command: string;
  /** In sentences: what the command lacks, and whether it carries secrets. */
  notes: string[];
}

/** Names of methods and header fields (RFC 9110 section 5.6.2). Others are left out: curl reads `@file` as a file. */
const token = /^[!#$%&'*+\-.^_`|~\w]+$/;
/** NUL ends an argument; a line break would start another header field. */
const unsendable = /[\0\r\n]/;
/**
 * The request of a resource as a curl command, each argument quoted for a POSIX shell: after redirects the last request,
 * whose header fields are known. The header fields are the sent ones, including Accept-Encoding and secrets, so that the origin gives the same response; pseudo-headers are left to
 * curl. The body is not decoded, because curl supports neither dcb nor dcz. null for a URL that is not http or https.
 */
export function curlCommand(resource: Resource): CurlCommand | null {
  const { requestHeaders } = resource;
  const url = responseUrl(resource);
  const method = methodOf(resource);
  if (!/^https?$/.test(schemeOf(url)) || url.includes('\0')) return null;
  const fields = (requestHeaders ?? []).filter(([name]) => !isLeftToCurl(name));
  const sent = fields.filter(isSendable);
  const options = [
    // Without --globoff, curl reads brackets and braces of a URL as a pattern.
    ['--globoff', url],
    ...methodOption(method),
    ...sent.map(([name, value]) => ['--header', value === '' ? `${name};` : `${name}: ${value}`]),
  ];
  const words = options.map((option) => option.map(shellWord).join(' '));
  return {
    command: ['curl', words.join(' \\\n  ')].join(' '),
    notes: notesOf(resource, sent, fields.length - sent.length),
  };
}

/** Pseudo-headers; and the length of a body that the command does not have, for which the server would wait. */
function isLeftToCurl(name: string): boolean {
  return name.startsWith(':') || name.toLowerCase() === 'content-length';
}

/** The method of the last request; null: unknown. A redirect may have changed that of the first (RFC 9110, 15.4). */
function methodOf({ method, finalUrl }: Resource): string | null {
  return finalUrl === undefined || method === 'GET' || method === 'HEAD' ? method : null;
}

function isSendable([name, value]: readonly [string, string]): boolean {
  return token.test(name) && !unsendable.test(value);
}

function methodOption(method: string | null): string[][] {
  if (method === null || method === 'GET' || !token.test(method)) return [];
  return method === 'HEAD' ? [['--head']] : [['--request', method]];
}

/** A word that a POSIX shell reads as exactly this text (POSIX.1 section 2.2.2). */
export function shellWord(text: string): string {
  return /^[\w\-./]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function notesOf(
  resource: Resource,
  sent: readonly (readonly [string, string])[],
  leftOut: number,
): string[] {
  const { requestHeaders } = resource;
  const method = methodOf(resource);
  const notes: string[] = [];
  if (resource.finalUrl !== undefined) notes.push('The last request, after redirects.');
  const carried = sent.map(([name]) => name.toLowerCase()).filter(isSecretHeader);
  if (carried.length > 0)
    notes.push(`Carries ${[...new Set(carried)].join(' and ')}: do not share it.`);
  if (!requestHeaders?.length) {
    notes.push('Without header fields: they need depth DevTools or debugger.');
  }
  if (leftOut > 0)
    notes.push(`${leftOut} malformed header ${leftOut === 1 ? 'field is' : 'fields are'} omitted.`);
  if (method === null) notes.push('The method is unknown: GET is assumed.');
  else if (!token.test(method))
    notes.push(`The method ${JSON.stringify(method)} is malformed: GET is used.`);
  else if (!/^(GET|HEAD|OPTIONS)$/.test(method))
    notes.push('Without the request body, which is unknown.');
  return notes;
}
