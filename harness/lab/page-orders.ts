/** The conversation with a page that measures: each of its messages is answered with its next order. */
export class PageOrders<Message, Order> {
  /** Settles when the page sends a message. */
  #message = Promise.withResolvers<Message>();
  /** Gives the waiting page its next order; null while it works. */
  #give: ((order: Order) => void) | null = null;

  /** The next message of the page: first that it is ready, then the result of each order. */
  get message(): Promise<Message> {
    return this.#message.promise;
  }

  /** Takes a message of the page; settles with its next order. */
  next(message: Message): Promise<Order> {
    const order = new Promise<Order>((resolve) => {
      this.#give = resolve;
    });
    this.#message.resolve(message);
    return order;
  }

  /** Gives the waiting page its next order; settles with the result. */
  async perform(order: Order): Promise<Message> {
    if (!this.#give) throw new Error('the page already has a task, or never connected');
    this.#message = Promise.withResolvers();
    this.#give(order);
    this.#give = null;
    return this.#message.promise;
  }

  /** Gives a waiting page its last order. */
  end(order: Order): void {
    this.#give?.(order);
  }
}
