import type { LabAction } from '@cachescope/model/explore/run.ts';
import type {
  DelayRequest,
  LabAnswer,
  LabLink,
  LabState,
  StoredSizes,
} from '@cachescope/model/explore/lab.ts';
import type { Load } from '@cachescope/model/load/load.ts';
import { OriginError } from '@cachescope/origin/error.ts';
import type { LabHandlers } from '@cachescope/origin/routes/lab.ts';
import { sleep } from 'zx';
import { cacheEntries } from '../../browser/disk-cache.ts';
import { evict } from '../../browser/cold-read.ts';
import { ExploredBrowser } from '../../browser/explored-browser.ts';
import type { LaunchOptions } from '../../browser/launch.ts';
import { CachescopeError, messageOf } from '../../error.ts';
import type { Privilege } from '../../privilege.ts';
import { proveDelay } from '../../storage/delay-proof.ts';
import type { SlowDisk } from '../../storage/disk.ts';
import { changesLive } from '../../storage/storage.ts';
import type { ExploreRecord } from './record.ts';

/** Time for an answer to reach the browser before that browser is closed, ms. */
const answerMs = 200;
/** Number of direct reads that verify a delay; fewer at a long delay. */
const mostProofReads = 8;
const proofLimitMs = 2_000;

/** The parts of a lab. */
export interface ExploreParts {
  disk: SlowDisk;
  launch: LaunchOptions;
  privilege: Privilege;
  canDropPageCache: boolean;
  cacheBytes: () => Promise<number | null>;
  record: ExploreRecord;
}

/** The lab of one exploration: the browser on its slow disk, and the actions that the user can take on both. */
export class ExploreLab implements LabHandlers {
  readonly #parts: ExploreParts;
  #link: LabLink | undefined;
  #browser: ExploredBrowser | undefined;
  #delayMs: number | null = null;
  #measuredDelayMs: number | null = null;
  #busyWith: string | null = null;
  #lastProblem: string | null = null;
  /** Settles when no action is in progress. */
  #deed: Promise<void> = Promise.resolve();

  constructor(parts: ExploreParts) {
    this.#parts = parts;
  }

  /** Sets the first delay and opens the browser. The browser's extension reaches this lab through `link`. */
  async start(link: LabLink, delayMs: number | null, url: string): Promise<ExploredBrowser> {
    this.#link = link;
    if (delayMs !== null) await this.#changeDelay(delayMs);
    return this.#open([url]);
  }

  /** True once the user has closed the browser. False while the lab restarts it. */
  get hasEnded(): boolean {
    return this.#busyWith === null && (this.#browser?.hasEnded ?? true);
  }

  /** Why the browser ended without the user's request; null: it did not. */
  get failure(): string | null {
    if (this.#browser) return this.#browser.crash;
    return `the browser did not restart: ${this.#lastProblem ?? 'no reason is known'}`;
  }

  /** Waits for the action in progress, then closes the browser. A second call does nothing. */
  async end(): Promise<void> {
    await this.#deed;
    await this.#browser?.close();
    this.#browser = undefined;
  }

  async state(): Promise<LabState> {
    const { disk, canDropPageCache, cacheBytes, record } = this.#parts;
    return {
      delayMs: this.#delayMs,
      measuredDelayMs: this.#measuredDelayMs,
      backEnd: disk.kind,
      isLive: changesLive(disk.kind),
      cacheBytes: await cacheBytes(),
      canDropPageCache,
      busyWith: this.#busyWith,
      lastProblem: this.#lastProblem,
      savedLoads: record.savedLoads,
    };
  }

  async setDelay({ delayMs }: DelayRequest): Promise<LabAnswer> {
    const { kind: backEnd } = this.#parts.disk;
    if (backEnd === 'none')
      throw new OriginError('CS_LAB_DELAY', 'the cache is on ordinary storage, which has no delay');
    const change = () => this.#changeDelay(delayMs);
    const words = `setting the read delay to ${delayMs} ms`;
    if (changesLive(backEnd)) return this.#do('delay', words, change);
    return this.#restart('delay', words, change);
  }

  async dropPageCache(): Promise<LabAnswer> {
    this.#requireDropping();
    const { disk, privilege } = this.#parts;
    return this.#do('drop-page-cache', 'dropping the page cache', () => evict(disk, privilege));
  }

  async clearHttpCache(): Promise<LabAnswer> {
    return this.#do('clear-http-cache', 'clearing the HTTP cache', async () =>
      this.#browser?.clearHttpCache(),
    );
  }

