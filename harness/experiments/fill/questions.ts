import { least } from '@cachescope/model/extremes.ts';
import type { FillQuestion, FillQuestionName } from '@cachescope/model/fill/question.ts';
import type { StorageKind } from '@cachescope/model/run/sample.ts';
import { join } from 'node:path';
import { CachescopeError } from '../../error.ts';
import { attachStorage } from '../../storage/storage.ts';
import { type BrowserReading, type FillLaunch, readInBrowser } from './browser.ts';
import type { PlannedReader } from './reader-server.ts';
import type { FillLab } from './system.ts';

/** Body size of a question's stream, bytes: small, so that only waiting takes time. */
const bodyBytes = 3_000_000;
const fileMs = 3_000;
/** Chromium stops waiting for another transaction's cache entry after 20 s (net/http/http_cache_transaction.cc). */
const lockDelayMs = 23_000;
/**
 * Delay of the slow disk, ms. With a delay longer than the pause between two chunks, only the delay would be visible.
 */
const slowDiskMs = 20;

interface Asked {
  headDelayMs: number;
  storageDelayMs: number;
  readers: Omit<PlannedReader, 'name'>[];
}

const atOnce = (count: number) => Array.from({ length: count }, () => ({ afterMs: 0 }));
const plain = { headDelayMs: 0, storageDelayMs: 0 };

/** The delays and readers of each question. */
function askedOf(name: FillQuestionName, readers: number): Asked {
  switch (name) {
    case 'together':
      return { ...plain, readers: atOnce(readers) };
    case 'attach':
      return { ...plain, readers: [{ afterMs: 0 }, { afterMs: fileMs / 2 }] };
    case 'lock-timeout':
      return { ...plain, headDelayMs: lockDelayMs, readers: [{ afterMs: 0 }, { afterMs: 100 }] };
    case 'range-in-whole': {
      const range = `bytes=${bodyBytes / 3}-${(2 * bodyBytes) / 3 - 1}`;
      return { ...plain, readers: [{ afterMs: 0 }, { afterMs: fileMs / 2, range }] };
    }
    case 'range-twice': {
      const range = `bytes=0-${bodyBytes / 2 - 1}`;
      return {
        ...plain,
        readers: [
          { afterMs: 0, range },
          { afterMs: 200, range },
        ],
      };
    }
    default:
      return { ...plain, storageDelayMs: slowDiskMs, readers: atOnce(readers) };
  }
}

/**
 * Asks one question about the browser's cache: one launch, one stream, and readers that record when each part arrived.
 */
export async function askBrowser(
  lab: FillLab,
  name: FillQuestionName,
  storage: StorageKind,
): Promise<Omit<FillQuestion, 'sequence'>> {
  const askedAt = new Date().toISOString();
  const asked = askedOf(name, lab.plan.workers);
  const mark = await lab.origin.mark();
  const { requests, version, flags } = await readAsked(lab, name, asked, storage);
  lab.noteChromium({ version, flags });
  const seen = await lab.origin.since(mark);
  const first = least(seen.map(({ receivedAt }) => Date.parse(receivedAt)));
  return {
    kind: 'question',
    name,
    askedAt,
    fileMs,
    headDelayMs: asked.headDelayMs,
    storageDelayMs: asked.storageDelayMs,
    readers: requests.toSorted((a, b) => a.worker - b.worker),
    origin: seen.map(({ receivedAt, status }) => ({
      atMs: Date.parse(receivedAt) - first,
      status,
    })),
  };
}

async function readAsked(
  lab: FillLab,
  name: FillQuestionName,
  asked: Asked,
  storage: StorageKind,
): Promise<BrowserReading> {
  const { origin, readers: server, browser, plan, privilege } = lab;
  if (!browser)
    throw new CachescopeError('CS_BROWSER_MISSING', `the question ${name} needs Chromium`);
  const query = `seed=${plan.seed}&bytes=${bodyBytes}&durationMs=${fileMs}&chunkHz=${plan.chunkHz}&headDelayMs=${asked.headDelayMs}`;
  const stream = `question-${name}`;
  const readerPlan = {
    base: origin.url,
    query,
    seed: plan.seed,
    fileBytes: bodyBytes,
    workers: asked.readers.length,
    place: { kind: 'page', count: 1 },
    readers: asked.readers.map((reader) => ({ ...reader, name: stream })),
  } as const;
  const onDisk = { inMemory: false, lost: [origin.failed] };
  const read = (launch: FillLaunch) =>
    readInBrowser(browser, server, { ...readerPlan, readers: [...readerPlan.readers] }, launch);
  if (asked.storageDelayMs === 0) return read(onDisk);
  const disk = await attachStorage({ kind: storage, delayWrites: true, privilege });
  try {
    await disk.setDelay(asked.storageDelayMs);
    return await read({ ...onDisk, cacheDirectory: join(disk.directory, 'cache') });
  } finally {
    await disk.detach();
  }
}
