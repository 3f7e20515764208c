import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { withTimeLimit } from './time-limit.ts';

/** A program that answers each line of JSON with one line of JSON, and ends with its input. */
export class Conversation {
  readonly #child: ChildProcess;
  readonly #what: string;
  readonly #lines: AsyncIterator<string>;
  #words = '';

  /** @param what the program, for messages: `The link`. */
  constructor(child: ChildProcess, what: string) {
    if (!child.stdout || !child.stdin) throw new Error(`${what} was started without pipes`);
    this.#child = child;
    this.#what = what;
    this.#lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    child.stderr?.on('data', (chunk: Buffer) => {
      this.#words = (this.#words + chunk.toString()).slice(-2000);
    });
    // A program that has ended takes no input; that is found by the missing answer.
    child.stdin.on('error', () => undefined);
  }

  /** Sends a message and returns the text of its answer. Throws when the program ends, or does not answer in time. */
  ask(message: object, limitMs: number): Promise<string> {
    this.tell(message);
    return this.answer(limitMs);
  }

  /** Sends a message that has no answer. */
  tell(message: object): void {
    this.#child.stdin?.write(`${JSON.stringify(message)}\n`);
  }

  /** The text of the next answer. */
  async answer(limitMs: number): Promise<string> {
    const { done, value } = await withTimeLimit(this.#what, limitMs, this.#lines.next());
    if (done === true)
      throw new Error(`${this.#what} ended: ${this.#words.trim() || 'without a message'}`);
    return value;
  }

  /** Ends the program's input and waits until it has ended. */
  async end(limitMs: number): Promise<void> {
    this.#child.stdin?.end();
    await withTimeLimit(`The end of ${this.#what}`, limitMs, this.#lines.next()).catch(() =>
      this.#child.kill('SIGKILL'),
    );
  }
}
