/** The parts of a URL that are used here (WHATWG URL). */
export interface WebUrl {
  readonly href: string;
  /** The text `null` for schemes without an origin, such as data:. */
  readonly origin: string;
  /** With its colon, lower case. */
  readonly protocol: string;
  readonly hostname: string;
  readonly searchParams: Iterable<[string, string]>;
}

/** A pattern of the URL Pattern standard (WHATWG). */
export interface WebUrlPattern {
  readonly hasRegExpGroups: boolean;
  test(url: string): boolean;
}

// Both are global in Chromium and in Node; TypeScript knows them only with the types of one of the two.
const web = globalThis as unknown as {
  URL: { parse(url: string): WebUrl | null };
  URLPattern: new (pattern: string, base: string) => WebUrlPattern;
};

/** The parsed URL; null when it is not an absolute URL. */
export function parsedUrl(url: string): WebUrl | null {
  return web.URL.parse(url);
}

/** The pattern, resolved against a base URL; null when it is invalid. */
export function parsedPattern(pattern: string, base: string): WebUrlPattern | null {
  try {
    return new web.URLPattern(pattern, base);
  } catch {
    return null;
  }
}

/** The URL as it is requested, without its fragment, as webRequest and DevTools report it; Resource Timing has both. */
export function withoutFragment(url: string): string {
  return url.split('#', 1)[0] ?? '';
}

/** The URL's scheme in lower case, without colon; empty when there is none. */
export function schemeOf(url: string): string {
  return (/^[a-z][a-z\d+.-]*(?=:)/i.exec(url)?.[0] ?? '').toLowerCase();
}
