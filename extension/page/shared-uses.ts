/** A use whose element has finished. */
export interface FinishedUse {
  /** Without fragment. */
  url: string;
  tag: string;
  /** ms since the time origin. */
  atMs: number;
  /** It did not finish: this directive of a Content-Security-Policy forbade it. */
  blockedBy?: string;
}

/** What is remembered of an entry, for uses that share it. */
export interface KnownEntry {
  startTime: number;
  initiatorType: string;
  isPreload: boolean;
}

/** rel values of links that fetch for a later use. */
const preloadLinks =
  'link[rel~="preload" i], link[rel~="modulepreload" i], link[rel~="prefetch" i]';
/** Their bodies are in the URL, or in memory: they get no entry. */
const inUrl = /^(data|blob):/i;

/**
 * The uses that get no Resource Timing entry, because they used what the document already had: a second image of the
 * same URL, a script that was preloaded, a data: URL. Only their element's load event shows them.
 */
export class SharedUses {
  readonly #finished: FinishedUse[] = [];
  readonly #entries = new Map<string, KnownEntry[]>();
  /** How many of a URL's entries are spoken for by elements of a tag that finished. */
  readonly #claimed = new Map<string, number>();
  readonly #preloaded = new Set<string>();
  /** What each element has shown last. */
  readonly #shownLast = new WeakMap<Element, string>();
  /** What was forbidden and has not met its entry, if it gets one. */
  readonly #forbidden = new Set<FinishedUse>();
  #unwatch: (() => void) | undefined;

  /** Watches elements finish; `finished` is called for each. */
  watch(finished: () => void): void {
    const see = ({ target, timeStamp }: Event): void => {
      if (!(target instanceof Element)) return;
      const url = withoutFragment(urlOf(target) ?? '');
      if (url === '') return;
      // Here, because a page may turn the link into another one in its own load event.
      if (target.localName === 'link' && target.matches(preloadLinks)) this.#preloaded.add(url);
      // Chromium tells of an image button twice.
      if (target instanceof HTMLInputElement && this.#shownLast.get(target) === url) return;
      this.#shownLast.set(target, url);
      this.#finished.push({ url, tag: target.localName, atMs: timeStamp });
      finished();
    };
    // An element's load event does not pass the window (HTML, "fire an event named load").
    document.addEventListener('load', see, true);
    const forbid = (event: SecurityPolicyViolationEvent): void => {
      const { blockedURI, effectiveDirective, disposition, timeStamp } = event;
      if (disposition !== 'enforce' || !/^https?:/.test(blockedURI)) return;
      const url = withoutFragment(blockedURI);
      const use = { url, tag: '', atMs: timeStamp, blockedBy: effectiveDirective };
      this.#finished.push(use);
      this.#forbidden.add(use);
      finished();
    };
    document.addEventListener('securitypolicyviolation', forbid);
    this.#unwatch = () => {
      document.removeEventListener('load', see, true);
      document.removeEventListener('securitypolicyviolation', forbid);
    };
  }

  /** The directive that forbade what this entry tells of; each violation is for one entry. */
  forbids(url: string, { responseStatus }: { responseStatus?: number }): string | undefined {
    if (responseStatus) return undefined;
    const use = [...this.#forbidden].find((each) => each.url === url);
    if (use) this.#forbidden.delete(use);
    return use?.blockedBy;
  }

  unwatch(): void {
    this.#unwatch?.();
  }

  /** Notes the preload, modulepreload and prefetch links of the document. */
  notePreloads(): void {
    for (const { href } of document.querySelectorAll<HTMLLinkElement>(preloadLinks))
      this.#preloaded.add(withoutFragment(href));
  }

  isPreloaded(url: string): boolean {
    return this.#preloaded.has(url);
  }

  know(url: string, entry: KnownEntry): void {
    const known = this.#entries.get(url);
    if (known) known.push(entry);
    else this.#entries.set(url, [entry]);
  }

  /** Those that finished before a time of the page's clock, and those that never get an entry. */
  take(beforeMs: number): FinishedUse[] {
    const isDue = ({ url, atMs }: FinishedUse): boolean => atMs <= beforeMs || inUrl.test(url);
    const due = this.#finished.filter(isDue);
    const later = this.#finished.filter((use) => !isDue(use));
    this.#finished.splice(0, this.#finished.length, ...later);
    return due;
  }

  get hasMore(): boolean {
    return this.#finished.length > 0;
  }

  /** The use with the entry that it shares; undefined when it has an entry of its own, or nothing is known of it. */
  withoutEntry(finished: FinishedUse) {
    const { url, tag, atMs, blockedBy } = finished;
    if (blockedBy !== undefined)
      return this.#forbidden.delete(finished) ? { url, tag, atMs, blockedBy } : undefined;
    // Looked at long after: what was fetched since then was not there to be shared.
    const entries = (this.#entries.get(url) ?? []).filter(({ startTime }) => startTime <= atMs);
    const place = `${tag} ${url}`;
    const claimed = (this.#claimed.get(place) ?? 0) + 1;
    // An element's own entry is named after its tag, or after the early hint that the browser had; what a preload
    // fetched is named link.
    const isOwn = ({ initiatorType, isPreload }: KnownEntry): boolean =>
      initiatorType === tag ||
      initiatorType === 'early-hints' ||
      // Chromium calls what a modulepreload link fetched a script.
      (tag === 'link' && isPreload);
    if (claimed <= entries.filter(isOwn).length) {
      this.#claimed.set(place, claimed);
      return undefined;
    }
    const earlierEntry = entries.at(-1);
    if (!earlierEntry && !inUrl.test(url)) return undefined;
    return { url, tag, atMs, ...(earlierEntry ? { earlierEntry } : {}) };
  }
}

function urlOf(element: Element): string | undefined {
  if (element instanceof HTMLImageElement) return element.currentSrc || element.src;
  if (element instanceof HTMLScriptElement) return element.src;
  if (element instanceof HTMLLinkElement) return element.href;
  if (element instanceof HTMLInputElement) return element.src;
  return undefined;
}

/** Resource Timing names URLs with their fragment, webRequest and DevTools without. */
export function withoutFragment(url: string): string {
  const hash = url.indexOf('#');
  return hash < 0 || /^data:/i.test(url) ? url : url.slice(0, hash);
}
