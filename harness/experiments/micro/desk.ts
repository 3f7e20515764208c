import type { MicroMessage, MicroTask } from '@cachescope/model/micro/task.ts';
import type { TaskDesk } from '@cachescope/origin/routes/micro.ts';

interface Expected {
  /** Settles when the page hands something over. */
  message: PromiseWithResolvers<MicroMessage>;
  /** Gives the page that waits its next task; null while it works. */
  give: ((task: MicroTask) => void) | null;
}

/** Gives tasks to pages that were announced, each to its own; other pages are sent away. */
export class MicroDesk implements TaskDesk {
  readonly #pages = new Map<string, Expected>();

  /** Expects a page by this name. */
  announce(pageId: string): void {
    this.#pages.set(pageId, { message: Promise.withResolvers(), give: null });
  }

  /** What the page hands over next: first that it is ready, then the outcome of each task. */
  message(pageId: string): Promise<MicroMessage> {
    return this.#known(pageId).message.promise;
  }

  /** Gives a waiting page its next task; settles with the outcome. */
  async perform(pageId: string, task: MicroTask): Promise<MicroMessage> {
    const known = this.#known(pageId);
    if (!known.give) throw new Error(`page ${pageId} already has a task, or never connected`);
    known.message = Promise.withResolvers();
    known.give(task);
    known.give = null;
    return known.message.promise;
  }

  /** Sends a page away: it asks for no more tasks. */
  dismiss(pageId: string): void {
    this.#pages.get(pageId)?.give?.({ kind: 'end' });
    this.#pages.delete(pageId);
  }

  next(pageId: string, message: MicroMessage): Promise<MicroTask> {
    const known = this.#pages.get(pageId);
    if (!known) return Promise.resolve({ kind: 'end' });
    const task = new Promise<MicroTask>((resolve) => {
      known.give = resolve;
    });
    known.message.resolve(message);
    return task;
  }

  #known(pageId: string): Expected {
    const known = this.#pages.get(pageId);
    if (!known) throw new Error(`no page ${pageId} was announced`);
    return known;
  }
}
