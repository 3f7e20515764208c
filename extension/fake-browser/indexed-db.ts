import * as fake from 'fake-indexeddb';

/** The globals of IndexedDB besides `indexedDB` itself. */
export const indexedDbGlobals = Object.fromEntries(
  Object.entries(fake).filter(([name]) => name.startsWith('IDB')),
);

/** One turn of the event loop; fake timers do not stop it. */
function task(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}

/** IndexedDB without databases at first, which knows whether anything is under way. */
export class FakeIndexedDb extends fake.IDBFactory {
  readonly #databases = new Set<IDBDatabase>();
  #underWay = 0;

  override open(name: string, version?: number): IDBOpenDBRequest {
    const request = super.open(name, version);
    this.#watch(request, ['success', 'error']);
    request.addEventListener('success', () => this.#watchTransactions(request.result));
    return request;
  }

  #watchTransactions(database: IDBDatabase): void {
    this.#databases.add(database);
    const begin = database.transaction.bind(database);
    database.transaction = (...parameters) => {
      const transaction = begin(...parameters);
      this.#watch(transaction, ['complete', 'abort']);
      return transaction;
    };
  }

  #watch(work: EventTarget, ends: readonly string[]): void {
    this.#underWay++;
    for (const end of ends) work.addEventListener(end, () => void this.#underWay--);
  }

  /** Settles when nothing happens any more unless a timer fires or an event is emitted. */
  async quiet(): Promise<void> {
    do await task();
    while (this.#underWay > 0);
  }

  /** Simulates that the browser closes the databases: the next user opens them again. */
  end(): void {
    // Its type names the class, and its code takes a database.
    for (const database of this.#databases)
      fake.forceCloseDatabase(database as unknown as typeof fake.IDBDatabase);
    this.#databases.clear();
  }
}
