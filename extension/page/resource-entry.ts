import type { ResourceTiming } from '@cachescope/model/attribution/resource-timing.ts';

/** Time limit for the browser to deliver the entry of a finished read, ms. */
const patienceMs = 1000;

/** Room for the entries of a long launch; the default of 250 would silently drop later ones. */
const bufferEntries = 20_000;

/** Enlarges the page's Resource Timing buffer. */
export function enlargeBuffer(performance: Performance): void {
  performance.setResourceTimingBufferSize(bufferEntries);
}

/**
 * The Resource Timing entry of the read of `url` that began between two times of the page's clock, ms. The time
 * distinguishes reads of the same URL. null when the browser delivers none within 1 s. It observes only after the timed
 * part of the read has ended.
 */
export function resourceEntry(
  Observer: typeof PerformanceObserver,
  read: { url: string; fromMs: number; toMs: number },
): Promise<ResourceTiming | null> {
  return new Promise((resolve) => {
    const settle = (timing: ResourceTiming | null): void => {
      observer.disconnect();
      clearTimeout(timer);
      resolve(timing);
    };
    const observer = new Observer((list) => {
      const entry = list
        .getEntriesByType('resource')
        .find(
          ({ name, startTime }) =>
            name === read.url && read.fromMs <= startTime && startTime <= read.toMs,
        );
      if (entry instanceof PerformanceResourceTiming) settle(plainTiming(entry));
    });
    const timer = setTimeout(() => settle(null), patienceMs);
    observer.observe({ type: 'resource', buffered: true });
  });
}

/** Fields that the type library does not have yet. */
interface RecentFields {
  deliveryType?: string;
  contentEncoding?: string;
  contentType?: string;
  firstInterimResponseStart?: number;
  finalResponseHeadersStart?: number;
  workerMatchedSourceType?: string;
  workerFinalSourceType?: string;
}

/** The fields of an entry, as plain data. */
export function plainTiming(entry: PerformanceResourceTiming & RecentFields): ResourceTiming {
  const fields = {
    deliveryType: entry.deliveryType,
    initiatorType: entry.initiatorType,
    nextHopProtocol: entry.nextHopProtocol,
    transferSize: entry.transferSize,
    encodedBodySize: entry.encodedBodySize,
    decodedBodySize: entry.decodedBodySize,
    responseStatus: entry.responseStatus,
    contentEncoding: entry.contentEncoding,
    contentType: entry.contentType,
    startTime: entry.startTime,
    duration: entry.duration,
    workerStart: entry.workerStart,
    workerMatchedSourceType: entry.workerMatchedSourceType,
    workerFinalSourceType: entry.workerFinalSourceType,
    redirectStart: entry.redirectStart,
    requestStart: entry.requestStart,
    firstInterimResponseStart: entry.firstInterimResponseStart,
    finalResponseHeadersStart: entry.finalResponseHeadersStart,
    responseStart: entry.responseStart,
    responseEnd: entry.responseEnd,
  };
  return fields;
}
