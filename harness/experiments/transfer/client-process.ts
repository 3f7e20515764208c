// The Node client at the other end of a link, in a process of its own. It answers each line of its input with one line: the
// requests that were timed, or the round trip.
import type { TransferProtocol } from '@cachescope/model/transfer/sample.ts';
import type { TransferTask } from '@cachescope/model/transfer/task.ts';
import { answerOrders } from '../../network/far-program.ts';
import { nodeClient, type TransferClientAtWork } from './client.ts';
import type { TransferPlace } from './origin.ts';
import { measureRoundTrip } from './round-trip.ts';

/** A line of its input. */
export type ClientOrder =
  | { kind: 'perform'; protocol: TransferProtocol; certificate: string; task: TransferTask }
  | { kind: 'forget' }
  | { kind: 'round trip'; place: TransferPlace; serverDelayMs: number };

const clients = new Map<TransferProtocol, TransferClientAtWork>();

async function follow(order: ClientOrder): Promise<unknown> {
  switch (order.kind) {
    case 'round trip':
      return measureRoundTrip(order.place, order.serverDelayMs);
    case 'forget':
      for (const client of clients.values()) await client.close();
      clients.clear();
      return null;
    default: {
      const { protocol, certificate, task } = order;
      const client = clients.get(protocol) ?? nodeClient(protocol, certificate);
      clients.set(protocol, client);
      return client.perform(task);
    }
  }
}

answerOrders((order) => follow(order as ClientOrder));
