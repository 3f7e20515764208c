import type { IncomingMessage } from 'node:http';

/** The connection that carried a request. */
export interface Carrier {
  /** Number of the connection, from 1, across all listeners. */
  connection: number;
  /** Number of the request on its connection, from 1. */
  request: number;
}

/** Counts connections and the requests on each: shows which requests are cold and which are warm. */
export class ConnectionCount {
  readonly #carriers = new WeakMap<object, Carrier>();
  #connections = 0;

  /** Counts a request that has arrived. */
  count(message: Pick<IncomingMessage, 'socket'>): Carrier {
    const key = connectionOf(message);
    const known = this.#carriers.get(key);
    const carrier = known ?? { connection: ++this.#connections, request: 0 };
    carrier.request++;
    this.#carriers.set(key, carrier);
    return { ...carrier };
  }
}

/** HTTP/2 requests have no socket of their own: they share the session. */
function connectionOf(message: Pick<IncomingMessage, 'socket'>): object {
  const { session } = (message as { stream?: { session?: object } }).stream ?? {};
  return session ?? message.socket;
}
