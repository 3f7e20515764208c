/** A use that ended without having been told of by an entry so far. */
export interface FinishedUse {
  url: string;
  tag: string;
  atMs: number;
}

/**
 * Watches elements finish. One that used what the document already had (a second image of the same URL, a script that
 * was preloaded, a data: URL) gets no Resource Timing entry, and only its load event shows the use.
 */
export function watchElements(finished: (use: FinishedUse) => void): () => void {
  const see = ({ target }: Event): void => {
    if (!(target instanceof Element)) return;
    const url = urlOf(target);
    if (url) finished({ url, tag: target.localName, atMs: performance.now() });
  };
  // An element's load event does not pass the window (HTML, "fire an event named load").
  document.addEventListener('load', see, true);
  return () => document.removeEventListener('load', see, true);
}

function urlOf(element: Element): string | undefined {
  if (element instanceof HTMLImageElement) return element.currentSrc || element.src;
  if (element instanceof HTMLScriptElement) return element.src;
  if (element instanceof HTMLLinkElement) return element.href;
  return undefined;
}

/** URLs that the document's preload and prefetch links name. */
export function preloadedUrls(): Set<string> {
  const links = document.querySelectorAll<HTMLLinkElement>(
    'link[rel~="preload" i], link[rel~="modulepreload" i], link[rel~="prefetch" i]',
  );
  return new Set([...links].map(({ href }) => withoutFragment(href)));
}

/** Resource Timing names URLs with their fragment, webRequest and DevTools without. */
export function withoutFragment(url: string): string {
  const hash = url.indexOf('#');
  return hash < 0 || /^data:/i.test(url) ? url : url.slice(0, hash);
}
