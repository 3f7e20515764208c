/**
 * Runs in an isolated world of every document of a watched page, before its scripts: collects what the document can
 * observe of its resources, and sends it through a binding whose name the watcher puts in place of `bindingName`.
 */
import type { PageBatch } from '@cachescope/model/load/page-batch.ts';
import { Collector } from '../page/collector.ts';
import { enlargeBuffer } from '../page/resource-entry.ts';

declare const bindingName: string;

/** What the script sends: that the document began, or was restored, and its batches. */
export type PageReport = { documentId: string; url: string } & (
  | { type: 'shown'; isTop: boolean }
  | { type: 'batch'; batch: PageBatch }
);

const binding = (globalThis as unknown as Record<string, (text: string) => void>)[bindingName];
const documentId = `${performance.timeOrigin} ${Math.random()}`;
const tell = (report: object): void =>
  binding?.(JSON.stringify({ documentId, url: location.href, ...report }));
const shown = (): void => tell({ type: 'shown', isTop: self === self.top });

const collector = new Collector(
  async (batch) => tell({ type: 'batch', batch }),
  async () => true,
);
enlargeBuffer(performance);
addEventListener('pageshow', ({ isTrusted, persisted, timeStamp }) => {
  if (!isTrusted || !persisted) return;
  collector.restored(timeStamp);
  shown();
});
shown();
collector.start();
