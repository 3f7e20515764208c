import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Play } from '@cachescope/model/judge/play.ts';
import type { Settings } from '@cachescope/model/run/variant.ts';
import { browserChoice } from '../browser/settings.ts';
import { ConformanceBrowser, type Side } from './browser.ts';
import type { ConformanceOrigin } from './origin.ts';
import { play } from './play.ts';
import type { Situation } from './situation.ts';

/** One side of a comparison, and what its browsers need. */
export interface SideOptions {
  origin: ConformanceOrigin;
  /** Directory of profiles and caches; unique to this side. */
  work: string;
  /** The browser of settings that name none. */
  executablePath: string;
  settings: Settings;
  otherSettings: Settings;
}

/** Plays situations on one side, in the same browser as long as they can share it. */
export class SidePlayer implements AsyncDisposable {
  readonly options: SideOptions;
  #open: { kind: string; browser: ConformanceBrowser } | null = null;
  #count = 0;

  constructor(options: SideOptions) {
    this.options = options;
  }

  /**
   * Plays a situation. A browser in which one failed is not used again.
   *
   * @param playing unique in the run: a part of the path of its files.
   */
  async play(situation: Situation, playing: string): Promise<Play> {
    const browser = await this.browserFor(situation);
    try {
      const own = (settings: Settings) => this.#sideOf({ ...settings, ...situation.settings });
      const { settings, otherSettings } = this.options;
      const stage = { browser, side: own(settings), otherSide: own(otherSettings), playing };
      const played = await play(situation, stage);
      if (situation.isAlone) await this.close();
      return played;
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  /** A browser in which a situation can be played. */
  async browserFor({
    name,
    settings = {},
    isAlone,
  }: Pick<Situation, 'name' | 'settings' | 'isAlone'>): Promise<ConformanceBrowser> {
    const kind = isAlone ? name : JSON.stringify(settings);
    if (this.#open?.kind === kind) return this.#open.browser;
    await this.close();
    const directory = join(this.options.work, `${this.#count++}`);
    await mkdir(directory, { recursive: true });
    const side = this.#sideOf({ ...this.options.settings, ...settings });
    const browser = await ConformanceBrowser.open(this.options.origin, directory, side);
    this.#open = { kind, browser };
    return browser;
  }

  /** Closes the browser, if one is open, and removes its files. */
  async close(): Promise<void> {
    const browser = this.#open?.browser;
    this.#open = null;
    await browser?.[Symbol.asyncDispose]();
    await rm(this.options.work, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #sideOf(settings: Settings): Side {
    const { executablePath = this.options.executablePath, ...choice } = browserChoice(settings);
    return { executablePath, ...choice };
  }
}
