import type { MicroMessage, MicroTask } from '@cachescope/model/micro/task.ts';
import type { TaskSource } from '@cachescope/origin/routes/micro.ts';

interface Expected {
  /** Settles when the page sends a message. */
  message: PromiseWithResolvers<MicroMessage>;
  /** Gives the waiting page its next task; null while it works. */
  give: ((task: MicroTask) => void) | null;
}

/** Gives each announced page its own tasks; other pages are told to end. */
export class MicroTasks implements TaskSource {
  readonly #pages = new Map<string, Expected>();

  /** Expects a page by this name. */
  announce(pageId: string): void {
    this.#pages.set(pageId, { message: Promise.withResolvers(), give: null });
  }

  /** The next message of the page: first that it is ready, then the result of each task. */
  message(pageId: string): Promise<MicroMessage> {
    return this.#known(pageId).message.promise;
  }

  /** Gives a waiting page its next task; settles with the result. */
  async perform(pageId: string, task: MicroTask): Promise<MicroMessage> {
    const known = this.#known(pageId);
    if (!known.give) throw new Error(`page ${pageId} already has a task, or never connected`);
    known.message = Promise.withResolvers();
    known.give(task);
    known.give = null;
    return known.message.promise;
  }

  /** Ends a page: it requests no more tasks. */
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
