import type { IncomingHttpHeaders } from 'node:http';
import { matchesVary, type StoredResponse } from './stored-response.ts';

/** What a response counts beside its body, bytes: its fields, and its places here. */
export const entryBytes = 4096;

interface Entry {
  /** null: counted, and not given out. */
  target: string | null;
  /** Of its body, as far as they are counted here. */
  bytes: number;
}

/**
 * Responses by the target of their request, in memory, within a size limit: those longest unused go first. What is still
 * arriving counts with what has arrived, and stays; when it must go all the same its body is kept no longer.
 */
export class ResponseStore {
  readonly #limitBytes: number;
  /** In order of use, the longest unused first. */
  readonly #entries = new Map<StoredResponse, Entry>();
  readonly #byTarget = new Map<string, Set<StoredResponse>>();
  #bytes = 0;

  /** `limitBytes`: of all responses together. */
  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  /** Of all bodies that are kept or arriving. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Whether a body of this length could ever fit. */
  admits(lengthBytes: number | null): boolean {
    return (lengthBytes ?? 0) + entryBytes <= this.#limitBytes;
  }

  /** The response to this target that Vary allows for this request, the newest of them; null without one. */
  find(target: string, request: IncomingHttpHeaders): StoredResponse | null {
    const responses = [...(this.#byTarget.get(target) ?? [])];
    return responses.findLast((response) => matchesVary(response, request)) ?? null;
  }

  /** Counts a response while it arrives, and gives it to nobody: it is added once it is complete. */
  hold(response: StoredResponse): void {
    this.#count(response, null);
    this.#fit();
  }

  /** Adds a response, in place of one that answers the same requests; one that was held no longer counts as such. */
  add(target: string, response: StoredResponse, request: IncomingHttpHeaders): void {
    this.remove(response);
    const former = this.find(target, request);
    if (former) this.remove(former);
    this.#count(response, target);
    const responses = this.#byTarget.get(target) ?? new Set();
    this.#byTarget.set(target, responses.add(response));
    this.#fit();
  }

  #count(response: StoredResponse, target: string | null): void {
    const { bytes } = response.body;
    this.#entries.set(response, { target, bytes });
    this.#bytes += bytes;
  }

  /** Tells that so many bytes more of a response have arrived. Nothing when it is not in here. */
  grew(response: StoredResponse, bytes: number): void {
    const entry = this.#entries.get(response);
    if (!entry) return;
    entry.bytes += bytes;
    this.#bytes += bytes;
    this.#fit();
  }

  /** False when it was not in here. What is still arriving then keeps only what its readers have yet to take. */
  remove(response: StoredResponse): boolean {
    const entry = this.#entries.get(response);
    if (!entry) return false;
    this.#entries.delete(response);
    this.#bytes -= entry.bytes;
    if (response.body.state === 'filling') response.body.stopKeeping();
    if (entry.target === null) return true;
    const responses = this.#byTarget.get(entry.target);
    responses?.delete(response);
    if (responses?.size === 0) this.#byTarget.delete(entry.target);
    return true;
  }

  /** Forgets all that answers this target, as after a change of it (RFC 9111 section 4.4). */
  invalidate(target: string): void {
    for (const response of this.#byTarget.get(target) ?? []) this.remove(response);
  }

  /** Notes that it was used just now. */
  used(response: StoredResponse): void {
    const entry = this.#entries.get(response);
    if (!entry) return;
    this.#entries.delete(response);
    this.#entries.set(response, entry);
  }

  /** Lets go of complete responses until all fit. What arrives and does not fit even so is kept no longer. */
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
