/** Maximum length of a data: URL that is kept, in characters; the rest is its body. */
const mostDataUrl = 2048;

/** A URL as it is stored and compared: a data: URL without the rest of its body. */
export function keptUrl(url: string): string {
  return url.startsWith('data:') ? url.slice(0, mostDataUrl) : url;
}