  async relaunch(): Promise<LabAnswer> {
    this.#requireDropping();
    const { disk, privilege } = this.#parts;
    return this.#restart('relaunch', 'dropping the page cache', () => evict(disk, privilege));
  }

  saveLoad(load: Load): Promise<void> {
    return this.#parts.record.saveLoad(load);
  }

  async stored(): Promise<StoredSizes> {
    const entries = await cacheEntries(this.#parts.launch.cacheDirectory);
    return { entries: [...entries].map(([url, { storedBytes }]) => ({ url, storedBytes })) };
  }

  #requireDropping(): void {
    if (this.#parts.canDropPageCache) return;
    throw new OriginError('CS_LAB_PRIVILEGE', 'dropping the page cache needs root');
  }

  /** Runs an action while the browser keeps running. */
  async #do(kind: LabAction['kind'], words: string, act: () => Promise<void>): Promise<LabAnswer> {
    this.#begin(words, () => this.#carryOut(kind, act));
    await this.#deed;
    if (this.#lastProblem !== null) throw new OriginError('CS_LAB_FAILED', this.#lastProblem);
    return { willRestart: false, state: await this.state() };
  }

  /** Runs an action while the browser is closed; the answer is sent before. */
  async #restart(
    kind: LabAction['kind'],
    words: string,
    act: () => Promise<void>,
  ): Promise<LabAnswer> {
    this.#begin(`${words}; the browser restarts`, async () => {
      await sleep(answerMs);
      const urls = (await this.#browser?.urls()) ?? [];
      await this.#browser?.close();
      this.#browser = undefined;
      await this.#carryOut(kind, act);
      await this.#open(urls);
    });
    return { willRestart: true, state: await this.state() };
  }

  /** Only one action runs at a time, so that the conditions of every load are known. */
  #begin(words: string, work: () => Promise<void>): void {
    if (this.#busyWith !== null) {
      const message = `the lab is ${this.#busyWith}; try again when it has finished`;
      throw new OriginError('CS_LAB_BUSY', message);
    }
    this.#busyWith = words;
    this.#lastProblem = null;
    this.#deed = work()
      .catch((error: unknown) => this.#fail(words, error))
      .finally(() => (this.#busyWith = null));
  }

  /**
   * Runs an action and records its time, so that the conditions of later loads are known. A failure is recorded, not
   * thrown.
   */
  async #carryOut(kind: LabAction['kind'], act: () => Promise<void>): Promise<void> {
    const startedAt = new Date().toISOString();
    await act().catch((error: unknown) => this.#fail(kind, error));
    await this.#parts.record.noteAction({
      kind,
      startedAt,
      endedAt: new Date().toISOString(),
      ...(kind === 'delay' ? { delayMs: this.#delayMs } : {}),
      ...(this.#lastProblem === null ? {} : { problem: this.#lastProblem }),
    });
  }

  #fail(step: string, error: unknown): void {
    this.#lastProblem = messageOf(error);
    this.#parts.record.warn(`${step}: ${this.#lastProblem}`);
  }

  async #changeDelay(delayMs: number): Promise<void> {
    const { disk, record } = this.#parts;
    const before = this.#delayMs;
    this.#delayMs = null;
    this.#measuredDelayMs = null;
    try {
      await disk.setDelay(delayMs);
      this.#delayMs = delayMs;
    } catch (error) {
      // CS_STORAGE_BUSY means that the delay is unchanged; after any other error the delay is unknown.
      const isBusy = error instanceof CachescopeError && error.code === 'CS_STORAGE_BUSY';
      if (isBusy) this.#delayMs = before;
      throw error;
    }
    const reads = Math.max(2, Math.min(mostProofReads, Math.floor(proofLimitMs / (delayMs || 1))));
    const wanted = { requestedDelayMs: delayMs, when: 'before', reads, throughput: false } as const;
    const proof = await proveDelay(disk, wanted);
    this.#measuredDelayMs = proof?.p50Ms ?? null;
    if (proof) record.noteProof(proof);
  }

  async #open(urls: readonly string[]): Promise<ExploredBrowser> {
    const { launch, record } = this.#parts;
    if (!this.#link) throw new Error('the lab has no link yet');
    const warn = (sentence: string) => record.warn(sentence);
    this.#browser = await ExploredBrowser.launch(launch, this.#link, urls, warn);
    return this.#browser;
  }
}
