import { createHash } from 'node:crypto';

/**
 * Maximum size of a version of a workload, bytes: Chromium accepts no larger dictionary
 * (services/network/shared_dictionary).
 */
export const largestWorkloadBytes = 100 * 1024 * 1024;

/** Two versions of the same resource: the older one is the dictionary for the newer one. */
export interface Workload {
  /** Path segment and command-line name, `[a-z0-9:.-]+`. */
  name: string;
  /** For people, for example `pdfjs-dist 5.3.31 -> 5.4.54, pdf.worker.min.mjs`. */
  title: string;
  dictionary: Uint8Array;
  resource: Uint8Array;
  /** Media type of both versions. */
  contentType: string;
  /** Lower-case hex SHA-256 of the decoded bytes. */
  resourceSha256: string;
  dictionarySha256: string;
}

/** Lower-case hex SHA-256. */
export function sha256Hex(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Creates a workload from two versions of a resource. */
export function createWorkload(
  about: Pick<Workload, 'name' | 'title' | 'contentType'>,
  dictionary: Uint8Array,
  resource: Uint8Array,
): Workload {
  return {
    ...about,
    dictionary,
    resource,
    dictionarySha256: sha256Hex(dictionary),
    resourceSha256: sha256Hex(resource),
  };
}
