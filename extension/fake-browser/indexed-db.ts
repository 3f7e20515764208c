/**
 * IndexedDB as far as the extension uses it: string keys, indexes over fields, ranges with both bounds. Transactions
 * run one after another, each request in its own task. A transaction ends when a task leaves it without a request, as
 * in a browser: code that awaits something else within a transaction fails here too.
 */

type Key = number | string | readonly Key[];
type Row = Record<string, Key | undefined>;
type Query = string | number | KeyRange | undefined;

/** One turn of the event loop; fake timers do not stop it. */
function task(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}

class KeyRange {
  readonly lower: Key;
  readonly upper: Key;

  private constructor(lower: Key, upper: Key) {
    this.lower = lower;
    this.upper = upper;
  }

  static bound(lower: Key, upper: Key): KeyRange {
    return new KeyRange(lower, upper);
  }
}

/** Negative, 0 or positive, in the order of the standard: numbers, strings, arrays. */
function compare(one: Key, other: Key): number {
  if (Array.isArray(one) && Array.isArray(other)) {
    const differing = one.findIndex((part, place) => compare(part, other[place]) !== 0);
    return differing < 0 ? one.length - other.length : compare(one[differing], other[differing]);
  }
  if (typeof one !== typeof other) return rank(one) - rank(other);
  return one < other ? -1 : Number(one > other);
}

function rank(key: Key): number {
  return ['number', 'string', 'object'].indexOf(typeof key);
}

function matches(key: Key, query: Query): boolean {
  if (query === undefined) return true;
  if (query instanceof KeyRange)
    return compare(key, query.lower) >= 0 && compare(key, query.upper) <= 0;
  return compare(key, query) === 0;
}

class Request extends EventTarget {
  result: unknown;
  readonly transaction = null;
}

/** An object store: its key path, rows and indexes. */
interface Shelf {
  keyPath: string;
  rows: Map<Key, Row>;
  indexes: Map<string, string | string[]>;
}

/** Rows in the order of a key, which consists of one field or several. */
class Source {
  readonly #transaction: Transaction;
  readonly #shelf: Shelf;
  readonly #path: string | string[];

  constructor(transaction: Transaction, shelf: Shelf, path: string | string[]) {
    this.#transaction = transaction;
    this.#shelf = shelf;
    this.#path = path;
  }

  #found(query: Query): Row[] {
    const keyOf = (row: Row): Key =>
      Array.isArray(this.#path) ? this.#path.map((field) => row[field]!) : row[this.#path]!;
    const rows = [...this.#shelf.rows.values()].filter((row) => matches(keyOf(row), query));
    return structuredClone(rows.toSorted((one, other) => compare(keyOf(one), keyOf(other))));
  }

  #keys(query: Query): Key[] {
    return this.#found(query).map((row) => row[this.#shelf.keyPath]!);
  }

  get(query: Query): Request {
    return this.#transaction.ask(() => this.#found(query)[0]);
  }

  getKey(query: Query): Request {
    return this.#transaction.ask(() => this.#keys(query)[0]);
  }

  getAll(query?: Query): Request {
    return this.#transaction.ask(() => this.#found(query));
  }

  getAllKeys(query?: Query): Request {
    return this.#transaction.ask(() => this.#keys(query));
  }

  count(query?: Query): Request {
    return this.#transaction.ask(() => this.#found(query).length);
  }
}

class Index extends Source {}

class ObjectStore extends Source {
  readonly #owner: Transaction;
  readonly #kept: Shelf;

  constructor(transaction: Transaction, shelf: Shelf) {
    super(transaction, shelf, shelf.keyPath);
    this.#owner = transaction;
    this.#kept = shelf;
  }

  put(row: Row): Request {
    const copy = structuredClone(row);
    return this.#owner.write(() => void this.#kept.rows.set(copy[this.#kept.keyPath]!, copy));
  }

  delete(key: Key): Request {
    return this.#owner.write(() => void this.#kept.rows.delete(key));
  }

  index(name: string): Index {
    return new Index(this.#owner, this.#kept, this.#kept.indexes.get(name)!);
  }
}

class Transaction extends EventTarget {
  readonly objectStoreNames: readonly string[];
  readonly #shelves: ReadonlyMap<string, Shelf>;
  readonly #mode: string;
  readonly #waiting: (() => void)[] = [];
  #hasEnded = false;

  constructor(names: readonly string[], shelves: ReadonlyMap<string, Shelf>, mode: string) {
    super();
    this.objectStoreNames = names;
    this.#shelves = shelves;
    this.#mode = mode;
  }

  objectStore(name: string): ObjectStore {
    if (!this.objectStoreNames.includes(name)) throw new DOMException(name, 'NotFoundError');
    return new ObjectStore(this, this.#shelves.get(name)!);
  }

  ask(find: () => unknown): Request {
    if (this.#hasEnded) throw new DOMException('it has ended', 'TransactionInactiveError');
    const request = new Request();
    this.#waiting.push(() => {
      request.result = find();
      request.dispatchEvent(new Event('success'));
    });
    return request;
  }

  write(change: () => void): Request {
    if (this.#mode !== 'readwrite') throw new DOMException('read only', 'ReadOnlyError');
    return this.ask(change);
  }

  async run(): Promise<void> {
    await task();
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      next();
      await task();
    }
    this.#hasEnded = true;
    this.dispatchEvent(new Event('complete'));
  }
}

class Database extends EventTarget {
  readonly #shelves = new Map<string, Shelf>();
  #running: Promise<void> = Promise.resolve();
  #open = 0;

  createObjectStore(name: string, { keyPath }: { keyPath: string }) {
    const indexes = new Map<string, string | string[]>();
    this.#shelves.set(name, { keyPath, rows: new Map(), indexes });
    return { createIndex: (of: string, path: string | string[]) => void indexes.set(of, path) };
  }

  transaction(names: string | readonly string[], mode = 'readonly'): Transaction {
    const made = new Transaction([names].flat(), this.#shelves, mode);
    this.#open++;
    this.#running = this.#running.then(() => made.run()).then(() => void this.#open--);
    return made;
  }

  get isBusy(): boolean {
    return this.#open > 0;
  }
}

/** The one database that the extension opens, empty at first. */
export class FakeIndexedDb {
  readonly #database = new Database();
  #opening = 0;
  #isMade = false;

  open(): Request {
    const request = new Request();
    this.#opening++;
    void this.#answer(request);
    return request;
  }

  async #answer(request: Request): Promise<void> {
    await task();
    request.result = this.#database;
    const upgrade = Object.assign(new Event('upgradeneeded'), { oldVersion: 0 });
    if (!this.#isMade) request.dispatchEvent(upgrade);
    this.#isMade = true;
    request.dispatchEvent(new Event('success'));
    this.#opening--;
  }

  /** Settles when nothing happens any more unless a timer fires or an event is emitted. */
  async quiet(): Promise<void> {
    do await task();
    while (this.#opening > 0 || this.#database.isBusy);
  }

  /** Simulates that the browser closes the database: the next user opens it again. */
  end(): void {
    this.#database.dispatchEvent(new Event('close'));
  }
}

/** The globals of IndexedDB besides `indexedDB` itself. */
export const indexedDbGlobals = {
  IDBKeyRange: KeyRange,
  IDBRequest: Request,
  IDBDatabase: Database,
  IDBObjectStore: ObjectStore,
  IDBIndex: Index,
  IDBTransaction: Transaction,
  IDBCursor: class {
    advance(): void {}
    continue(): void {}
    continuePrimaryKey(): void {}
  },
};
