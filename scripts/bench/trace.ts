import type { Page } from 'puppeteer-core';

/** An event of Chromium's trace; times in µs. */
export interface TraceEvent {
  name: string;
  ts: number;
  tid: number;
  dur?: number;
  /** CPU time of the thread, µs. */
  tdur?: number;
  args?: { data?: { type?: string }; hasPartialUpdate?: boolean };
}

/** Runs `work` on a page and returns the renderer's trace of it, sorted by time. */
export async function traced(page: Page, work: () => Promise<void>): Promise<TraceEvent[]> {
  const categories = [
    'toplevel',
    'devtools.timeline',
    'disabled-by-default-devtools.timeline.frame',
  ];
  await page.tracing.start({
    categories: [...categories, 'disabled-by-default-devtools.timeline'],
  });
  await work();
  const json = new TextDecoder().decode(await page.tracing.stop());
  const { traceEvents } = JSON.parse(json) as { traceEvents: TraceEvent[] };
  return traceEvents.toSorted((one, other) => one.ts - other.ts);
}
