import { annotatedArchive } from '@cachescope/model/har/annotation.ts';
import { harOf } from '@cachescope/model/har/export.ts';
import { joinLoad } from '@cachescope/model/load/join.ts';
import type { Load } from '@cachescope/model/load/load.ts';
import type { Observation, ObservedDocument } from '@cachescope/model/load/observation.ts';
import { ownObservations } from '@cachescope/model/load/own-observations.ts';
import { withoutFragment } from '@cachescope/model/web-url.ts';
import { contextOf, isEnd, restoredDocument, tell } from '../background/network-events.ts';
import { NetworkRequest, requestKey } from '../background/network-request.ts';
import { documentsOf, pageObservations } from '../background/page-observations.ts';
import type { PageReport } from './page-script.ts';
import { type CdpSession, followTargets, WatchError, type WatchedTarget } from './session.ts';
import { shownLoad, type WatchedLoad } from './watched-load.ts';

/** The script of the page, built: put in place by the build. */
declare const pageScript: string;
/** Version of this program. */
declare const packageVersion: string;

/** How long to wait for a load. */
export interface LoadOptions {
  /** The load is complete when nothing has been reported for this time, ms; default 1000. */
  quietMs?: number;
  /** Longest wait, ms; default 30,000. */
  timeoutMs?: number;
}

const tabId = 0;
/** Loads that are kept. */
const mostLoads = 50;
const lookAgainMs = 50;

/** A page that is watched by its own timings and by the Network domain. */
export class Watched {
  readonly #session: CdpSession;
  readonly #binding = `cachescope${Math.random().toString(36).slice(2)}`;
  readonly #fromMs = Date.now();
  readonly #requests = new Map<string, NetworkRequest>();
  readonly #open = new Set<string>();
  readonly #observations = new Map<string, Observation>();
  readonly #documents = new Map<string, ObservedDocument>();
  readonly #frames = new Map<string, number>();
  /** The document that is shown, by its own report. */
  #shown: { documentId: string; url: string } | undefined;
  #navigatedUrl: string | undefined;
  #heardAtMs = Date.now();
  #gone: string | undefined;

  constructor(session: CdpSession) {
    this.#session = session;
  }

  /** Watches the page from now on. */
  async begin(): Promise<void> {
    await followTargets(this.#session, this.#enable, this.#hear);
  }

  readonly #enable = async (target: WatchedTarget): Promise<void> => {
    const { type } = target;
    const send = (method: string, parameters?: object) => target.send(method, parameters);
    const source = `(() => { const bindingName = ${JSON.stringify(this.#binding)}; ${pageScript} })()`;
    const worldName = this.#binding;
    const hasDocument = type === '' || type === 'iframe';
    await Promise.all([
      // Nobody reads the bodies: the renderer need not keep them.
      send('Network.enable', { maxTotalBufferSize: 0, maxResourceBufferSize: 0 }),
      ...(hasDocument
        ? [
            send('Page.enable'),
            send('Runtime.enable'),
            send('Inspector.enable'),
            send('Runtime.addBinding', { name: worldName, executionContextName: worldName }),
            send('Page.addScriptToEvaluateOnNewDocument', {
              source,
              worldName,
              runImmediately: true,
            }),
          ]
        : []),
    ]);
  };

