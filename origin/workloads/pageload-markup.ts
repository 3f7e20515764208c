import type { Page, PageResource } from '@cachescope/model/pageload/page.ts';
import { pageResourcePath } from './pageload-urls.ts';

/** A resource and its place. */
interface Placed {
  place: number;
  resource: PageResource;
}

/**
 * The markup or code that requests the children of a resource: text before and after its payload, and pieces in
 * between.
 */
export interface Markup {
  /** One piece per child, in order; the payload is distributed after the pieces. */
  pieces: string[];
  before: string;
  after: string;
  /** Delimiters of the comments that contain the payload. */
  comment: { open: string; close: string };
}

/** A low priority makes a script async, because Chromium gives parser-inserted scripts a higher one. */
function isLow({ priority }: PageResource): boolean {
  return priority === 'Low' || priority === 'VeryLow';
}

function fetchPriority(resource: PageResource): string {
  if (resource.type === 'image') return resource.priority === 'High' ? ' fetchpriority="high"' : '';
  return isLow(resource) ? ' fetchpriority="low"' : '';
}

/** The element with which a document requests a resource. */
function element({ place, resource }: Placed): string {
  const path = pageResourcePath(place, resource);
  const priority = fetchPriority(resource);
  switch (resource.type) {
    case 'stylesheet':
      return `<link rel="stylesheet" href="${path}"${priority}>`;
    case 'script':
      return isLow(resource)
        ? `<script async src="${path}"></script>`
        : `<script src="${path}"></script>`;
    case 'image':
      return `<img alt="" src="${path}"${priority}>`;
    case 'font':
      return `<link rel="preload" as="font" crossorigin href="${path}">`;
    case 'document':
      return `<iframe title="" src="${path}"></iframe>`;
    default:
      return `<script>${fetchCall({ place, resource })}</script>`;
  }
}

/** Reads the body to its end, so that the cache entry is complete. */
function fetchCall({ place, resource }: Placed): string {
  const low = isLow(resource) ? ",{priority:'low'}" : '';
  return `fetch('${pageResourcePath(place, resource)}'${low}).then(r=>r.arrayBuffer());`;
}

/** The call with which a script requests a resource: `a` appends an element to the body. */
function call(placed: Placed): string {
  const path = pageResourcePath(placed.place, placed.resource);
  switch (placed.resource.type) {
    case 'stylesheet':
      return `a('link',{rel:'stylesheet',href:'${path}'});`;
    case 'script':
      return `a('script',{src:'${path}'});`;
    case 'image':
      return `a('img',{src:'${path}'});`;
    case 'font':
      return `a('link',{rel:'preload',as:'font',crossOrigin:'',href:'${path}'});`;
    case 'document':
      return `a('iframe',{src:'${path}'});`;
    default:
      return fetchCall(placed);
  }
}

/** The rule with which a stylesheet requests a resource; the document has an element of that class. */
function rule({ place, resource }: Placed): string {
  const path = pageResourcePath(place, resource);
  if (resource.type === 'stylesheet') return `@import url(${path});`;
  if (resource.type === 'font')
    return `@font-face{font-family:f${place};src:url(${path})}.u${place}{font-family:f${place}}`;
  return `.u${place}{background-image:url(${path})}`;
}

/** Elements that use the resources of a document's stylesheets: a browser fetches only used ones. */
function users(page: Page, place: number): string {
  const { resources } = page;
  const documentOf = (at: number | null): number => {
    const resource = at === null ? undefined : resources[at];
    if (at === null || resource?.type === 'document') return at ?? 0;
    return documentOf(resource?.parent ?? null);
  };
  const used = resources.flatMap(({ parent }, at) => {
    const isByStyle = parent !== null && resources[parent]?.type === 'stylesheet';
    const isImport = resources[at]?.type === 'stylesheet';
    return isByStyle && !isImport && documentOf(parent) === place ? [at] : [];
  });
  return used.map((at) => `<i class="u${at}">a</i>`).join('');
}

/** Code with its payload in a comment after it. */
function code(before: string): Markup {
  return { before, pieces: [], after: '', comment: { open: '/*', close: '*/' } };
}

/** The markup or code that requests the children of the resource at a place; null for a type that requests none. */
export function markupOf(page: Page, place: number): Markup | null {
  const children = page.resources.flatMap((resource, at) =>
    resource.parent === place ? [{ place: at, resource }] : [],
  );
  switch (page.resources[place]?.type) {
    case 'document':
      return {
        before:
          '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Cachescope: a page</title><link rel="icon" href="data:,"></head><body>',
        pieces: children.map(element),
        after: `${users(page, place)}</body></html>`,
        comment: { open: '<!--', close: '-->' },
      };
    case 'stylesheet': {
      // An @import must precede every other rule.
      const isImport = ({ resource }: Placed) => resource.type === 'stylesheet';
      const rules = children.toSorted((a, b) => Number(isImport(b)) - Number(isImport(a)));
      return code(rules.map(rule).join(''));
    }
    case 'script': {
      const calls = children.map(call).join('');
      const appending = calls.includes("a('")
        ? 'const a=(t,p)=>document.body.append(Object.assign(document.createElement(t),p));'
        : '';
      return code(calls === '' ? '' : `(()=>{${appending}${calls}})();`);
    }
    default:
      return null;
  }
}
