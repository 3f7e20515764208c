import type { Account, Play, Violation } from '@cachescope/model/judge/play.ts';
import type { Page } from 'puppeteer-core';
import { withTimeLimit } from '../time-limit.ts';
import type { ConformanceBrowser, Side } from './browser.ts';
import { workerPath } from './origin.ts';
import { type RawRead, readIn } from './read-in-page.ts';
import { bodyOf, integrityOf, violationsOf } from './safety.ts';
import type { Read, Situation, Step } from './situation.ts';

/** A situation that has not ended after this time never will, ms. */
const endlessMs = 180_000;

/** Where a situation is played. */
export interface Stage {
  browser: ConformanceBrowser;
  /** The settings of its browser, and those of the other side's, with the situation's own. */
  side: Side;
  otherSide: Side;
  /** Unique in the run: a part of the path of its files, so that no cache knows them. */
  playing: string;
}

/** Plays a situation once, under paths of its own. */
export async function play(situation: Situation, stage: Stage): Promise<Play> {
  const playing = new Playing(situation, stage);
  try {
    await withTimeLimit(`The situation "${situation.name}"`, endlessMs, playing.takeSteps());
    return playing.result();
  } finally {
    await playing.end();
  }
}

class Playing {
  readonly #situation: Situation;
  readonly #stage: Stage;
  readonly #pages = new Map<string, Page>();
  readonly #page: string[] = [];
  readonly #timing: string[] = [];
  readonly #violations: Violation[] = [];
  readonly #mark: number;

  constructor(situation: Situation, stage: Stage) {
    this.#situation = situation;
    this.#stage = stage;
    const { origin } = stage.browser;
    this.#mark = origin.asked.length;
    for (const [file, answer] of Object.entries(situation.files))
      origin.answers.set(this.#path(file), answer);
    for (const [name, { fields = [] }] of Object.entries(situation.pages ?? {}))
      origin.documents.set(this.#path(name), fields);
  }

  async takeSteps(): Promise<void> {
    for (const step of this.#situation.steps) await this.#take(step);
  }

  result(): Play {
    const { origin } = this.#stage.browser;
    const { isCrowded, steps } = this.#situation;
    const account: Account = { page: this.#page, timing: this.#timing, origin: this.#requests() };
    if (!isCrowded) return { ...account, violations: this.#violations };
    const readCount = steps.flatMap((step) => (step.kind === 'read' ? [step] : [])).length;
    const requestCount = origin.asked.length - this.#mark;
    if (requestCount <= readCount) throw new Error('the cache was not full');
    return { page: this.#page, timing: [], origin: [], violations: this.#violations };
  }

  /** Closes its pages, and forgets its files. */
  async end(): Promise<void> {
    const { origin, browser } = this.#stage.browser;
    const private_ = [...this.#pages.values()].map((page) => page.browserContext());
    for (const page of this.#pages.values()) await page.close().catch(() => undefined);
    for (const context of private_)
      if (context !== browser.defaultBrowserContext()) await context.close().catch(() => undefined);
    for (const file of Object.keys(this.#situation.files)) origin.answers.delete(this.#path(file));
    for (const name of Object.keys(this.#situation.pages ?? {}))
      origin.documents.delete(this.#path(name));
  }

  async #take(step: Step): Promise<void> {
    const { browser, side, otherSide } = this.#stage;
    const { origin } = browser;
    switch (step.kind) {
      case 'read':
        return this.#read(step.read);
      case 'read at once': {
        const raw = await Promise.all(step.reads.map((read) => this.#rawRead(read)));
        for (const [index, each] of raw.entries())
          this.#note(step.reads[index] ?? {}, each, null, 0);
        return;
      }
      case 'reload':
        await (await this.#pageOf(step.page)).reload();
        return;
      case 'register worker': {
        const register = `navigator.serviceWorker.register('${workerPath}')`;
        await browser.main.evaluate(`${register}.then(() => navigator.serviceWorker.ready)`);
        return;
      }
      case 'await requests':
        return origin.until(() => origin.timesOf(this.#path('resource')) >= step.count);
      case 'restart':
        this.#pages.clear();
        return browser.restart(step.otherSide ? otherSide : side);
      case 'kill': {
        const { file = 'resource' } = step.read;
        const reading = this.#rawRead(step.read).catch(() => null);
        await origin.until(() => origin.partsOf(this.#path(file)) >= step.afterParts);
        await browser.kill();
        await reading;
        this.#pages.clear();
        return browser.start(side);
      }
    }
  }

  async #read(read: Read): Promise<void> {
    const { origin } = this.#stage.browser;
    const path = this.#path(read.ends ?? read.file ?? 'resource');
    const before = origin.timesOf(path);
    const raw = await this.#rawRead(read);
    this.#note(read, raw, origin.timesOf(path) - before, before);
  }

  /**
   * @param requests how often the origin was asked during the read; null: unknown, several reads share them.
   * @param before how often it had been asked before.
   */
  #note(read: Read, raw: RawRead, requests: number | null, before: number): void {
    const { origin } = this.#stage.browser;
    const file = read.ends ?? read.file ?? 'resource';
    const answer = this.#situation.files[file] ?? {};
    const latest = origin.timesOf(this.#path(file));
    // A response may be used while it is revalidated: it is older only than what had been sent before.
    const current = read.must === 'ask' ? latest : before;
    const body = bodyOf(raw, read, { answer, latest, current, origin });
    this.#violations.push(...violationsOf(read, raw, { body, requests }));
    const isAlone = requests !== null;
    const words = [...(isAlone ? [raw.status ?? '-'] : []), body, ...raw.shown];
    this.#page.push(words.join(' '));
    if (isAlone && read.by !== 'add') this.#timing.push(raw.source);
  }

  async #rawRead(read: Read): Promise<RawRead> {
    const { browser } = this.#stage;
    const { file = 'resource', ends = file, by = 'fetch', init = {}, page = 'main' } = read;
    const path = this.#path(file);
    const { integrity, abortAfterBytes = null, elsewhere } = read;
    const answer = this.#situation.files[ends] ?? {};
    const hash = integrity && integrityOf(integrity, browser.origin.body(answer, 1));
    return readIn(await this.#pageOf(page), {
      url: `${elsewhere ? browser.origin.otherSite : browser.origin.url}${path}`,
      by,
      init: { ...init, ...(hash !== undefined && { integrity: hash }) },
      abortAfterBytes,
      shows: this.#situation.shows ?? [],
    });
  }

  async #pageOf(name: string): Promise<Page> {
    const { browser } = this.#stage;
    if (name === 'main') return browser.main;
    const kind = this.#situation.pages?.[name] ?? {};
    const page = this.#pages.get(name) ?? (await browser.open(this.#path(name), kind));
    this.#pages.set(name, page);
    return page;
  }

  /** Such as `GET 200 dcz`, `GET 206 bytes=0-9`; of another file than `resource` with its name. */
  #requests(): string[] {
    const { origin } = this.#stage.browser;
    const files = Object.keys(this.#situation.files);
    return origin.asked.slice(this.#mark).flatMap(({ path, method, status, coding, range }) => {
      const file = files.find((each) => this.#path(each) === path);
      if (file === undefined) return [];
      const name = file === 'resource' ? null : file;
      return [[name, method, status, coding, range].filter((word) => word !== null).join(' ')];
    });
  }

  #path(name: string): string {
    return `/r/${this.#stage.playing}/${name}`;
  }
}
