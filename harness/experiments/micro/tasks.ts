import type { MicroMessage, MicroTask } from '@cachescope/model/micro/task.ts';
import type { TaskSource } from '@cachescope/origin/routes/micro.ts';
import { PageOrders } from '../../lab/page-orders.ts';

/** Gives each announced page its own tasks; other pages are told to end. */
export class MicroTasks implements TaskSource {
  readonly #pages = new Map<string, PageOrders<MicroMessage, MicroTask>>();

  /** Expects a page by this name; returns its messages and tasks. */
  announce(pageId: string): PageOrders<MicroMessage, MicroTask> {
    const orders = new PageOrders<MicroMessage, MicroTask>();
    this.#pages.set(pageId, orders);
    return orders;
  }

  next(pageId: string, message: MicroMessage): Promise<MicroTask> {
    return this.#pages.get(pageId)?.next(message) ?? Promise.resolve({ kind: 'end' });
  }
}
