import { onTestFinished, vi } from 'vitest';
import {
  FakeEntry,
  FakeNavigationEntry,
  FakeResourceEntry,
  FakeTimeline,
} from './performance-timeline.ts';

/** An element that can be the target of a load event. */
export class FakeElement {
  src = '';
  currentSrc = '';
  href = '';
  rel = '';
  readonly localName: string;

  constructor(localName: string, fields: object = {}) {
    this.localName = localName;
    Object.assign(this, fields);
  }

  /** Supports only the selector that is used: links that preload. */
  matches(): boolean {
    return /\b(preload|modulepreload|prefetch)\b/i.test(this.rel);
  }
}
export class FakeImage extends FakeElement {}
export class FakeScript extends FakeElement {}
export class FakeLink extends FakeElement {}
export class FakeInput extends FakeElement {}

/** Events that the fake browser dispatches. A page's own are not trusted, as in a browser. */
const trusted = new WeakSet<Event>();

type Hear = (event: Event) => void;

/** Node's own events are never trusted, and do not let anyone say so. */
class FakeEventTarget extends EventTarget {
  readonly #heard = new Map<Hear, Hear>();

  override addEventListener(
    type: string,
    hear: Hear,
    options?: AddEventListenerOptions | boolean,
  ): void {
    const told = (event: Event) => hear(trusted.has(event) ? asTrusted(event) : event);
    this.#heard.set(hear, told);
    super.addEventListener(type, told, options);
  }

  override removeEventListener(type: string, hear: Hear, isCapture?: boolean): void {
    super.removeEventListener(type, this.#heard.get(hear) ?? hear, isCapture);
  }
}

function asTrusted(event: Event): Event {
  const get = (of: Event, name: string) => name === 'isTrusted' || Reflect.get(of, name);
  return new Proxy(event, { get: get as never });
}

class FakeDocument extends FakeEventTarget {
  readyState = 'loading';
  visibilityState = 'visible';
  prerendering = false;
  links: FakeLink[] = [];

  querySelectorAll(): FakeLink[] {
    return this.links.filter((link) => link.matches());
  }

  /** Dispatches an event of the document, with more fields. */
  tell(type: string, more: object): void {
    this.dispatchEvent(eventOf(type, more));
  }

  /** Dispatches the element's load event now. */
  finish(target: FakeElement): void {
    this.dispatchEvent(eventOf('load', { target }));
  }
}

/** Time since the page's time origin, which is the moment it was started, ms. */
let originMs = 0;
const sinceOrigin = (): number => Date.now() - originMs;

function eventOf(type: string, more: object): Event {
  const event = madeUpEvent(type, more);
  trusted.add(event);
  return event;
}

/** An event with more fields, which the page itself may dispatch. */
export function madeUpEvent(type: string, more: object): Event {
  const event = new Event(type);
  for (const [name, value] of Object.entries({ timeStamp: sinceOrigin(), ...more }))
    Object.defineProperty(event, name, { value });
  return event;
}

/** Installs a fake page, for a test of the content scripts, until the test ends. Time advances only by `pass`. */
export function startPage() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  originMs = Date.now();
  const window = new FakeEventTarget();
  const document = new FakeDocument();
  const timeline = new FakeTimeline();
  const idle = { isIdle: true };
  const self = { origin: 'https://example.test', top: null as object | null };
  self.top = self;
  const globals = {
    addEventListener: window.addEventListener.bind(window),
    removeEventListener: window.removeEventListener.bind(window),
    dispatchEvent: window.dispatchEvent.bind(window),
    document,
    location: { href: 'https://example.test/#top' },
    self,
    navigator: { serviceWorker: { controller: null } },
    crossOriginIsolated: true,
    performance: {
      timeOrigin: originMs,
      now: sinceOrigin,
      getEntriesByType: (type: string) =>
        timeline.entries.filter(({ entryType }) => entryType === type),
    },
    requestIdleCallback: (hear: (deadline: object) => void, { timeout }: { timeout: number }) => {
      // The remaining time is 1 ms less at each call.
      let leftMs = idle.isIdle ? 10 : 0;
      const deadline = { didTimeout: !idle.isIdle, timeRemaining: () => leftMs-- };
      if (idle.isIdle) queueMicrotask(() => hear(deadline));
      else setTimeout(() => hear(deadline), timeout);
    },
    PerformanceObserver: timeline.Observer,
    PerformanceEntry: FakeEntry,
    PerformanceResourceTiming: FakeResourceEntry,
    PerformanceNavigationTiming: FakeNavigationEntry,
    Element: FakeElement,
    HTMLImageElement: FakeImage,
    HTMLScriptElement: FakeScript,
    HTMLLinkElement: FakeLink,
    HTMLInputElement: FakeInput,
  };
  for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
  onTestFinished(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });
  return {
    document,
    window,
    timeline,
    /** A test sets `isIdle` to false to simulate a page that is never idle. */
    idle,
    /** Advances time by `ms`, and lets resulting promises settle. */
    pass: async (ms: number) => void (await vi.advanceTimersByTimeAsync(ms)),
    /** Dispatches an event of the window, with more fields. */
    tell: (type: string, more: object = {}) => void window.dispatchEvent(eventOf(type, more)),
  };
}
