import { fileURLToPath } from 'node:url';
import type { RoundTripProof } from '@cachescope/model/transfer/run.ts';
import type { TransferProtocol } from '@cachescope/model/transfer/sample.ts';
import type { LinkEnd } from '../../network/emulated-link.ts';
import { FarProgram } from '../../network/far-program.ts';
import { taskLimitMs, type TransferClientAtWork } from './client.ts';
import type { ClientOrder } from './client-process.ts';
import type { TransferPlace } from './origin.ts';

const program = fileURLToPath(import.meta.resolve('./client-process.ts'));
const limitMs = 30_000;
const roundTripLimitMs = 120_000;

/** The Node client at the other end of a link. */
export class DistantClient {
  readonly #program: FarProgram;
  readonly #certificate: string;

  constructor(link: LinkEnd, certificate: string) {
    this.#program = new FarProgram(link, program);
    this.#certificate = certificate;
  }

  /** The client of one protocol. */
  client(protocol: TransferProtocol): TransferClientAtWork {
    const certificate = this.#certificate;
    return {
      perform: (task) =>
        this.#ask({ kind: 'perform', protocol, certificate, task }, taskLimitMs(task)),
      close: () => this.#ask({ kind: 'forget' }, limitMs),
    };
  }

  /** The round trip as that client measures it. */
  roundTrip(place: TransferPlace, serverDelayMs: number): Promise<RoundTripProof> {
    return this.#ask({ kind: 'round trip', place, serverDelayMs }, roundTripLimitMs);
  }

  end(): Promise<void> {
    return this.#program.end();
  }

  #ask<Answer>(order: ClientOrder, limit: number): Promise<Answer> {
    return this.#program.ask(order, limit);
  }
}
