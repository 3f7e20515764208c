import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { cacheDirectives } from '@cachescope/model/caching/cache-directives.ts';
import { fieldsForWhole, validatorsOf } from './conditional.ts';
import { confirmed, isOfAnother } from './confirmed-response.ts';
import { endToEnd } from './connection-fields.ts';
import { GrowingBody } from './growing-body.ts';
import { interimTo, passOn, sendError, sendFailure } from './pass.ts';
import { type CacheStatus, replyFrom } from './reply.ts';
import { ResponseStore } from './response-store.ts';
import {
  cachingOf,
  dated,
  forwardReason,
  isUsable,
  type StoredResponse,
} from './stored-response.ts';
import { type AskOptions, hasContent, isLeftCoded, Upstream } from './upstream.ts';

/**
 * How requests for a response that is still arriving are handled. `pass`: each goes to the upstream separately. `lock`:
 * they wait until the response is complete. `stream`: they are served the bytes that have arrived, and the rest as it
 * arrives.
 */
export const edgeModes = ['pass', 'lock', 'stream'] as const;
export type EdgeMode = (typeof edgeModes)[number];

export interface EdgeOptions {
  /** For example `http://127.0.0.1:8042`. */
  upstream: string;
  mode: EdgeMode;
  /**
   * Limit of all stored responses together, in memory; default 512 MiB. A larger response is forwarded but not stored.
   */
  limitBytes?: number;
}

const defaultLimitBytes = 512 * 1024 ** 2;

/** Safe methods (RFC 9110 section 9.2.1). */
const safe = /^(GET|HEAD|OPTIONS|TRACE)$/;

/** Rounds of waiting for other requests' fills before a request goes to the upstream separately. */
const mostRounds = 3;

/** The result of a fill's header section, for the requests that waited for it. */
type HeadOutcome = 'shared' | 'not shared' | 'failed';

/** A request that a stored response may answer. */
interface Read {
  target: string;
  /** Its fields as the client sent them. */
  headers: IncomingHttpHeaders;
  /** Its fields as the upstream receives them: with these a response is stored, and found. */
  sent: IncomingHttpHeaders;
}

/** A caching reverse proxy (RFC 9111, shared cache). */
export class Edge {
  readonly #upstream: Upstream;
  readonly #mode: EdgeMode;
  readonly #store: ResponseStore;
  /** Fills whose header section has not arrived, by target; each settles with its result. */
  readonly #awaited = new Map<string, Promise<HeadOutcome>>();
  /** Fills whose header section has not arrived. Outdated: their target has been changed since they were asked for. */
  readonly #asking = new Set<{ target: string; isOutdated: boolean }>();

  constructor({ upstream, mode, limitBytes = defaultLimitBytes }: EdgeOptions) {
    this.#upstream = new Upstream(upstream);
    this.#mode = mode;
    this.#store = new ResponseStore(limitBytes);
  }

  /** Bytes of the stored bodies. */
  get storedBytes(): number {
    return this.#store.bytes;
  }

  close(): void {
    this.#upstream.close();
  }

  /** Answers one request, from the store or from the upstream. Never rejects. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const { method = 'GET', headers } = request;
      const target = originForm(request.url);
      request.url = target;
      const coding = headers['transfer-encoding'];
      if (isLeftCoded(coding))
        return sendError(
          response,
          501,
          'detail=transfer-coding',
          `the transfer coding ${coding} is not decoded (RFC 9112 section 6.1)`,
        );
      const asked = cacheDirectives(headers['cache-control'] ?? null);
      const isRead = method === 'GET' || method === 'HEAD';
      // Content of a GET may mean something to the upstream, but is not part of the cache key.
      const isOwn = headers.authorization !== undefined || hasContent(request);
      if (!isRead || isOwn || asked.has('no-store')) {
        const reason = isRead ? 'request' : 'method';
        const onHead = safe.test(method)
          ? undefined
          : (answer: IncomingMessage) => this.#invalidate(request, answer);
        return await passOn(this.#upstream, request, response, reason, onHead);
      }
      const sent = fieldsForWhole(this.#upstream.fieldsOf(headers));
      await this.#read({ target, headers, sent }, request, response);
    } catch (error) {
      sendFailure(response, error);
    }
  }

  /**
   * RFC 9111 section 4.4: a successful unsafe request invalidates stored responses; and those that were asked for before
   * it and have not come, which may be from before the change.
   */
  #invalidate(request: IncomingMessage, answer: IncomingMessage): void {
    if ((answer.statusCode ?? 502) >= 400) return;
    for (const changed of changedTargets(request, answer.headers)) {
      this.#store.invalidate(changed);
      this.#awaited.delete(changed);
      for (const asking of this.#asking) asking.isOutdated ||= asking.target === changed;
    }
  }

