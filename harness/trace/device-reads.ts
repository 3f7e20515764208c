import { basename } from 'node:path';
import type { DeviceRead, DeviceReadKind } from '@cachescope/model/explain/device-read.ts';
import type { StepSpan } from '@cachescope/model/explain/traced-read.ts';
import type { BlockRead } from './block-events.ts';
import type { FileExtent } from './file-extents.ts';
import type { PageRead } from './netlog-request.ts';

/** The context that classifies the reads of a device. */
export interface ReadContext {
  page: PageRead;
  spans: readonly StepSpan[];
  /** Extents of all files on the device; null: unknown. */
  extents: readonly FileExtent[] | null;
  /** True when other programs use the device too: reads outside all known files may then be theirs. */
  isShared: boolean;
}

/** The reads in flight while the page waited, with their purpose. */
export function deviceReadsOf(reads: readonly BlockRead[], context: ReadContext): DeviceRead[] {
  const { page } = context;
  return reads
    .filter(({ issueUs, completeUs }) => completeUs > page.beginUs && issueUs < page.endUs)
    .map((read) => {
      const startMs = (read.issueUs - page.beginUs) / 1000;
      const file = fileAt(read, context.extents);
      return {
        startMs,
        endMs: (read.completeUs - page.beginUs) / 1000,
        offset: read.offset,
        bytes: read.bytes,
        kind: kindOf(read, file, startMs, context),
        ...(read.isReadAhead !== undefined && { isReadAhead: read.isReadAhead }),
        ...(file !== undefined && { file: basename(file) }),
      };
    });
}

function fileAt(read: BlockRead, extents: readonly FileExtent[] | null): string | undefined {
  return extents?.find(
    ({ offset, bytes }) => read.offset < offset + bytes && read.offset + read.bytes > offset,
  )?.file;
}

/** Cache files that contain entries: of simple, of blockfile, of sql. The cache's index is a different file. */
const entryFile = /Cache_Data\/(?:[0-9a-f]{16}_[01s]|data_\d|f_[0-9a-f]{6}|sqldb\d)$/;
/** In Chromium's dictionary store, or at the target of a link in its place (browser/slow-profile.ts). */
export const dictionaryFile = /(?:^|\/)(?:Shared Dictionary|dictionaries)\//;
const headerSteps = new Set(['dispatch', 'backendWait', 'entryOpen', 'lockWait', 'headerRead']);

function kindOf(
  { isMetadata }: BlockRead,
  file: string | undefined,
  startMs: number,
  { extents, spans, isShared }: ReadContext,
): DeviceReadKind {
  if (isMetadata) return 'metadata';
  if (extents === null) return 'unknown';
  // Outside all files the file system stores its metadata: inodes that are read ahead lack the REQ_META flag.
  if (file === undefined) return isShared ? 'unknown' : 'metadata';
  if (dictionaryFile.test(file)) return 'dictionary';
  if (!entryFile.test(file)) return 'other';
  const step = spans.findLast((span) => span.startMs <= startMs)?.step;
  return step === undefined || headerSteps.has(step) ? 'headers' : 'body';
}
