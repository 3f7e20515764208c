import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { RoundTripProof } from '@cachescope/model/transfer/run.ts';
import type { TakenTransfer, TransferProtocol } from '@cachescope/model/transfer/sample.ts';
import { Conversation } from '../../conversation.ts';
import { CachescopeError } from '../../error.ts';
import { taskLimitMs, type TransferClientAtWork } from './client.ts';
import type { ClientOrder } from './client-process.ts';
import type { TransferPlace } from './origin.ts';

const program = fileURLToPath(import.meta.resolve('./client-process.ts'));
const limitMs = 30_000;
const roundTripLimitMs = 120_000;

/** The Node client at the other end of a link. */
export class DistantClient {
  readonly #conversation: Conversation;
  readonly #certificate: string;

  /** @param enter the prefix of a command at that end. */
  constructor(enter: readonly string[], certificate: string) {
    const [command, ...args] = [...enter, process.execPath, program];
    // In its own process group: Ctrl-C in a terminal first lets the sample end.
    const child = spawn(command, args, { stdio: 'pipe', detached: true });
    child.on('error', () => undefined);
    this.#conversation = new Conversation(child, 'The client behind the link');
    this.#certificate = certificate;
  }

  /** The client of one protocol. */
  client(protocol: TransferProtocol): TransferClientAtWork {
    const certificate = this.#certificate;
    return {
      perform: (task) =>
        this.#ask<TakenTransfer[]>(
          { kind: 'perform', protocol, certificate, task },
          taskLimitMs(task),
        ),
      close: () => this.#ask({ kind: 'forget' }, limitMs),
    };
  }

  /** The round trip as that client measures it. */
  roundTrip(place: TransferPlace, serverDelayMs: number): Promise<RoundTripProof> {
    return this.#ask({ kind: 'round trip', place, serverDelayMs }, roundTripLimitMs);
  }

  end(): Promise<void> {
    return this.#conversation.end(limitMs);
  }

  async #ask<Answer>(order: ClientOrder, limit: number): Promise<Answer> {
    const text = await this.#conversation.ask(order, limit);
    const answer = JSON.parse(text) as { value: Answer } | { problem: string };
    if ('value' in answer) return answer.value;
    throw new CachescopeError(
      'CS_TRANSFER_ORIGIN',
      `the client behind the link: ${answer.problem}`,
    );
  }
}
