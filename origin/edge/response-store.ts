import type { IncomingHttpHeaders } from 'node:http';
import { matchesVary, type StoredResponse } from './stored-response.ts';

/** What a response counts beside its body, bytes: its fields, and its places here. */
export const entryBytes = 4096;

interface Entry {
  target: string;
  /** Counted, and not given out. */
  isHeld: boolean;
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
  /** With those that are held. */
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
    const given = this.#toTarget(target).filter((response) => !this.#isHeld(response));
    return given.findLast((response) => matchesVary(response, request)) ?? null;
  }

  /** Counts a response while it arrives, and gives it to nobody: once it is complete it is added, if it is in here still. */
  hold(target: string, response: StoredResponse): void {
    this.#enter(response, { target, isHeld: true });
  }

  /** Whether a response to this target is held. */
  holds(target: string): boolean {
    return this.#toTarget(target).some((response) => this.#isHeld(response));
  }

  /** Adds a response, in place of one that answers the same requests; one that was held no longer counts as such. */
  add(target: string, response: StoredResponse, request: IncomingHttpHeaders): void {
    this.remove(response);
    const former = this.find(target, request);
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
    const responses = this.#byTarget.get(entry.target);
    responses?.delete(response);
    if (responses?.size === 0) this.#byTarget.delete(entry.target);
    return true;
  }

  /** Forgets all that answers this target or is going to, as after a change of it (RFC 9111 section 4.4). */
  invalidate(target: string): void {
    for (const response of this.#toTarget(target)) this.remove(response);
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