  async #read(read: Read, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { target, headers, sent } = read;
    let hasWaited = false;
    for (let round = 0; round < mostRounds && !response.destroyed; round++) {
      const found = this.#store.find(target, sent);
      if (found && isUsable(found, headers, Date.now())) {
        const isArriving = found.body.state === 'filling';
        if (!isArriving || this.#mode === 'stream') {
          this.#store.used(found);
          const isCollapsed = isArriving || hasWaited;
          return replyFrom(found, isCollapsed ? 'fwd=miss; collapsed' : 'hit', request, response);
        }
        hasWaited = true;
        await this.#waitFor(found.body, response);
        continue;
      }
      const awaited = this.#mode === 'pass' ? undefined : this.#awaited.get(target);
      if (!awaited) break;
      const outcome = await awaited;
      hasWaited ||= outcome === 'shared';
      if (outcome === 'failed')
        return sendError(
          response,
          502,
          'fwd=miss; collapsed; detail=failed',
          'the fill that it waited for failed',
        );
      if (outcome === 'not shared') break;
    }
    if (response.destroyed) return;
    if (cacheDirectives(headers['cache-control'] ?? null).has('only-if-cached'))
      // Nothing was forwarded.
      return sendError(
        response,
        504,
        'detail=only-if-cached',
        'only-if-cached, and it is not (RFC 9111 section 5.2.1.7)',
      );
    if (request.method === 'HEAD') {
      const reason = forwardReason(this.#store.find(target, sent), headers, Date.now());
      await passOn(this.#upstream, request, response, reason);
      return;
    }
    await this.#lead(read, request, response);
  }

  /** In `lock` mode: waits until a body is complete. A waiting request counts as a taker of the body, like a reader. */
  async #waitFor(body: GrowingBody, response: ServerResponse): Promise<void> {
    const taker = body.join(null);
    const leave = () => body.leave(taker);
    response.once('close', leave);
    await body.decided;
    leave();
  }

  /** Fetches the whole response for its own request and, if it may be shared, for all others. */
  async #lead(read: Read, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { target, sent } = read;
    const head = Promise.withResolvers<HeadOutcome>();
    const isFirst = !this.#awaited.has(target);
    if (isFirst) this.#awaited.set(target, head.promise);
    const forget = () => {
      if (this.#awaited.get(target) === head.promise) this.#awaited.delete(target);
    };
    try {
      const found = this.#store.find(target, sent);
      const onInterim = interimTo(request, response);
      const { stored, status, isShared } = await this.#fetch(read, { found, onInterim });
      head.resolve(isShared ? 'shared' : 'not shared');
      forget();
      await replyFrom(stored, status, request, response);
    } finally {
      forget();
      head.resolve('failed');
    }
  }

