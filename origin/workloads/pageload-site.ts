import { isCoding } from '@cachescope/model/coding.ts';
import {
  hasDictionary,
  type PageResource,
  type ReadPage,
} from '@cachescope/model/pageload/page.ts';
import { VariantStore } from '../encoding/variants.ts';
import { defaultQualities } from '../encoding/qualities.ts';
import type { Representations } from '../routes/representation.ts';
import { pageBody } from './pageload-body.ts';
import { olderVersion } from './pageload-payload.ts';
import { pageResourcePath } from './pageload-urls.ts';
import { sha256Hex } from './workload.ts';

/** A resource as the origin serves it. */
export interface ServedResource extends PageResource {
  representations: Representations;
  /** Served as dcb to clients that have stored the previous version. */
  asDictionary: boolean;
}

/** A page with everything that the origin needs to serve it. */
export type PageSite = Awaited<ReturnType<typeof buildSite>>;

/** Dictionary-ID of the resource at a place. */
export function pageDictionaryId(place: number): string {
  return `pageload-${place}`;
}

/**
 * Creates and encodes the bodies of a page in advance: no response waits for an encoder. `withDictionaries`: scripts
 * and stylesheets have a previous version.
 */
export async function buildSite(read: ReadPage, withDictionaries: boolean) {
  const variants = new VariantStore(defaultQualities);
  const recorded = read.page.resources;
  const resources: ServedResource[] = [];
  for (const [place, resource] of recorded.entries())
    resources.push(await serve(read, place, resource, variants, withDictionaries));
  const longer = resources.filter(
    ({ bodyBytes }, place) => bodyBytes > (recorded[place]?.bodyBytes ?? bodyBytes),
  );
  const note = `${longer.length} of ${resources.length} bodies are longer than in the source: what asks for their children does not fit.`;
  return {
    /** With the sizes of the served bodies. */
    page: {
      ...read.page,
      resources: resources.map(
        ({ representations: _served, asDictionary: _isDcb, ...resource }) => resource,
      ),
    },
    resources,
    /** The path of each resource. */
    paths: resources.map((resource, place) => pageResourcePath(place, resource)),
    variants,
    /** Differences from the page's source, in sentences. */
    notes: [...read.notes, ...(longer.length === 0 ? [] : [note])],
  };
}

async function serve(
  { page, bodies }: ReadPage,
  place: number,
  resource: PageResource,
  variants: VariantStore,
  withDictionaries: boolean,
): Promise<ServedResource> {
  const { bytes, payload } = pageBody(page, place, bodies.get(place));
  const body = { bytes, sha256: sha256Hex(bytes) };
  const { mimeType } = resource;
  const contentType = mimeType.startsWith('text/') ? `${mimeType}; charset=utf-8` : mimeType;
  const representations: Representations = { contentType, body };
  if (withDictionaries && hasDictionary(resource) && payload.to > payload.from) {
    const older = olderVersion(bytes, payload, place);
    representations.dictionary = { bytes: older, sha256: sha256Hex(older) };
    representations.dictionaryId = pageDictionaryId(place);
  }
  const isSmaller = async (coding: string) =>
    isCoding(coding) &&
    (await variants.get(coding, representations)).bytes.byteLength < bytes.length;
  // Chromium does not store a response whose coding made it larger than its body.
  const coding = (await isSmaller(resource.coding)) ? resource.coding : 'identity';
  const asDictionary = representations.dictionary !== undefined && (await isSmaller('dcb'));
  return { ...resource, coding, bodyBytes: bytes.length, representations, asDictionary };
}
