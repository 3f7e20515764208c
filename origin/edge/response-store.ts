import type { IncomingHttpHeaders } from 'node:http';
import { matchesVary, type StoredResponse } from './stored-response.ts';

/** Bytes counted for a response in addition to its body: its fields, and its index entries here. */
export const entryBytes = 4096;

interface Entry {
  target: string;
  /** Counted, but not found by `find`. */
  isHeld: boolean;
  /** Bytes of its body counted so far. */
  bytes: number;
}

/**
 * Responses by the target of their request, in memory, within a size limit: the least recently used ones are evicted
 * first. An arriving response counts with the bytes received so far, and is evicted last; its body is then no longer
 * kept.
 */
export class ResponseStore {
  readonly #limitBytes: number;
  /** In order of use, least recently used first. */
  readonly #entries = new Map<StoredResponse, Entry>();
  /** Includes held responses. */
  readonly #byTarget = new Map<string, Set<StoredResponse>>();
  #bytes = 0;

  /** `limitBytes`: limit of all responses together. */
  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  /** Bytes of all bodies that are stored or arriving. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Whether a body of this length could fit at all. */
  admits(lengthBytes: number | null): boolean {
    return (lengthBytes ?? 0) + entryBytes <= this.#limitBytes;
  }

  /**
   * The newest response to this target that matches a request under Vary, given its fields as the upstream would
   * receive them; null if there is none.
   */
  find(target: string, sent: IncomingHttpHeaders): StoredResponse | null {
    const given = this.#toTarget(target).filter((response) => !this.#isHeld(response));
    return given.findLast((response) => matchesVary(response, sent)) ?? null;
  }

  /** Counts an arriving response without serving it: once complete, the caller adds it if it is still held. */
  hold(target: string, response: StoredResponse): void {
    this.#enter(response, { target, isHeld: true });
  }

  /** Whether a response to this target is held. */
  holds(target: string): boolean {
    return this.#toTarget(target).some((response) => this.#isHeld(response));
  }

  /** Adds a response, replacing one for the same requests; a held response is no longer held. */
  add(target: string, response: StoredResponse, sent: IncomingHttpHeaders): void {
    this.remove(response);
    const former = this.find(target, sent);
    if (former) this.remove(former);
    this.#enter(response, { target, isHeld: false });
  }

  #enter(response: StoredResponse, entry: Omit<Entry, 'bytes'>): void {
    const { bytes } = response.body;
    this.#entries.set(response, { ...entry, bytes });
    this.#bytes += bytes;
    const responses = this.#byTarget.get(entry.target) ?? new Set();
    this.#byTarget.set(entry.target, responses.add(response));
    this.#fit();
  }

  #toTarget(target: string): StoredResponse[] {
    return [...(this.#byTarget.get(target) ?? [])];
  }

  #isHeld(response: StoredResponse): boolean {
    return this.#entries.get(response)?.isHeld === true;
  }

  /** Counts further bytes of a response. Does nothing when the response is not stored. */
  grew(response: StoredResponse, bytes: number): void {
    const entry = this.#entries.get(response);
    if (!entry) return;
    entry.bytes += bytes;
    this.#bytes += bytes;
    this.#fit();
  }

  /**
   * False when it was not stored. A response that is still arriving then retains only the bytes that its readers have
   * yet to take.
   */
  remove(response: StoredResponse): boolean {
    const entry = this.#entries.get(response);
    if (!entry) return false;
    this.#entries.delete(response);
    this.#bytes -= entry.bytes;
    if (response.body.state === 'filling') response.body.stopKeeping();
    const responses = this.#byTarget.get(entry.target);
    responses?.delete(response);
    if (responses?.size === 0) this.#byTarget.delete(entry.target);
    return true;
  }

  /** Removes all responses for this target, including arriving ones, after an unsafe request (RFC 9111 section 4.4). */
  invalidate(target: string): void {
    for (const response of this.#toTarget(target)) this.remove(response);
  }

  /** Marks a response as just used. */
  used(response: StoredResponse): void {
    const entry = this.#entries.get(response);
    if (!entry) return;
    this.#entries.delete(response);
    this.#entries.set(response, entry);
  }

  /** Evicts complete responses until all fit. If that is not enough, arriving responses are no longer kept. */
  #fit(): void {
    if (this.#fits) return;
    const all = [...this.#entries.keys()];
    const complete = all.filter(({ body }) => body.state === 'complete');
    const arriving = all.filter(({ body }) => body.state === 'filling');
    for (const response of [...complete, ...arriving.toReversed()]) {
      if (this.#fits) return;
      this.remove(response);
    }
  }

  get #fits(): boolean {
    return this.#bytes + this.#entries.size * entryBytes <= this.#limitBytes;
  }
}