  async #fetch(
    read: Read,
    { found, onInterim }: { found: StoredResponse | null; onInterim: AskOptions['onInterim'] },
  ): Promise<{ stored: StoredResponse; status: CacheStatus; isShared: boolean }> {
    const { target, sent } = read;
    const canConfirm = found?.body.state === 'complete' ? found : null;
    const abort = new AbortController();
    const askedAt = Date.now();
    const reason = forwardReason(found, read.headers, askedAt);
    const fields = { ...sent, ...(canConfirm && validatorsOf(canConfirm.headers)) };
    const asking = { target, isOutdated: false };
    this.#asking.add(asking);
    const options = { reason, signal: abort.signal, onInterim };
    const incoming = await this.#upstream
      .ask('GET', target, fields, options)
      .finally(() => this.#asking.delete(asking));
    const moments = { askedAt, cameAt: Date.now() };
    const { statusCode: code = 502 } = incoming;
    const headers = dated(incoming.headers, moments.cameAt);
    if (canConfirm && code === 304) {
      incoming.resume();
      if (isOfAnother(headers.etag, canConfirm)) {
        this.#store.remove(canConfirm);
        return this.#fetch(read, { found: null, onInterim });
      }
      const stored = confirmed(canConfirm, headers, sent, moments);
      // An unsafe request for the target, or the size limit, may have removed the previous one during the revalidation; and
      // a 304 may make the response private.
      const isShared = this.#store.remove(canConfirm) && stored.mayStore;
      if (isShared) this.#store.add(target, stored, sent);
      return { stored, status: `fwd=${reason}; fwd-status=304`, isShared };
    }
    const lengthBytes = lengthOf(headers);
    const caching = cachingOf(code, headers, sent, moments);
    // In `pass` mode several fills of one target run concurrently; only one at a time is stored.
    const isStored =
      caching.mayStore &&
      !asking.isOutdated &&
      !this.#store.holds(target) &&
      this.#store.admits(lengthBytes);
    // Requests that waited for the header section join in this turn of the event loop, possibly after the first reader
    // has left.
    const desert = () => setImmediate(() => body.isDeserted && abort.abort());
    const body: GrowingBody = new GrowingBody(isStored, desert);
    const stored: StoredResponse = {
      status: code,
      headers: endToEnd(headers),
      body,
      lengthBytes,
      ...caching,
    };
    // Starts before the response is counted: if the store has no room for it, the body is not kept from the beginning.
    this.#fill(read, incoming, stored);
    if (isStored && this.#mode === 'pass') this.#store.hold(target, stored);
    else if (isStored) this.#store.add(target, stored, sent);
    const status = `fwd=${reason}${body.isKept ? '; stored' : ''}`;
    return { stored, status, isShared: body.isKept };
  }

  /** Receives the body. */
  #fill({ target, sent }: Read, incoming: IncomingMessage, stored: StoredResponse): void {
    const { body } = stored;
    incoming.on('data', (chunk: Buffer) => {
      const hasRoom = body.add(chunk, () => incoming.resume());
      if (body.isKept && !this.#store.admits(body.bytes)) this.#store.remove(stored);
      this.#store.grew(stored, chunk.byteLength);
      if (!hasRoom) incoming.pause();
    });
    // `close` also follows an error or a broken connection: then the body is not complete.
    incoming.once('close', () => {
      const isWhole = incoming.complete && (stored.lengthBytes ?? body.bytes) === body.bytes;
      if (isWhole) stored.lengthBytes = body.bytes;
      body.end(isWhole ? 'complete' : 'failed');
      if (!isWhole) this.#store.remove(stored);
      // An unsafe request for the target, or the size limit, may have removed it while it arrived.
      else if (this.#mode === 'pass' && this.#store.remove(stored))
        this.#store.add(target, stored, sent);
    });
    incoming.on('error', () => undefined);
  }
}

/** A target in absolute form as path and query (RFC 9112 section 3.2.2): it is the same resource. */
function originForm(target = '/'): string {
  const url = target.startsWith('/') ? null : URL.parse(target);
  return url ? url.pathname + url.search : target;
}

/**
 * The targets that a successful unsafe request invalidates: its own, and those on this host in its response's Location
 * and Content-Location.
 */
function changedTargets(
  { url = '/', headers }: IncomingMessage,
  answered: IncomingHttpHeaders,
): string[] {
  const base = `http://${headers.host ?? 'localhost'}${url}`;
  const named = ['location', 'content-location'].flatMap((name) => {
    const value = answered[name];
    const target = typeof value === 'string' ? URL.parse(value, base) : null;
    return target && target.host === headers.host ? [target.pathname + target.search] : [];
  });
  return [url, ...named];
}

function lengthOf(headers: IncomingHttpHeaders): number | null {
  const length = headers['content-length'];
  return length === undefined ? null : Number(length);
}
