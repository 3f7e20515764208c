import { withoutFragment } from '@cachescope/model/web-url.ts';

/** A use whose element has finished. */
export interface FinishedUse {
  /** Without fragment. */
  url: string;
  tag: string;
  /** ms since the time origin. */
  atMs: number;
  /** The Content-Security-Policy directive that blocked it; absent: not blocked. */
  blockedBy?: string;
}

/** The part of an entry that later uses need when they share it. */
export interface KnownEntry {
  startTime: number;
  initiatorType: string;
  isPreload: boolean;
}

/** rel values of links that fetch for a later use. */
const preloadLinks =
  'link[rel~="preload" i], link[rel~="modulepreload" i], link[rel~="prefetch" i]';
/** Bodies in the URL or in memory have no entry. */
const inUrl = /^(data|blob):/i;

/**
 * The uses without a Resource Timing entry of their own, because they used a resource that the document already had: a
 * second image with the same URL, a preloaded script, a data: URL. Only their element's load event reveals them.
 */
export class SharedUses {
  readonly #finished: FinishedUse[] = [];
  readonly #entries = new Map<string, KnownEntry[]>();
  /** Number of a URL's entries that belong to finished elements, by tag. */
  readonly #claimed = new Map<string, number>();
  readonly #preloaded = new Set<string>();
  /** The URL of each element's last load event. */
  readonly #shownLast = new WeakMap<Element, string>();
  /** Blocked uses whose entry, if there is one, has not been seen yet. */
  readonly #forbidden = new Set<FinishedUse>();
  #unwatch: (() => void) | undefined;

  /** Watches the load events of elements; `finished` is called for each. */
  watch(finished: () => void): void {
    // A page may dispatch events of its own.
    const see = ({ isTrusted, target, timeStamp }: Event): void => {
      if (!isTrusted || !(target instanceof Element)) return;
      const url = withoutFragment(urlOf(target) ?? '');
      if (url === '') return;
      // Checked here, because a page may change the link in its own load event handler.
      if (target.localName === 'link' && target.matches(preloadLinks)) this.#preloaded.add(url);
      // Chromium fires two load events for an image button.
      if (target instanceof HTMLInputElement && this.#shownLast.get(target) === url) return;
      this.#shownLast.set(target, url);
      this.#finished.push({ url, tag: target.localName, atMs: timeStamp });
      finished();
    };
    // An element's load event does not reach the window (HTML, "fire an event named load").
    document.addEventListener('load', see, true);
    const forbid = (event: SecurityPolicyViolationEvent): void => {
      const { isTrusted, blockedURI, effectiveDirective, disposition, timeStamp } = event;
      if (!isTrusted) return;
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

  /** The directive that blocked the request of this entry; each violation belongs to one entry. */
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

  /** The uses that finished before a time of the page's clock, and those that never get an entry. */
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

  /** The use with the entry that it shares; undefined when it has its own entry, or no entry is known. */
  withoutEntry(finished: FinishedUse) {
    const { url, tag, atMs, blockedBy } = finished;
    if (blockedBy !== undefined)
      return this.#forbidden.delete(finished) ? { url, tag, atMs, blockedBy } : undefined;
    // This may run long afterwards: a later fetch could not be shared.
    const entries = (this.#entries.get(url) ?? []).filter(({ startTime }) => startTime <= atMs);
    const place = `${tag} ${url}`;
    const claimed = (this.#claimed.get(place) ?? 0) + 1;
    // initiatorType of an element's own entry is its tag, or early-hints if the browser had such a hint; for a preload
    // it is link.
    const isOwn = ({ initiatorType, isPreload }: KnownEntry): boolean =>
      initiatorType === tag ||
      initiatorType === 'early-hints' ||
      // For a modulepreload link Chromium sets initiatorType to script.
      (tag === 'link' && isPreload);
    if (claimed <= entries.filter(isOwn).length) {
      this.#claimed.set(place, claimed);
      return undefined;
    }
    const last = entries.at(-1);
    if (!last && !inUrl.test(url)) return undefined;
    if (!last) return { url, tag, atMs };
    // What a link fetched for another element was a preload, whoever asked for it: a Link header, or a link that is gone.
    const isPreload = last.isPreload || (last.initiatorType === 'link' && tag !== 'link');
    return { url, tag, atMs, earlierEntry: { ...last, isPreload } };
  }
}

function urlOf(element: Element): string | undefined {
  if (element instanceof HTMLImageElement) return element.currentSrc || element.src;
  if (element instanceof HTMLScriptElement) return element.src;
  if (element instanceof HTMLLinkElement) return element.href;
  if (element instanceof HTMLInputElement) return element.src;
  return undefined;
}