  readonly #hear = (target: WatchedTarget, method: string, event: object): void => {
    if (method === 'Inspector.targetCrashed') this.#gone = 'it crashed';
    else if (method === 'Inspector.detached') this.#gone ??= 'its session was detached';
    else if (method === 'Page.frameNavigated') this.#navigated(target, event as NavigatedEvent);
    else if (method === 'Runtime.bindingCalled') this.#reported(target, event as BindingEvent);
    else this.#network(target, method, event);
    this.#heardAtMs = Date.now();
  };

  #navigated({ id }: WatchedTarget, { frame, type }: NavigatedEvent): void {
    if (id !== '' || frame.parentId !== undefined) return;
    this.#navigatedUrl = withoutFragment(frame.url);
    if (type !== 'BackForwardCacheRestore') return;
    this.#shown = undefined;
    const restored = restoredDocument(tabId, frame.url);
    this.#observations.set(restored.key, restored);
  }

  #reported({ id }: WatchedTarget, { name, payload }: BindingEvent): void {
    if (name !== this.#binding) return;
    const report = JSON.parse(payload) as PageReport;
    const { documentId } = report;
    if (report.type === 'shown') {
      if (report.isTop && id === '') this.#shown = report;
      return;
    }
    const isTop = report.batch.isTop === true && id === '';
    if (!isTop && !this.#frames.has(documentId))
      this.#frames.set(documentId, this.#frames.size + 1);
    const sender = { tabId, documentId, frameId: this.#frames.get(documentId) ?? 0 };
    for (const each of pageObservations(report.batch, sender))
      this.#observations.set(each.key, each);
    if (!isTop) return;
    for (const each of documentsOf(report.batch, sender)) this.#documents.set(each.id, each);
    this.#forget();
  }

  #network({ type }: WatchedTarget, method: string, event: object): void {
    const { requestId } = event as { requestId?: string };
    if (requestId === undefined) return;
    const key = requestKey(tabId, requestId);
    const context = type === '' ? 'unknown' : contextOf(type);
    const request = this.#requests.get(key) ?? new NetworkRequest(key, tabId, context);
    this.#requests.set(key, request);
    if (!tell(request, method, event)) return;
    if (isEnd(method)) this.#open.delete(key);
    else if (method === 'Network.requestWillBeSent') this.#open.add(key);
  }

  /** Drops the oldest loads of a page that is watched for long. */
  #forget(): void {
    const oldest = this.#inOrder().slice(0, -mostLoads);
    const fromMs = this.#inOrder().at(-mostLoads)?.startedAtMs ?? 0;
    for (const { id } of oldest) this.#documents.delete(id);
    if (oldest.length === 0) return;
    for (const [key, request] of this.#requests)
      if ((request.observation()?.startedAtMs ?? fromMs) < fromMs) this.#requests.delete(key);
    for (const [key, { startedAtMs }] of this.#observations)
      if (startedAtMs < fromMs) this.#observations.delete(key);
  }

  #inOrder(): ObservedDocument[] {
    return [...this.#documents.values()].toSorted((a, b) => a.startedAtMs - b.startedAtMs);
  }

  /**
   * The newest load, when it has loaded, all its requests have ended and nothing more is reported.
   *
   * @throws WatchError CS_WATCH_GONE when the page was closed, crashed, or its session was detached; CS_WATCH_TIMEOUT.
   */
  async load({ quietMs = 1000, timeoutMs = 30_000 }: LoadOptions = {}): Promise<WatchedLoad> {
    const untilMs = Date.now() + timeoutMs;
    for (;;) {
      await this.#requireAlive(untilMs - Date.now());
      const newest = this.#newest();
      const isQuiet = Date.now() - this.#heardAtMs >= quietMs;
      if (newest && isQuiet && this.#openUrls(newest).length === 0)
        return shownLoad(this.#joined(newest));
      if (Date.now() >= untilMs) throw this.#late(timeoutMs, newest);
      await new Promise((resolve) => setTimeout(resolve, lookAgainMs));
    }
  }

  /** The load of the shown document; undefined while it has not loaded. */
  #newest(): ObservedDocument | undefined {
    const newest = this.#inOrder().at(-1);
    const shown = this.#shown;
    if (!newest || !shown || newest.documentId !== shown.documentId) return undefined;
    if (this.#navigatedUrl !== undefined && this.#navigatedUrl !== withoutFragment(shown.url))
      return undefined;
    const isRestored = newest.navigationType === 'back-forward-cache';
    return newest.loadMs !== null || isRestored ? newest : undefined;
  }

  /**
   * Requests of a load that have not ended. Those of a page that was left may never be reported as ended; the icon of that
   * page, which the browser itself requests, may begin after the navigation.
   */
  #openUrls({ startedAtMs }: ObservedDocument): string[] {
    return [...this.#open].flatMap((key) => {
      const seen = this.#requests.get(key)?.observation();
      if (!seen || seen.startedAtMs < startedAtMs) return [];
      const { type, initiator } = seen.facts;
      return type === 'other' && initiator?.type === 'other' ? [] : [seen.url];
    });
  }

  #late(timeoutMs: number, newest: ObservedDocument | undefined): WatchError {
    const why = newest
      ? `requests have not ended: ${this.#openUrls(newest).slice(0, 5).join(', ')}`
      : 'its document has not loaded, or is none that can run a script';
    return new WatchError(
      'CS_WATCH_TIMEOUT',
      `the load is not complete after ${timeoutMs} ms: ${why}`,
    );
  }

  /** The browser itself answers this, also for a page that is busy. */
  async #requireAlive(leftMs: number): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, Math.max(1, leftMs));
    });
    const answer = this.#session.send('Target.getTargetInfo').catch((error: unknown) => {
      this.#gone ??= String(error);
    });
    await Promise.race([answer, late]);
    clearTimeout(timer);
    if (this.#gone !== undefined)
      throw new WatchError('CS_WATCH_GONE', `the page can no longer be watched: ${this.#gone}`);
  }

  #joined(document: ObservedDocument): Load {
    const siblings = this.#inOrder();
    const network = [...this.#requests.values()].flatMap((each) => each.observation() ?? []);
    const all = [...this.#observations.values(), ...network];
    const observations = ownObservations(document, siblings, all);
    const watches = (['page', 'debugger'] as const).map((depth) => ({
      key: depth,
      tabId,
      depth,
      fromMs: this.#fromMs,
      toMs: null,
    }));
    return joinLoad({ document, observations, watches, readAtMs: Date.now() });
  }

  /** All loads so far, oldest first, complete or not. */
  loads(): WatchedLoad[] {
    return this.#inOrder().map((document) => shownLoad(this.#joined(document)));
  }

  /** All loads so far as an HTTP Archive 1.2, with `_cacheSource` and `_cacheReason` on each entry. */
  har(): { log: { entries: object[] } } {
    const json = harOf(
      this.#inOrder().map((each) => this.#joined(each)),
      packageVersion,
    );
    const archive = annotatedArchive({ name: 'the watched page', json });
    return 'value' in archive ? archive.value.har : json;
  }
}

interface NavigatedEvent {
  frame: { url: string; parentId?: string };
  type?: string;
}
interface BindingEvent {
  name: string;
  payload: string;
}
