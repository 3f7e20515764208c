import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { Conversation } from '../conversation.ts';
import { CachescopeError, messageOf } from '../error.ts';
import type { LinkEnd } from './emulated-link.ts';

const endLimitMs = 30_000;

/** The answer to an order. */
type Answered<Answer> = { value: Answer } | { problem: string };

/** A program of this project that runs at the client's end of a link, and ends with this program. */
export class FarProgram {
  readonly #conversation: Conversation;

  /** @param program path of a module that calls `answerOrders`. */
  constructor({ enter }: Pick<LinkEnd, 'enter'>, program: string) {
    const [command, ...args] = [...enter, process.execPath, program];
    // In its own process group: Ctrl-C in a terminal first lets the sample end.
    const child = spawn(command, args, { stdio: 'pipe', detached: true });
    child.on('error', () => undefined);
    this.#conversation = new Conversation(child, 'The client behind the link');
  }

  /** The answer to an order. @throws CachescopeError CS_LINK_CLIENT with the problem. */
  async ask<Answer>(order: object, limitMs: number): Promise<Answer> {
    const text = await this.#conversation.ask(order, limitMs);
    const answer = JSON.parse(text) as Answered<Answer>;
    if ('value' in answer) return answer.value;
    throw new CachescopeError('CS_LINK_CLIENT', `the client behind the link: ${answer.problem}`);
  }

  /** Sends a line that has no answer. */
  tell(message: object): void {
    this.#conversation.tell(message);
  }

  end(): Promise<void> {
    return this.#conversation.end(endLimitMs);
  }
}

/**
 * Follows each line of this program's input and answers it with a line; orders that `follow` returns undefined for have no
 * answer. The program ends with its input.
 */
export function answerOrders(follow: (order: unknown) => Promise<unknown> | undefined): void {
  const answer = (answered: Answered<unknown>) =>
    process.stdout.write(`${JSON.stringify(answered)}\n`);
  createInterface({ input: process.stdin })
    .on('line', (line) => {
      follow(JSON.parse(line))?.then(
        (value) => answer({ value }),
        (error: unknown) => answer({ problem: messageOf(error) }),
      );
    })
    .once('close', () => process.exit());
}
