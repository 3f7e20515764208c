import { join } from 'node:path';
import { least } from '@cachescope/model/extremes.ts';
import type { FillQuestion, FillQuestionName } from '@cachescope/model/fill/question.ts';
import type { StorageKind } from '@cachescope/model/run/sample.ts';
import { setProvenDelay } from '../../lab/proven-delay.ts';
import { attachStorage } from '../../storage/storage.ts';
import { readInBrowser } from './browser.ts';
import type { FillLab } from './lab.ts';
import type { PageReading, PlannedReader, ReaderPlan } from './reader-server.ts';

/** Body size of a question's stream, bytes: small, so that only waiting takes time. */
const bodyBytes = 3_000_000;
const fileMs = 3_000;
/** Chromium stops waiting for another transaction's cache entry after 20 s (net/http/http_cache_transaction.cc). */
const lockDelayMs = 23_000;
/**
 * Delay of the slow disk, ms. With a delay longer than the pause between two chunks, only the delay would be visible.
 */
export const slowDiskMs = 20;

const middleThird = `bytes=${bodyBytes / 3}-${(2 * bodyBytes) / 3 - 1}`;
const firstHalf = `bytes=0-${bodyBytes / 2 - 1}`;

/** The two readers of each question about a second reader. The readers of the other questions all begin at once. */
const pairs: Partial<Record<FillQuestionName, Omit<PlannedReader, 'name'>[]>> = {
  attach: [{ afterMs: 0 }, { afterMs: fileMs / 2 }],
  'lock-timeout': [{ afterMs: 0 }, { afterMs: 100 }],
  'range-in-whole': [{ afterMs: 0 }, { afterMs: fileMs / 2, range: middleThird }],
  'range-twice': [
    { afterMs: 0, range: firstHalf },
    { afterMs: 200, range: firstHalf },
  ],
};

/**
 * Asks one question about the browser's cache: one launch, one stream, and readers that record when each part arrived.
 */
export async function askBrowser(
  lab: FillLab,
  name: FillQuestionName,
  storage: StorageKind,
): Promise<Omit<FillQuestion, 'sequence'>> {
  const { origin, session } = lab;
  const { seed, chunkHz, workers } = session.found.plan;
  const askedAt = new Date().toISOString();
  const headDelayMs = name === 'lock-timeout' ? lockDelayMs : 0;
  const storageDelayMs = name === 'slow-disk' ? slowDiskMs : 0;
  const planned = pairs[name] ?? Array.from({ length: workers }, () => ({ afterMs: 0 }));
  const readerPlan: ReaderPlan = {
    base: origin.url,
    pace: { seed, bytes: bodyBytes, durationMs: fileMs, chunkHz, headDelayMs },
    workers: planned.length,
    place: { kind: 'page', count: 1 },
    readers: planned.map((reader) => ({ ...reader, name: `question-${name}` })),
  };
  const mark = await origin.mark();
  const { requests } = await readOn(lab, readerPlan, storage, storageDelayMs);
  const seen = await origin.since(mark);
  const first = least(seen.map(({ receivedAt }) => Date.parse(receivedAt)));
  return {
    kind: 'question',
    name,
    askedAt,
    fileMs,
    headDelayMs,
    storageDelayMs,
    readers: requests.toSorted((a, b) => a.worker - b.worker),
    origin: seen.map(({ receivedAt, status }) => ({
      atMs: Date.parse(receivedAt) - first,
      status,
    })),
  };
}

/** Reads with the cache on ordinary storage, or, with a delay, on a slow disk. */
async function readOn(
  lab: FillLab,
  plan: ReaderPlan,
  storage: StorageKind,
  delayMs: number,
): Promise<PageReading> {
  const { privilege } = lab.session;
  const launch = { inMemory: false, lost: [lab.origin.failed] };
  if (delayMs === 0) return readInBrowser(lab, plan, launch);
  const disk = await attachStorage({ kind: storage, delayWrites: true, privilege });
  try {
    await setProvenDelay(lab.session, disk, delayMs);
    const cacheDirectory = join(disk.directory, 'cache');
    return await readInBrowser(lab, plan, { ...launch, cacheDirectory });
  } finally {
    await disk.detach();
  }
}
